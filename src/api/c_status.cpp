// Version, statuses, the last error and the log.

#include <cstdint>
#include <string>

#include "api/guard.h"
#include "api/last_error.h"
#include "base/log.h"
#include "hk/hk.h"

int32_t hk_version(void) HK_NOEXCEPT {
  return HK_VERSION_MAJOR * 10000 + HK_VERSION_MINOR * 100 + HK_VERSION_PATCH;
}

const char* hk_status_name(int32_t status) HK_NOEXCEPT {
  static constexpr const char* k_names[] = {
      "SUCCESS",
      "INVALID_ARGUMENT",
      "UNSUPPORTED",
      "UNSUPPORTED_VERSION",
      "NO_DEVICE",
      "NO_RUNTIME",
      "NO_COMPILER",
      "COMPILE_FAILED",
      "COMPILE_TIMEOUT",
      "COMPILER_CRASHED",
      "LOAD_FAILED",
      "LAUNCH_FAILED",
      "WORKSPACE_TOO_SMALL",
      "NOT_PREPARED",
      "NOT_CACHED",
      "OUT_OF_MEMORY",
      "FORKED",
      "INTERNAL",
  };
  constexpr std::int32_t k_count = sizeof(k_names) / sizeof(k_names[0]);
  static_assert(k_count == HK_STATUS_INTERNAL + 1);
  return status >= 0 && status < k_count ? k_names[status] : "UNKNOWN";
}

const char* hk_last_error_message(void) HK_NOEXCEPT {
  return hk::api::last_error_message();
}

const char* hk_last_error_detail(void) HK_NOEXCEPT {
  return hk::api::last_error_detail();
}

hk_status hk_set_log_callback(int32_t level, hk_log_callback callback, void* user_data) HK_NOEXCEPT {
  return hk::api::guard([&]() -> hk::Status {
    if (level < HK_LOG_LEVEL_OFF || level > HK_LOG_LEVEL_DEBUG)
      return {hk::StatusCode::invalid_argument,
              "level is " + std::to_string(level) + ": use a value of hk_log_level (0 to 4)"};
    hk::base::set_log_callback(static_cast<hk::base::LogLevel>(level), callback, user_data);
    return {};
  });
}
