#include "compile/compile_options.h"

#include <algorithm>
#include <set>

#include "fixture.h"

using namespace hk;
using namespace hk::compile;

TEST_SUITE_BEGIN("compile_options");

namespace {

std::string cuid_of(const CompileRequest& request) {
  for (const std::string& option : all_options(request))
    if (option.starts_with("-cuid="))
      return option;
  return {};
}

} // namespace

TEST_CASE("Pinned options, the target and the request's own all reach the compiler") {
  CompileRequest request = vector_add_request();
  request.options = {"-DN=4"};
  const auto options = all_options(request);
  for (const char* wanted : {"-DN=4", "-std=c++20", "-O3", "-nostdinc", "-nostdinc++", "-mcode-object-version=5",
                             "--offload-arch=gfx942:sramecc+:xnack-"})
    CHECK(std::count(options.begin(), options.end(), wanted) == 1);
}

TEST_CASE("A good request passes") {
  CHECK(check_request(vector_add_request()).ok());
  CompileRequest request = vector_add_request("gfx950");
  request.options = {"-DA=1", "-ffast-math", "-Wno-unused"};
  CHECK(check_request(request).ok());
}

TEST_CASE("Options that hk sets itself are refused") {
  for (const char* option : {"-std=c++17", "--std=c++17", "-O0", "-mcode-object-version=4", "--offload-arch=gfx90a",
                             "--gpu-architecture=gfx90a", "-cuid=1", "-arch=gfx90a", ""}) {
    CAPTURE(std::string(option));
    CompileRequest request = vector_add_request();
    request.options = {option};
    const Status status = check_request(request);
    CHECK(status.code == StatusCode::invalid_argument);
    CHECK(contains(status.message, "vector_add.hip"));
  }
}

TEST_CASE("Incomplete requests and zero bytes are refused") {
  const auto refused = [](auto change) {
    CompileRequest request = vector_add_request();
    change(request);
    return check_request(request).code == StatusCode::invalid_argument;
  };
  CHECK(refused([](CompileRequest& request) { request.source.clear(); }));
  CHECK(refused([](CompileRequest& request) { request.program_name.clear(); }));
  CHECK(refused([](CompileRequest& request) { request.symbol.clear(); }));
  CHECK(refused([](CompileRequest& request) { request.source.push_back('\0'); }));
  CHECK(refused([](CompileRequest& request) { request.headers[0].text.push_back('\0'); }));
  CHECK(refused([](CompileRequest& request) { request.headers[0].name.clear(); }));
  CHECK(refused([](CompileRequest& request) { request.target_id = "gfx942:"; }));
}

TEST_CASE("The cuid depends on all of the content and on nothing else") {
  std::set<std::string> seen{cuid_of(vector_add_request())};
  CHECK(cuid_of(vector_add_request()) == *seen.begin());
  const auto differs = [&seen](auto change) {
    CompileRequest request = vector_add_request();
    change(request);
    return seen.insert(cuid_of(request)).second;
  };
  CHECK(differs([](CompileRequest& request) { request.source += " "; }));
  CHECK(differs([](CompileRequest& request) { request.program_name += "x"; }));
  CHECK(differs([](CompileRequest& request) { request.headers[0].text += " "; }));
  CHECK(differs([](CompileRequest& request) { request.headers[0].name += "x"; }));
  CHECK(differs([](CompileRequest& request) { request.options = {"-DA"}; }));
  CHECK(differs([](CompileRequest& request) { request.options = {"-DA", "-DB"}; }));
  CHECK(differs([](CompileRequest& request) { request.options = {"-DA-DB"}; }));
  CHECK(differs([](CompileRequest& request) { request.target_id = "gfx950"; }));
}

TEST_SUITE_END();
