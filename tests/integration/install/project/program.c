#include <hk/hk.h>
#include <stdio.h>

/* Prints what the library says about the device that HK_DEVICE names. */
int main(void) {
  char text[8192];
  hk_context* context = NULL;
  hk_status status = hk_context_create(NULL, &context);
  if (status == HK_STATUS_SUCCESS)
    status = hk_device_info(context, text, sizeof(text), NULL);
  puts(status == HK_STATUS_SUCCESS ? text : hk_last_error_message());
  hk_context_destroy(context);
  return status;
}
