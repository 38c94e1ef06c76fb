// Memory, streams and events of a context's device.

#include <cstddef>
#include <string>

#include "api/guard.h"
#include "hk/hk.h"

namespace {

hk::Status null_argument(const char* name) {
  return {hk::StatusCode::invalid_argument, std::string(name) + " is null"};
}

} // namespace

hk_status hk_memory_allocate(hk_context* context, size_t bytes, void** pointer) HK_NOEXCEPT {
  return hk::api::guard(context, [&](hk_context& opened) -> hk::Status {
    if (pointer == nullptr)
      return null_argument("pointer");
    if (bytes == 0) {
      *pointer = nullptr;
      return {};
    }
    HK_ASSIGN_OR_RETURN(*pointer, opened.driver->allocate(bytes));
    return {};
  });
}

hk_status hk_memory_free(hk_context* context, void* pointer) HK_NOEXCEPT {
  return hk::api::guard(context, [&](hk_context& opened) -> hk::Status {
    return pointer == nullptr ? hk::Status() : opened.driver->free(pointer);
  });
}

hk_status hk_memory_copy(hk_context* context, void* destination, const void* source, size_t bytes,
                         void* stream) HK_NOEXCEPT {
  return hk::api::guard(context, [&](hk_context& opened) -> hk::Status {
    if (bytes == 0)
      return {};
    if (destination == nullptr)
      return null_argument("destination");
    if (source == nullptr)
      return null_argument("source");
    return opened.driver->copy(destination, source, bytes, stream);
  });
}

hk_status hk_stream_create(hk_context* context, void** stream) HK_NOEXCEPT {
  return hk::api::guard(context, [&](hk_context& opened) -> hk::Status {
    if (stream == nullptr)
      return null_argument("stream");
    HK_ASSIGN_OR_RETURN(*stream, opened.driver->create_stream());
    return {};
  });
}

hk_status hk_stream_destroy(hk_context* context, void* stream) HK_NOEXCEPT {
  return hk::api::guard(context, [&](hk_context& opened) -> hk::Status {
    return stream == nullptr ? hk::Status() : opened.driver->destroy_stream(stream);
  });
}

hk_status hk_stream_synchronize(hk_context* context, void* stream) HK_NOEXCEPT {
  return hk::api::guard(context, [&](hk_context& opened) -> hk::Status { return opened.driver->synchronize(stream); });
}

hk_status hk_event_create(hk_context* context, void** event) HK_NOEXCEPT {
  return hk::api::guard(context, [&](hk_context& opened) -> hk::Status {
    if (event == nullptr)
      return null_argument("event");
    HK_ASSIGN_OR_RETURN(*event, opened.driver->create_event());
    return {};
  });
}

hk_status hk_event_destroy(hk_context* context, void* event) HK_NOEXCEPT {
  return hk::api::guard(context, [&](hk_context& opened) -> hk::Status {
    return event == nullptr ? hk::Status() : opened.driver->destroy_event(event);
  });
}

hk_status hk_event_record(hk_context* context, void* event, void* stream) HK_NOEXCEPT {
  return hk::api::guard(context, [&](hk_context& opened) -> hk::Status {
    if (event == nullptr)
      return null_argument("event");
    return opened.driver->record(event, stream);
  });
}

hk_status hk_event_elapsed(hk_context* context, void* start, void* stop, double* microseconds) HK_NOEXCEPT {
  return hk::api::guard(context, [&](hk_context& opened) -> hk::Status {
    if (start == nullptr)
      return null_argument("start");
    if (stop == nullptr)
      return null_argument("stop");
    if (microseconds == nullptr)
      return null_argument("microseconds");
    HK_ASSIGN_OR_RETURN(*microseconds, opened.driver->elapsed(start, stop));
    return {};
  });
}
