#include <doctest/doctest.h>

#include <new>
#include <stdexcept>
#include <string>
#include <thread>

#include "api/guard.h"

TEST_SUITE_BEGIN("api");

using hk::Status;
using hk::StatusCode;
using hk::api::guard;

TEST_CASE("api.guard: exceptions become statuses") {
  static_cast<void>(guard([]() -> Status { return {StatusCode::unsupported, "earlier", "earlier detail"}; }));
  CHECK(guard([]() -> Status { throw std::bad_alloc(); }) == HK_STATUS_OUT_OF_MEMORY);
  CHECK(std::string(hk_last_error_message()).find("no memory left") != std::string::npos);
  CHECK(std::string(hk_last_error_detail()).empty());
  CHECK(guard([]() -> Status { throw std::runtime_error("third party"); }) == HK_STATUS_INTERNAL);
  CHECK(std::string(hk_last_error_message()).find("third party") != std::string::npos);
  CHECK(guard([]() -> Status { throw 7; }) == HK_STATUS_INTERNAL);
  CHECK(std::string(hk_last_error_message()).find("unknown type") != std::string::npos);
  CHECK(guard([]() -> Status { return {StatusCode::unsupported, "later"}; }) == HK_STATUS_UNSUPPORTED);
  CHECK(std::string(hk_last_error_message()) == "later");
}

TEST_CASE("api.guard: the sentence belongs to the thread and survives a success") {
  CHECK(guard([]() -> Status { return {StatusCode::unsupported, "first sentence", "first detail"}; }) ==
        HK_STATUS_UNSUPPORTED);
  CHECK(guard([]() -> Status { return {}; }) == HK_STATUS_SUCCESS);
  std::string other_before;
  std::thread other([&] {
    other_before = hk_last_error_message();
    static_cast<void>(guard([]() -> Status { return {StatusCode::internal, "other sentence"}; }));
  });
  other.join();
  CHECK(other_before.empty());
  CHECK(std::string(hk_last_error_message()) == "first sentence");
  CHECK(std::string(hk_last_error_detail()) == "first detail");
}

TEST_CASE("api.guard: a failure without a detail clears the earlier detail") {
  static_cast<void>(guard([]() -> Status { return {StatusCode::compile_failed, "a", "log"}; }));
  static_cast<void>(guard([]() -> Status { return {StatusCode::unsupported, "b"}; }));
  CHECK(std::string(hk_last_error_detail()).empty());
}

TEST_SUITE_END();
