#include <algorithm>
#include <utility>

#include "sim/hip_surface/call.h"

using namespace hk::sim;
using namespace hk::sim::surface;

namespace {

hipError_t create(hipStream_t* stream, unsigned flags, int priority) {
  return call([&](Simulator& simulator) {
    if (stream == nullptr)
      return null_parameter("stream");
    if (flags != hipStreamDefault && flags != hipStreamNonBlocking)
      return Error(ErrorCode::invalid_value, "stream flags are hipStreamDefault or hipStreamNonBlocking");
    const Outcome<Device*> device = usable_device(simulator);
    if (!device)
      return device.error();
    const StreamKind kind = flags == hipStreamNonBlocking ? StreamKind::non_blocking : StreamKind::blocking;
    std::shared_ptr<Stream> made = simulator.make_stream(**device, kind, std::clamp(priority, -1, 1));
    *stream = static_cast<hipStream_t>(simulator.streams.add(std::move(made)));
    return Error();
  });
}

// Runs body(stream) -> Error.
template <typename Body>
hipError_t with_stream(hipStream_t handle, Body&& body) {
  return call([&](Simulator& simulator) {
    const Outcome<std::shared_ptr<Stream>> stream = stream_of(simulator, handle);
    return stream ? body(simulator, **stream) : stream.error();
  });
}

Error enqueue_host_call(Simulator& simulator, Stream& stream, std::function<void()> function) {
  const Outcome<CompletionPointer> queued = simulator.enqueue(stream, HostCall{std::move(function)});
  return queued ? Error() : queued.error();
}

} // namespace

hipError_t hipStreamCreate(hipStream_t* stream) {
  return create(stream, hipStreamDefault, 0);
}

hipError_t hipStreamCreateWithFlags(hipStream_t* stream, unsigned int flags) {
  return create(stream, flags, 0);
}

hipError_t hipStreamCreateWithPriority(hipStream_t* stream, unsigned int flags, int priority) {
  return create(stream, flags, priority);
}

hipError_t hipStreamDestroy(hipStream_t stream) {
  return call([&](Simulator& simulator) {
    if (Error refused = check_may_wait(); !refused.ok())
      return refused;
    const std::shared_ptr<Stream> removed = simulator.streams.remove(stream);
    if (removed == nullptr)
      return Error(ErrorCode::invalid_handle, "the stream is none that hipStreamCreate made, or was destroyed before");
    simulator.captures.forget(*removed);
    return Error(); // the last owner waits for what is queued
  });
}

hipError_t hipStreamSynchronize(hipStream_t stream) {
  return with_stream(stream, [&](Simulator& simulator, Stream& found) {
    if (Error refused = check_may_wait(); !refused.ok())
      return refused;
    if (Error refused = simulator.captures.check_stream_wait(found, capture_thread()); !refused.ok())
      return refused;
    const Outcome<CompletionPointer> end = simulator.enqueue(found, Marker{});
    return end ? found.device().wait(*end) : end.error();
  });
}

hipError_t hipStreamQuery(hipStream_t stream) {
  return with_stream(stream, [&](Simulator& simulator, Stream& found) {
    if (Error refused = simulator.captures.check_stream_wait(found, capture_thread()); !refused.ok())
      return refused;
    if (!found.device().idle(found))
      return Error(ErrorCode::not_ready, "the stream has work to do");
    return found.device().fault();
  });
}

hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned int flags) {
  return with_stream(stream, [&](Simulator& simulator, Stream& found) {
    if (flags != 0)
      return Error(ErrorCode::invalid_value, "hipStreamWaitEvent takes no flags in the simulator");
    const Outcome<std::shared_ptr<Event>> waited = event_of(simulator, event);
    if (!waited)
      return waited.error();
    const Outcome<bool> captured = simulator.captures.wait_event(found, **waited);
    if (!captured)
      return captured.error();
    const CompletionPointer record = (*waited)->record();
    if (*captured || record == nullptr)
      return Error();
    const Outcome<CompletionPointer> queued = found.device().submit(found, Marker{}, {record});
    return queued ? Error() : queued.error();
  });
}

hipError_t hipStreamGetFlags(hipStream_t stream, unsigned int* flags) {
  return with_stream(stream, [&](Simulator&, Stream& found) {
    if (flags == nullptr)
      return null_parameter("flags");
    *flags = found.kind() == StreamKind::non_blocking ? hipStreamNonBlocking : hipStreamDefault;
    return Error();
  });
}

hipError_t hipStreamGetPriority(hipStream_t stream, int* priority) {
  return with_stream(stream, [&](Simulator&, Stream& found) {
    if (priority == nullptr)
      return null_parameter("priority");
    *priority = found.priority();
    return Error();
  });
}

hipError_t hipStreamGetDevice(hipStream_t stream, hipDevice_t* device) {
  return with_stream(stream, [&](Simulator&, Stream& found) {
    if (device == nullptr)
      return null_parameter("device");
    *device = found.device().ordinal();
    return Error();
  });
}

hipError_t hipLaunchHostFunc(hipStream_t stream, hipHostFn_t fn, void* userData) {
  return with_stream(stream, [&](Simulator& simulator, Stream& found) {
    if (fn == nullptr)
      return null_parameter("fn");
    return enqueue_host_call(simulator, found, [fn, userData] { fn(userData); });
  });
}

hipError_t hipStreamAddCallback(hipStream_t stream, hipStreamCallback_t callback, void* userData, unsigned int flags) {
  return with_stream(stream, [&](Simulator& simulator, Stream& found) {
    if (callback == nullptr || flags != 0)
      return Error(ErrorCode::invalid_value, "callback must not be null and flags must be 0");
    if (simulator.captures.state(found).status != CaptureStatus::none)
      return simulator.captures.check_stream_wait(found, capture_thread());
    return enqueue_host_call(simulator, found,
                             [stream, callback, userData] { callback(stream, hipSuccess, userData); });
  });
}
