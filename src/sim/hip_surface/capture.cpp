#include <utility>

#include "sim/hip_surface/call.h"

using namespace hk::sim;
using namespace hk::sim::surface;

static_assert(static_cast<int>(CaptureMode::global) == hipStreamCaptureModeGlobal);
static_assert(static_cast<int>(CaptureMode::thread_local_mode) == hipStreamCaptureModeThreadLocal);
static_assert(static_cast<int>(CaptureMode::relaxed) == hipStreamCaptureModeRelaxed);
static_assert(static_cast<int>(CaptureStatus::none) == hipStreamCaptureStatusNone);
static_assert(static_cast<int>(CaptureStatus::active) == hipStreamCaptureStatusActive);
static_assert(static_cast<int>(CaptureStatus::invalidated) == hipStreamCaptureStatusInvalidated);

namespace {

bool is_mode(const hipStreamCaptureMode& mode) {
  return raw_value(mode) >= hipStreamCaptureModeGlobal && raw_value(mode) <= hipStreamCaptureModeRelaxed;
}

Error unknown_mode() {
  return Error(ErrorCode::invalid_value, "the capture mode is none of global, thread-local and relaxed");
}

hipError_t capture_info(hipStream_t stream, hipStreamCaptureStatus* status, unsigned long long* id) {
  return call([&](Simulator& simulator) {
    if (status == nullptr)
      return null_parameter("the capture status");
    const Outcome<std::shared_ptr<Stream>> found = stream_of(simulator, stream);
    if (!found)
      return found.error();
    // The capture stays valid: the caller has only asked.
    if ((*found)->kind() == StreamKind::null_stream && simulator.captures.endangers_capture(**found))
      return Error(ErrorCode::stream_capture_implicit,
                   "the null stream cannot be used while a blocking stream is captured");
    const CaptureState state = simulator.captures.state(**found);
    *status = static_cast<hipStreamCaptureStatus>(state.status);
    if (id != nullptr)
      *id = state.status == CaptureStatus::active ? state.id : 0;
    return Error();
  });
}

} // namespace

hipError_t hipStreamBeginCapture(hipStream_t stream, hipStreamCaptureMode mode) {
  return call([&](Simulator& simulator) {
    if (!is_mode(mode))
      return unknown_mode();
    const Outcome<std::shared_ptr<Stream>> found = stream_of(simulator, stream);
    if (!found)
      return found.error();
    if ((*found)->device().faulted())
      return (*found)->device().fault();
    return simulator.captures.begin(**found, static_cast<CaptureMode>(mode), capture_thread());
  });
}

hipError_t hipStreamEndCapture(hipStream_t stream, hipGraph_t* pGraph) {
  return call([&](Simulator& simulator) {
    if (pGraph == nullptr)
      return null_parameter("pGraph");
    *pGraph = nullptr;
    const Outcome<std::shared_ptr<Stream>> found = stream_of(simulator, stream);
    if (!found)
      return found.error();
    Outcome<std::shared_ptr<Graph>> graph = simulator.captures.end(**found, capture_thread());
    if (!graph)
      return std::move(graph).error();
    *pGraph = static_cast<hipGraph_t>(simulator.graphs.add(std::move(*graph)));
    return Error();
  });
}

hipError_t hipStreamIsCapturing(hipStream_t stream, hipStreamCaptureStatus* pCaptureStatus) {
  return capture_info(stream, pCaptureStatus, nullptr);
}

hipError_t hipStreamGetCaptureInfo(hipStream_t stream, hipStreamCaptureStatus* pCaptureStatus,
                                   unsigned long long* pId) {
  return capture_info(stream, pCaptureStatus, pId);
}

hipError_t hipThreadExchangeStreamCaptureMode(hipStreamCaptureMode* mode) {
  return call([&](Simulator&) {
    if (mode == nullptr)
      return null_parameter("mode");
    if (!is_mode(*mode))
      return unknown_mode();
    const CaptureMode former = thread_state().capture_mode;
    thread_state().capture_mode = static_cast<CaptureMode>(*mode);
    *mode = static_cast<hipStreamCaptureMode>(former);
    return Error();
  });
}
