#pragma once
// The one way out of every exported function: turns a Status into hk_status, keeps its sentence, and stops whatever
// third-party code throws.

#include <exception>
#include <new>
#include <string>
#include <utility>

#include "api/context.h"
#include "api/last_error.h"
#include "base/status.h"
#include "hk/hk.h"

namespace hk::api {

inline hk_status finish(Status status) noexcept {
  if (status.ok())
    return HK_STATUS_SUCCESS;
  const auto code = static_cast<hk_status>(status.code);
  remember_error(std::move(status));
  return code;
}

// Runs body() -> Status.
template <typename Body>
hk_status guard(Body&& body) noexcept {
  try {
    return finish(std::forward<Body>(body)());
  } catch (const std::bad_alloc&) {
    remember_static_error("the host has no memory left for this call: free some, or raise the limit of the process");
    return HK_STATUS_OUT_OF_MEMORY;
  } catch (const std::exception& error) {
    try {
      return finish(
          {StatusCode::internal, std::string("unexpected exception: ") + error.what() + "; please report it"});
    } catch (...) {
      remember_static_error("an unexpected exception, and no memory left to say which; please report it");
      return HK_STATUS_INTERNAL;
    }
  } catch (...) {
    remember_static_error("an exception of unknown type came out of the library; please report it");
    return HK_STATUS_INTERNAL;
  }
}

// Runs body(Context&) -> Status after refusing a null context and a context of before a fork.
template <typename Body>
hk_status guard(hk_context* context, Body&& body) noexcept {
  return guard([&]() -> Status {
    HK_RETURN_IF_ERROR(check_context(context));
    return std::forward<Body>(body)(*context);
  });
}

} // namespace hk::api
