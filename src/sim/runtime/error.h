#pragma once
// How a call on the simulated runtime fails: HIP's error number and a sentence that says why.

#include <string>
#include <utility>

#include <tl/expected.hpp>

#include "base/status.h"

namespace hk::sim {

// The numbers are those of hipError_t; hip_surface/error.cpp compares each at compile time.
enum class ErrorCode : int {
  success = 0,
  invalid_value = 1,
  out_of_memory = 2,
  not_initialized = 3,
  deinitialized = 4,
  invalid_configuration = 9,
  invalid_memcpy_direction = 21,
  invalid_device_function = 98,
  no_device = 100,
  invalid_device = 101,
  invalid_image = 200,
  no_binary_for_gpu = 209,
  file_not_found = 301,
  invalid_handle = 400,
  illegal_state = 401,
  not_found = 500,
  not_ready = 600,
  illegal_address = 700,
  peer_access_already_enabled = 704,
  peer_access_not_enabled = 705,
  host_memory_already_registered = 712,
  host_memory_not_registered = 713,
  launch_failure = 719,
  not_supported = 801,
  stream_capture_unsupported = 900,
  stream_capture_invalidated = 901,
  stream_capture_merge = 902,
  stream_capture_unmatched = 903,
  stream_capture_unjoined = 904,
  stream_capture_isolation = 905,
  stream_capture_implicit = 906,
  captured_event = 907,
  stream_capture_wrong_thread = 908,
};

struct [[nodiscard]] Error {
  ErrorCode code = ErrorCode::success;
  std::string message; // empty on success

  Error() = default;
  Error(ErrorCode error_code, std::string sentence) : code(error_code), message(std::move(sentence)) {}

  [[nodiscard]] bool ok() const noexcept { return code == ErrorCode::success; }
};

template <typename T>
using Outcome = tl::expected<T, Error>;

inline tl::unexpected<Error> error(ErrorCode code, std::string message) {
  return tl::unexpected<Error>(Error(code, std::move(message)));
}
inline tl::unexpected<Error> error(Error value) {
  return tl::unexpected<Error>(std::move(value));
}

// An error of the layers below, under the number that HIP gives it here; success stays success.
inline Error error_from(Status status, ErrorCode code) {
  if (status.ok())
    return {};
  return Error(status.code == StatusCode::out_of_memory ? ErrorCode::out_of_memory : code, std::move(status.message));
}

} // namespace hk::sim
