#include <memory>

#include "sim/hip_surface/call.h"

using namespace hk::sim;
using namespace hk::sim::surface;

namespace {

constexpr double k_milliseconds_per_nanosecond = 1e-6;
constexpr unsigned k_event_flags = hipEventBlockingSync | hipEventDisableTiming | hipEventInterprocess |
                                   hipEventReleaseToDevice | hipEventReleaseToSystem | hipEventDisableSystemFence;

Error record(Simulator& simulator, Event& event, Stream& stream) {
  if (&event.device() != &stream.device())
    return Error(ErrorCode::invalid_handle, "the event and the stream belong to different devices");
  const Outcome<bool> captured = simulator.captures.record_event(stream, event);
  if (!captured)
    return captured.error();
  if (*captured)
    return {};
  Outcome<CompletionPointer> marker = stream.device().submit(stream, Marker{});
  if (!marker)
    return marker.error();
  event.set_record(std::move(*marker));
  return {};
}

Error elapsed(Simulator& simulator, float& milliseconds, Event& start, Event& stop) {
  for (const Event* event : {&start, &stop}) {
    if (Error refused = simulator.captures.check_event_wait(*event); !refused.ok())
      return refused;
    if (!event->timed() || event->record() == nullptr)
      return Error(ErrorCode::invalid_handle,
                   event->timed() ? "an event was never recorded" : "an event was made with hipEventDisableTiming");
  }
  if (&start.device() != &stop.device())
    return Error(ErrorCode::invalid_handle, "the events belong to different devices");
  const CompletionPointer begin = start.record();
  const CompletionPointer end = stop.record();
  if (!begin->done() || !end->done())
    return Error(ErrorCode::not_ready, "an event has not been reached");
  const double nanoseconds = (end->modelled_end() - begin->modelled_end()) * simulator.event_noise.next_factor();
  milliseconds = static_cast<float>(nanoseconds * k_milliseconds_per_nanosecond);
  return start.device().fault();
}

hipError_t create(hipEvent_t* event, unsigned flags) {
  return call([&](Simulator& simulator) {
    if (event == nullptr)
      return null_parameter("event");
    if ((flags & ~k_event_flags) != 0)
      return Error(ErrorCode::invalid_value, "unknown event flags");
    if ((flags & hipEventInterprocess) != 0)
      return Error(ErrorCode::not_supported, "events of the simulator cannot be shared between processes");
    const Outcome<Device*> device = usable_device(simulator);
    if (!device)
      return device.error();
    const bool timed = (flags & hipEventDisableTiming) == 0;
    *event = static_cast<hipEvent_t>(simulator.events.add(std::make_shared<Event>(**device, timed)));
    return Error();
  });
}

} // namespace

hipError_t hipEventCreate(hipEvent_t* event) {
  return create(event, hipEventDefault);
}

hipError_t hipEventCreateWithFlags(hipEvent_t* event, unsigned flags) {
  return create(event, flags);
}

hipError_t hipEventDestroy(hipEvent_t event) {
  return call([&](Simulator& simulator) {
    if (simulator.events.remove(event) == nullptr)
      return Error(ErrorCode::invalid_handle, "the event is none that is alive");
    return Error();
  });
}

hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream) {
  return call([&](Simulator& simulator) {
    const Outcome<std::shared_ptr<Event>> found = event_of(simulator, event);
    if (!found)
      return found.error();
    const Outcome<std::shared_ptr<Stream>> on = stream_of(simulator, stream);
    return on ? record(simulator, **found, **on) : on.error();
  });
}

hipError_t hipEventSynchronize(hipEvent_t event) {
  return call([&](Simulator& simulator) {
    const Outcome<std::shared_ptr<Event>> found = event_of(simulator, event);
    if (!found)
      return found.error();
    if (Error refused = check_may_wait(); !refused.ok())
      return refused;
    if (Error refused = simulator.captures.check_event_wait(**found); !refused.ok())
      return refused;
    return (*found)->device().wait((*found)->record());
  });
}

hipError_t hipEventQuery(hipEvent_t event) {
  return call([&](Simulator& simulator) {
    const Outcome<std::shared_ptr<Event>> found = event_of(simulator, event);
    if (!found)
      return found.error();
    if (Error refused = simulator.captures.check_event_wait(**found); !refused.ok())
      return refused;
    const CompletionPointer record = (*found)->record();
    if (record != nullptr && !record->done())
      return Error(ErrorCode::not_ready, "the event has not been reached");
    return (*found)->device().wait(record);
  });
}

hipError_t hipEventElapsedTime(float* ms, hipEvent_t start, hipEvent_t stop) {
  return call([&](Simulator& simulator) {
    if (ms == nullptr)
      return null_parameter("ms");
    const Outcome<std::shared_ptr<Event>> first = event_of(simulator, start);
    if (!first)
      return first.error();
    const Outcome<std::shared_ptr<Event>> second = event_of(simulator, stop);
    return second ? elapsed(simulator, *ms, **first, **second) : second.error();
  });
}
