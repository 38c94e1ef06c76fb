/* The C API as a C99 program sees it: the header compiles, every part that needs no GPU works on the null device. */
#include <stdio.h>
#include <string.h>

#include "hk/hk.h"

static int failures = 0;

#define EXPECT(condition)                                                                                              \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      printf("%s:%d: %s is false; last error: %s\n", __FILE__, __LINE__, #condition, hk_last_error_message());         \
      ++failures;                                                                                                      \
    }                                                                                                                  \
  } while (0)

static hk_context* open_null_device(void) {
  hk_context_options options = HK_CONTEXT_OPTIONS_INIT;
  hk_context* context = NULL;
  options.device = "null";
  options.cache_directory = "none";
  EXPECT(hk_context_create(&options, &context) == HK_STATUS_SUCCESS);
  EXPECT(context != NULL);
  return context;
}

static void check_memory(hk_context* context) {
  const char sent[] = "sixteen bytes...";
  char received[sizeof(sent)] = {0};
  void* memory = NULL;
  void* stream = NULL;
  EXPECT(hk_stream_create(context, &stream) == HK_STATUS_SUCCESS);
  EXPECT(hk_memory_allocate(context, sizeof(sent), &memory) == HK_STATUS_SUCCESS);
  EXPECT(hk_memory_copy(context, memory, sent, sizeof(sent), stream) == HK_STATUS_SUCCESS);
  EXPECT(hk_memory_copy(context, received, memory, sizeof(sent), stream) == HK_STATUS_SUCCESS);
  EXPECT(memcmp(sent, received, sizeof(sent)) == 0);
  EXPECT(hk_stream_synchronize(context, stream) == HK_STATUS_SUCCESS);
  EXPECT(hk_memory_free(context, memory) == HK_STATUS_SUCCESS);
  EXPECT(hk_stream_destroy(context, stream) == HK_STATUS_SUCCESS);
}

static void check_info(hk_context* context) {
  char text[4096];
  char small[4];
  size_t required = 0;
  EXPECT(hk_device_info(context, NULL, 0, &required) == HK_STATUS_SUCCESS);
  EXPECT(required > 2 && required <= sizeof(text));
  EXPECT(hk_device_info(context, text, sizeof(text), NULL) == HK_STATUS_SUCCESS);
  EXPECT(strlen(text) + 1 == required);
  EXPECT(strstr(text, "\"device\":\"null\"") != NULL);
  EXPECT(hk_device_info(context, small, sizeof(small), &required) == HK_STATUS_INVALID_ARGUMENT);
  EXPECT(strstr(hk_last_error_message(), "capacity") != NULL);
}

static void check_errors(void) {
  hk_context_options options = HK_CONTEXT_OPTIONS_INIT;
  hk_context* context = NULL;
  EXPECT(hk_context_create(NULL, NULL) == HK_STATUS_INVALID_ARGUMENT);
  EXPECT(strstr(hk_last_error_message(), "context") != NULL);
  EXPECT(strcmp(hk_last_error_detail(), "") == 0);
  options.device = "hip:minus one";
  EXPECT(hk_context_create(&options, &context) == HK_STATUS_INVALID_ARGUMENT);
  EXPECT(context == NULL);
  EXPECT(strstr(hk_last_error_message(), "hip:minus one") != NULL);
  EXPECT(strcmp(hk_status_name(HK_STATUS_NO_DEVICE), "NO_DEVICE") == 0);
  EXPECT(strcmp(hk_status_name(-1), "UNKNOWN") == 0);
}

int main(void) {
  hk_context* context = open_null_device();
  EXPECT(hk_version() == HK_VERSION_MAJOR * 10000 + HK_VERSION_MINOR * 100 + HK_VERSION_PATCH);
  if (context != NULL) {
    check_memory(context);
    check_info(context);
  }
  check_errors();
  EXPECT(hk_context_destroy(context) == HK_STATUS_SUCCESS);
  EXPECT(hk_context_destroy(NULL) == HK_STATUS_SUCCESS);
  return failures == 0 ? 0 : 1;
}
