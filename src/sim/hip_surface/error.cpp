#include <array>
#include <string_view>

#include "sim/hip_surface/call.h"

using namespace hk::sim;
using namespace hk::sim::surface;

namespace {

constexpr bool same(ErrorCode ours, hipError_t theirs) {
  return static_cast<int>(ours) == static_cast<int>(theirs);
}
static_assert(same(ErrorCode::success, hipSuccess));
static_assert(same(ErrorCode::invalid_value, hipErrorInvalidValue));
static_assert(same(ErrorCode::out_of_memory, hipErrorOutOfMemory));
static_assert(same(ErrorCode::not_initialized, hipErrorNotInitialized));
static_assert(same(ErrorCode::deinitialized, hipErrorDeinitialized));
static_assert(same(ErrorCode::invalid_configuration, hipErrorInvalidConfiguration));
static_assert(same(ErrorCode::invalid_memcpy_direction, hipErrorInvalidMemcpyDirection));
static_assert(same(ErrorCode::invalid_device_function, hipErrorInvalidDeviceFunction));
static_assert(same(ErrorCode::no_device, hipErrorNoDevice));
static_assert(same(ErrorCode::invalid_device, hipErrorInvalidDevice));
static_assert(same(ErrorCode::invalid_image, hipErrorInvalidImage));
static_assert(same(ErrorCode::no_binary_for_gpu, hipErrorNoBinaryForGpu));
static_assert(same(ErrorCode::file_not_found, hipErrorFileNotFound));
static_assert(same(ErrorCode::invalid_handle, hipErrorInvalidHandle));
static_assert(same(ErrorCode::illegal_state, hipErrorIllegalState));
static_assert(same(ErrorCode::not_found, hipErrorNotFound));
static_assert(same(ErrorCode::not_ready, hipErrorNotReady));
static_assert(same(ErrorCode::illegal_address, hipErrorIllegalAddress));
static_assert(same(ErrorCode::peer_access_already_enabled, hipErrorPeerAccessAlreadyEnabled));
static_assert(same(ErrorCode::peer_access_not_enabled, hipErrorPeerAccessNotEnabled));
static_assert(same(ErrorCode::host_memory_already_registered, hipErrorHostMemoryAlreadyRegistered));
static_assert(same(ErrorCode::host_memory_not_registered, hipErrorHostMemoryNotRegistered));
static_assert(same(ErrorCode::launch_failure, hipErrorLaunchFailure));
static_assert(same(ErrorCode::not_supported, hipErrorNotSupported));
static_assert(same(ErrorCode::stream_capture_unsupported, hipErrorStreamCaptureUnsupported));
static_assert(same(ErrorCode::stream_capture_invalidated, hipErrorStreamCaptureInvalidated));
static_assert(same(ErrorCode::stream_capture_merge, hipErrorStreamCaptureMerge));
static_assert(same(ErrorCode::stream_capture_unmatched, hipErrorStreamCaptureUnmatched));
static_assert(same(ErrorCode::stream_capture_unjoined, hipErrorStreamCaptureUnjoined));
static_assert(same(ErrorCode::stream_capture_isolation, hipErrorStreamCaptureIsolation));
static_assert(same(ErrorCode::stream_capture_implicit, hipErrorStreamCaptureImplicit));
static_assert(same(ErrorCode::captured_event, hipErrorCapturedEvent));
static_assert(same(ErrorCode::stream_capture_wrong_thread, hipErrorStreamCaptureWrongThread));

struct ErrorText {
  hipError_t code;
  const char* name;
  const char* text;
};

#define HK_SIM_ERROR(code, text)                                                                                       \
  ErrorText {                                                                                                          \
    code, #code, text                                                                                                  \
  }
constexpr std::array k_error_texts = {
    HK_SIM_ERROR(hipSuccess, "no error"),
    HK_SIM_ERROR(hipErrorInvalidValue, "invalid argument"),
    HK_SIM_ERROR(hipErrorOutOfMemory, "out of memory"),
    HK_SIM_ERROR(hipErrorNotInitialized, "initialization error"),
    HK_SIM_ERROR(hipErrorDeinitialized, "driver shutting down"),
    HK_SIM_ERROR(hipErrorProfilerDisabled, "profiler disabled"),
    HK_SIM_ERROR(hipErrorProfilerNotInitialized, "profiler not initialized"),
    HK_SIM_ERROR(hipErrorProfilerAlreadyStarted, "profiler already started"),
    HK_SIM_ERROR(hipErrorProfilerAlreadyStopped, "profiler already stopped"),
    HK_SIM_ERROR(hipErrorInvalidConfiguration, "invalid configuration argument"),
    HK_SIM_ERROR(hipErrorInvalidPitchValue, "invalid pitch argument"),
    HK_SIM_ERROR(hipErrorInvalidSymbol, "invalid device symbol"),
    HK_SIM_ERROR(hipErrorInvalidDevicePointer, "invalid device pointer"),
    HK_SIM_ERROR(hipErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
    HK_SIM_ERROR(hipErrorInsufficientDriver, "driver version is too old for the runtime"),
    HK_SIM_ERROR(hipErrorMissingConfiguration, "configuration of a previous call is missing"),
    HK_SIM_ERROR(hipErrorPriorLaunchFailure, "a prior kernel launch failed"),
    HK_SIM_ERROR(hipErrorInvalidDeviceFunction, "invalid device function"),
    HK_SIM_ERROR(hipErrorNoDevice, "no GPU is available"),
    HK_SIM_ERROR(hipErrorInvalidDevice, "invalid device ordinal"),
    HK_SIM_ERROR(hipErrorInvalidImage, "device kernel image is invalid"),
    HK_SIM_ERROR(hipErrorInvalidContext, "invalid device context"),
    HK_SIM_ERROR(hipErrorContextAlreadyCurrent, "context is already current"),
    HK_SIM_ERROR(hipErrorMapFailed, "mapping failed"),
    HK_SIM_ERROR(hipErrorUnmapFailed, "unmapping failed"),
    HK_SIM_ERROR(hipErrorArrayIsMapped, "array is mapped"),
    HK_SIM_ERROR(hipErrorAlreadyMapped, "resource is already mapped"),
    HK_SIM_ERROR(hipErrorNoBinaryForGpu, "no code object for this GPU"),
    HK_SIM_ERROR(hipErrorAlreadyAcquired, "resource is already acquired"),
    HK_SIM_ERROR(hipErrorNotMapped, "resource is not mapped"),
    HK_SIM_ERROR(hipErrorNotMappedAsArray, "resource is not mapped as an array"),
    HK_SIM_ERROR(hipErrorNotMappedAsPointer, "resource is not mapped as a pointer"),
    HK_SIM_ERROR(hipErrorECCNotCorrectable, "uncorrectable ECC error"),
    HK_SIM_ERROR(hipErrorUnsupportedLimit, "limit is not supported on this device"),
    HK_SIM_ERROR(hipErrorContextAlreadyInUse, "context is already in use"),
    HK_SIM_ERROR(hipErrorPeerAccessUnsupported, "peer access is not supported between these devices"),
    HK_SIM_ERROR(hipErrorInvalidKernelFile, "invalid kernel file"),
    HK_SIM_ERROR(hipErrorInvalidGraphicsContext, "invalid graphics context"),
    HK_SIM_ERROR(hipErrorInvalidSource, "device kernel source is invalid"),
    HK_SIM_ERROR(hipErrorFileNotFound, "file not found"),
    HK_SIM_ERROR(hipErrorSharedObjectSymbolNotFound, "symbol of a shared object not found"),
    HK_SIM_ERROR(hipErrorSharedObjectInitFailed, "initialization of a shared object failed"),
    HK_SIM_ERROR(hipErrorOperatingSystem, "an operating system call failed"),
    HK_SIM_ERROR(hipErrorInvalidHandle, "invalid resource handle"),
    HK_SIM_ERROR(hipErrorIllegalState, "the operation cannot be performed in the present state"),
    HK_SIM_ERROR(hipErrorNotFound, "named symbol not found"),
    HK_SIM_ERROR(hipErrorNotReady, "device not ready"),
    HK_SIM_ERROR(hipErrorIllegalAddress, "an illegal memory access was encountered"),
    HK_SIM_ERROR(hipErrorLaunchOutOfResources, "too many resources requested for launch"),
    HK_SIM_ERROR(hipErrorLaunchTimeOut, "the launch timed out"),
    HK_SIM_ERROR(hipErrorPeerAccessAlreadyEnabled, "peer access is already enabled"),
    HK_SIM_ERROR(hipErrorPeerAccessNotEnabled, "peer access has not been enabled"),
    HK_SIM_ERROR(hipErrorSetOnActiveProcess, "cannot be set while the process is active"),
    HK_SIM_ERROR(hipErrorContextIsDestroyed, "the context is destroyed"),
    HK_SIM_ERROR(hipErrorAssert, "a device-side assertion failed"),
    HK_SIM_ERROR(hipErrorHostMemoryAlreadyRegistered, "host memory is already registered"),
    HK_SIM_ERROR(hipErrorHostMemoryNotRegistered, "host memory is not registered"),
    HK_SIM_ERROR(hipErrorLaunchFailure, "unspecified launch failure"),
    HK_SIM_ERROR(hipErrorCooperativeLaunchTooLarge, "too many blocks in a cooperative launch"),
    HK_SIM_ERROR(hipErrorNotSupported, "operation not supported"),
    HK_SIM_ERROR(hipErrorStreamCaptureUnsupported, "operation not permitted while a stream is capturing"),
    HK_SIM_ERROR(hipErrorStreamCaptureInvalidated, "operation failed because of an earlier error during capture"),
    HK_SIM_ERROR(hipErrorStreamCaptureMerge, "operation would merge separate capture sequences"),
    HK_SIM_ERROR(hipErrorStreamCaptureUnmatched, "capture was not ended in the stream in which it began"),
    HK_SIM_ERROR(hipErrorStreamCaptureUnjoined, "a capturing stream has unjoined work"),
    HK_SIM_ERROR(hipErrorStreamCaptureIsolation, "a dependency would cross the boundary of the capture"),
    HK_SIM_ERROR(hipErrorStreamCaptureImplicit, "operation would make the legacy stream depend on a capturing one"),
    HK_SIM_ERROR(hipErrorCapturedEvent, "operation not permitted on an event last recorded in a capturing stream"),
    HK_SIM_ERROR(hipErrorStreamCaptureWrongThread, "capture was ended by another thread than began it"),
    HK_SIM_ERROR(hipErrorGraphExecUpdateFailure, "the graph update violates its constraints"),
    HK_SIM_ERROR(hipErrorInvalidChannelDescriptor, "invalid channel descriptor"),
    HK_SIM_ERROR(hipErrorInvalidTexture, "invalid texture"),
    HK_SIM_ERROR(hipErrorUnknown, "unknown error"),
    HK_SIM_ERROR(hipErrorRuntimeMemory, "memory call of the runtime failed"),
    HK_SIM_ERROR(hipErrorRuntimeOther, "non-memory call of the runtime failed"),
};
#undef HK_SIM_ERROR

// Null if the code is none of HIP's.
const ErrorText* find_text(const hipError_t& code) {
  for (const ErrorText& text : k_error_texts)
    if (text.code == raw_value(code))
      return &text;
  return nullptr;
}

} // namespace

hipError_t hipGetLastError(void) {
  ThreadState& state = thread_state();
  const hipError_t error = state.last_error;
  state.last_error = hipSuccess;
  return error;
}

hipError_t hipPeekAtLastError(void) {
  return thread_state().last_error;
}

const char* hipGetErrorName(hipError_t hip_error) {
  const ErrorText* text = find_text(hip_error);
  return text != nullptr ? text->name : "hipErrorUnknown";
}

const char* hipGetErrorString(hipError_t hipError) {
  const ErrorText* text = find_text(hipError);
  return text != nullptr ? text->text : "unknown error";
}

hipError_t hipDrvGetErrorName(hipError_t hipError, const char** errorString) {
  const ErrorText* text = find_text(hipError);
  if (errorString == nullptr || text == nullptr)
    return hipErrorInvalidValue;
  *errorString = text->name;
  return hipSuccess;
}

hipError_t hipDrvGetErrorString(hipError_t hipError, const char** errorString) {
  const ErrorText* text = find_text(hipError);
  if (errorString == nullptr || text == nullptr)
    return hipErrorInvalidValue;
  *errorString = text->text;
  return hipSuccess;
}
