/* A libcuda that runs nothing: it remembers what it was asked and fails where the test wants it to. Signatures are
 * those of the CUDA driver API. Context of device N is (void*)(0x1000 + N); pointers: 0x10000 to 0x1ffff is memory of
 * device 0, 0x20000 to 0x2ffff of device 1, 0x30000 to 0x3ffff managed, the rest unknown. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "fake_cuda.h"

#define EXPORT __attribute__((visibility("default")))

static struct fake_cuda_state g_state = {.devices = 2};
static __thread void* g_contexts[8];
static __thread int g_depth;

EXPORT struct fake_cuda_state* fake_cuda(void) {
  return &g_state;
}

EXPORT int cuInit(unsigned flags) {
  (void)flags;
  return g_state.init_result;
}
EXPORT int cuDriverGetVersion(int* version) {
  *version = 13000;
  return 0;
}
EXPORT int cuGetErrorName(int error, const char** name) {
  *name = error == 2 ? "CUDA_ERROR_OUT_OF_MEMORY" : error == 700 ? "CUDA_ERROR_ILLEGAL_ADDRESS" : "CUDA_ERROR_OTHER";
  return 0;
}
EXPORT int cuDeviceGetCount(int* count) {
  *count = g_state.devices;
  return 0;
}
EXPORT int cuDeviceGet(int* device, int ordinal) {
  *device = ordinal;
  return 0;
}
EXPORT int cuDeviceGetName(char* name, int size, int device) {
  (void)device;
  strncpy(name, "Fake GPU", (size_t)size);
  return 0;
}
EXPORT int cuDeviceGetAttribute(int* value, int attribute, int device) {
  (void)device;
  *value = attribute == 75   ? 9
           : attribute == 76 ? 0
           : attribute == 16 ? 132
           : attribute == 97 ? 232448
           : attribute == 13 ? 1980000
                             : 0;
  return 0;
}
EXPORT int cuDeviceTotalMem_v2(size_t* bytes, int device) {
  (void)device;
  *bytes = (size_t)1 << 37;
  return 0;
}
EXPORT int cuDevicePrimaryCtxRetain(void** context, int device) {
  *context = (void*)(uintptr_t)(0x1000 + device);
  ++g_state.retained;
  return 0;
}
EXPORT int cuDevicePrimaryCtxRelease_v2(int device) {
  (void)device;
  --g_state.retained;
  return 0;
}
EXPORT int cuCtxGetCurrent(void** context) {
  *context = g_depth ? g_contexts[g_depth - 1] : NULL;
  return 0;
}
EXPORT int cuCtxPushCurrent_v2(void* context) {
  g_contexts[g_depth++] = context;
  return 0;
}
EXPORT int cuCtxPopCurrent_v2(void** context) {
  *context = g_contexts[--g_depth];
  return 0;
}
EXPORT int cuCtxSynchronize(void) {
  ++g_state.context_synchronized;
  return g_state.synchronize_result;
}
EXPORT int cuModuleLoadData(void** module, const void* image) {
  (void)image;
  if (g_state.load_result == 0) {
    *module = &g_state;
    ++g_state.loaded;
  }
  return g_state.load_result;
}
EXPORT int cuModuleUnload(void* module) {
  (void)module;
  --g_state.loaded;
  return 0;
}
EXPORT int cuModuleGetFunction(void** function, void* module, const char* name) {
  (void)module;
  *function = (void*)name;
  return g_state.function_result;
}
EXPORT int cuFuncSetAttribute(void* function, int attribute, int value) {
  (void)function;
  if (attribute == 8)
    g_state.shared_attribute = value;
  return g_state.attribute_result;
}
EXPORT int cuLaunchKernel(void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                          unsigned shared, void* stream, void** parameters, void** extra) {
  (void)function;
  (void)gx;
  (void)gy;
  (void)gz;
  (void)by;
  (void)bz;
  (void)stream;
  (void)parameters;
  if (g_state.launch_result != 0)
    return g_state.launch_result;
  ++g_state.launches;
  g_state.launch_shared = shared;
  g_state.launch_block = bx;
  if (extra[0] == (void*)1 && extra[2] == (void*)2 && extra[4] == NULL) {
    g_state.launch_bytes = *(size_t*)extra[3];
    g_state.launch_first_byte = g_state.launch_bytes ? *(unsigned char*)extra[1] : 0;
  }
  cuCtxGetCurrent(&g_state.launch_context);
  return 0;
}
EXPORT int cuPointerGetAttributes(unsigned count, int* attributes, void** values, unsigned long long pointer) {
  for (unsigned i = 0; i < count; ++i) {
    unsigned place = (unsigned)(pointer >> 16);
    int known = place >= 1 && place <= 3;
    if (attributes[i] == 2)
      *(unsigned*)values[i] = known ? 2 : 0;
    if (attributes[i] == 8)
      *(unsigned*)values[i] = place == 3;
    if (attributes[i] == 9)
      *(int*)values[i] = known ? (place == 2) : -2;
  }
  return 0;
}
EXPORT int cuMemAlloc_v2(unsigned long long* pointer, size_t bytes) {
  (void)bytes;
  *pointer = 0x10000;
  return g_state.allocate_result;
}
EXPORT int cuMemFree_v2(unsigned long long pointer) {
  return pointer >> 16 == 1 ? 0 : 1;
}
EXPORT int cuMemcpyAsync(unsigned long long to, unsigned long long from, size_t bytes, void* stream) {
  (void)stream;
  memcpy((void*)(uintptr_t)to, (const void*)(uintptr_t)from, bytes);
  return 0;
}
EXPORT int cuStreamCreate(void** stream, unsigned flags) {
  (void)flags;
  *stream = (void*)0x5000;
  return 0;
}
EXPORT int cuStreamDestroy_v2(void* stream) {
  (void)stream;
  return 0;
}
EXPORT int cuStreamSynchronize(void* stream) {
  (void)stream;
  ++g_state.synchronized;
  return g_state.synchronize_result;
}
EXPORT int cuStreamIsCapturing(void* stream, int* status) {
  (void)stream;
  *status = g_state.capturing;
  return g_state.capture_query_result;
}
EXPORT int cuThreadExchangeStreamCaptureMode(int* mode) {
  (void)mode;
  return 0;
}
EXPORT int cuEventCreate(void** event, unsigned flags) {
  (void)flags;
  *event = (void*)0x6000;
  return 0;
}
EXPORT int cuEventDestroy_v2(void* event) {
  return event == (void*)0x6000 ? 0 : 400;
}
EXPORT int cuEventRecord(void* event, void* stream) {
  (void)event;
  (void)stream;
  return 0;
}
EXPORT int cuEventSynchronize(void* event) {
  (void)event;
  return 0;
}
EXPORT int cuEventElapsedTime(float* milliseconds, void* start, void* stop) {
  (void)start;
  (void)stop;
  *milliseconds = 0.25f;
  return 0;
}
