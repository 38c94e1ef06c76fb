#pragma once
// Status and Result: how every fallible function of the project reports failure.
//
// A Status carries the stable code that the C API returns, one sentence for the user (what happened, on which object,
// what to do) and an optional long detail (a compiler log, a device fault). Code of the project does not throw; what
// third-party code throws is stopped by the guard in src/api.

#include <cstdint>
#include <string>
#include <utility>

#include <tl/expected.hpp>

namespace hk {

// Numbers are frozen: they are the numbers of hk_status in include/hk/hk.h (a test compares them).
enum class StatusCode : std::int32_t {
  success = 0,
  invalid_argument = 1,
  unsupported = 2,
  unsupported_version = 3,
  no_device = 4,
  no_runtime = 5,
  no_compiler = 6,
  compile_failed = 7,
  compile_timeout = 8,
  compiler_crashed = 9,
  load_failed = 10,
  launch_failed = 11,
  workspace_too_small = 12,
  not_prepared = 13,
  not_cached = 14,
  out_of_memory = 15,
  forked = 16,
  internal = 17,
};

struct [[nodiscard]] Status {
  StatusCode code = StatusCode::success;
  std::string message;
  std::string detail;

  Status() = default;
  Status(StatusCode status_code, std::string sentence, std::string long_detail = {})
      : code(status_code), message(std::move(sentence)), detail(std::move(long_detail)) {}

  [[nodiscard]] bool ok() const noexcept { return code == StatusCode::success; }
};

template <typename T>
using Result = tl::expected<T, Status>;

// return fail(StatusCode::no_device, "...") from a function that returns Result<T>.
inline tl::unexpected<Status> fail(StatusCode code, std::string message, std::string detail = {}) {
  return tl::unexpected<Status>(Status(code, std::move(message), std::move(detail)));
}

inline tl::unexpected<Status> fail(Status status) {
  return tl::unexpected<Status>(std::move(status));
}

} // namespace hk

// Returns the failing Status of a Status expression from the enclosing function (Status or Result).
#define HK_RETURN_IF_ERROR(expression)                                                                                 \
  do {                                                                                                                 \
    if (::hk::Status hk_status_value = (expression); !hk_status_value.ok())                                            \
      return ::hk::fail_as(std::move(hk_status_value));                                                                \
  } while (false)

namespace hk {

// Converts to both Status and Result<T>, so that one macro serves both kinds of function.
struct FailAs {
  Status status;
  operator Status() && { return std::move(status); } // NOLINT: implicit by design
  template <typename T>
  operator Result<T>() && { // NOLINT: implicit by design
    return tl::unexpected<Status>(std::move(status));
  }
};

inline FailAs fail_as(Status status) {
  return FailAs{std::move(status)};
}

} // namespace hk

#define HK_CONCATENATE_INNER(a, b) a##b
#define HK_CONCATENATE(a, b) HK_CONCATENATE_INNER(a, b)
// HK_ASSIGN_OR_RETURN(auto file, open_file(path)); moves the value out or returns the failure.
#define HK_ASSIGN_OR_RETURN(declaration, expression)                                                                   \
  auto HK_CONCATENATE(hk_result_, __LINE__) = (expression);                                                            \
  if (!HK_CONCATENATE(hk_result_, __LINE__).has_value())                                                               \
    return ::hk::fail_as(std::move(HK_CONCATENATE(hk_result_, __LINE__).error()));                                     \
  declaration = std::move(*HK_CONCATENATE(hk_result_, __LINE__)) /* NOLINT: it may declare a variable */
