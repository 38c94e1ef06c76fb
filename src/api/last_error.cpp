#include "api/last_error.h"

#include <utility>

namespace hk::api {
namespace {

thread_local Status failed_call;

} // namespace

void remember_error(Status status) noexcept {
  failed_call = std::move(status);
}

const char* last_error_message() noexcept {
  return failed_call.message.c_str();
}

const char* last_error_detail() noexcept {
  return failed_call.detail.c_str();
}

} // namespace hk::api
