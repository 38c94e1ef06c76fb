#include "api/last_error.h"

#include <utility>

namespace hk::api {
namespace {

thread_local Status failed_call;
thread_local const char* static_sentence = nullptr; // stands before failed_call's message

} // namespace

void remember_error(Status status) noexcept {
  static_sentence = nullptr;
  failed_call = std::move(status);
}

void remember_static_error(const char* sentence) noexcept {
  failed_call = Status();
  static_sentence = sentence;
}

const char* last_error_message() noexcept {
  return static_sentence != nullptr ? static_sentence : failed_call.message.c_str();
}

const char* last_error_detail() noexcept {
  return failed_call.detail.c_str();
}

} // namespace hk::api
