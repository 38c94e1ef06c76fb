// NVRTC through the same interface as hipRTC. Where there is no libnvrtc, or hk was built without its header, these say
// so and check nothing.

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

#include "codeobj/check_kernel.h"
#include "fixture.h"

using namespace hk;
using namespace hk::compile;

namespace {

CompilerOptions nvrtc_options(const TestFolder& folder) {
  CompilerOptions options = options_in(folder);
  options.platform = codeobj::Platform::nvidia;
  if (const char* library = std::getenv("HK_NVRTC_LIBRARY"))
    options.nvrtc_library = library;
  return options;
}

// False, with the reason in the output, where nothing can be compiled.
bool nvrtc_is_there(const Compiler& compiler) {
  if (!HK_WITH_CUDA)
    MESSAGE("SKIP: hk was built without CUDA's headers");
  else if (!compiler.tool_chain())
    MESSAGE("SKIP: ", compiler.tool_chain().error().message);
  return HK_WITH_CUDA != 0 && compiler.tool_chain().has_value();
}

CompileRequest request_for(const std::string& target) {
  CompileRequest request = vector_add_request(target);
  request.program_name = "vector_add.cu";
  return request;
}

} // namespace

TEST_SUITE_BEGIN("nvrtc");

TEST_CASE("nvrtc: every listed processor gets a cubin of its own, the same in every process") {
  const TestFolder folder;
  const auto compiler = make_compiler(nvrtc_options(folder));
  if (!nvrtc_is_there(*compiler))
    return;
  CHECK(compiler->tool_chain()->library.soname.starts_with("libnvrtc.so."));
  CHECK(compiler->tool_chain()->support.soname.starts_with("libnvrtc-builtins.so."));
  CHECK_FALSE(compiler->tool_chain()->library.build_id.empty());
  for (const char* target : {"sm_80", "sm_86", "sm_89", "sm_90"}) {
    CAPTURE(target);
    const auto result = compiler->compile(request_for(target));
    REQUIRE_MESSAGE(result, result.error().message, result.error().detail);
    CHECK(codeobj::check_kernel(result->code_object, *codeobj::parse_target_id(target), "vector_add"));
    CHECK(result->compiler.library == compiler->tool_chain()->library);
    const auto again = make_compiler(nvrtc_options(folder))->compile(request_for(target));
    REQUIRE(again);
    CHECK(result->code_object == again->code_object);
  }
}

TEST_CASE("nvrtc: an error has the compiler's log, and the worker lives on") {
  const TestFolder folder;
  const auto compiler = make_compiler(nvrtc_options(folder));
  if (!nvrtc_is_there(*compiler))
    return;
  CompileRequest request = request_for("sm_90");
  request.source += "this is no C++;\n";
  const auto failed = compiler->compile(request);
  REQUIRE_FALSE(failed);
  CHECK(failed.error().code == StatusCode::compile_failed);
  CHECK(failed.error().message.find("error:") != std::string::npos);
  CHECK(failed.error().detail.find("vector_add.cu") != std::string::npos);
  CHECK(compiler->compile(request_for("sm_90")));
}

TEST_CASE("nvrtc: local memory is refused unless it is allowed") {
  const TestFolder folder;
  const auto compiler = make_compiler(nvrtc_options(folder));
  if (!nvrtc_is_there(*compiler))
    return;
  CompileRequest request = request_for("sm_90");
  request.source =
      "extern \"C\" __global__ void vector_add(float* p, int n) { float a[200]; for (int i = 0; i < n; ++i) "
      "a[i] = p[i]; for (int i = 0; i < n; ++i) p[i] = a[p[i] > 1 ? i : n - i]; }\n";
  const auto refused = compiler->compile(request);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == StatusCode::compile_failed);
  CHECK(refused.error().message.find("local memory") != std::string::npos);
  request.scratch_allowed = true;
  CHECK(compiler->compile(request));
}

TEST_CASE("nvrtc: pinned options cannot be overridden, and no processor gets through that is not listed") {
  const TestFolder folder;
  const auto compiler = make_compiler(nvrtc_options(folder));
  for (const char* option : {"--gpu-architecture=sm_70", "-arch=sm_70", "-std=c++17", "-default-device"}) {
    CompileRequest request = request_for("sm_90");
    request.options = {option};
    CHECK(compiler->compile(request).error().code == StatusCode::invalid_argument);
  }
  CHECK(compiler->compile(request_for("sm_75")).error().code == StatusCode::unsupported);
}

TEST_CASE("nvrtc: what is not NVRTC is refused before it is loaded") {
  const TestFolder folder;
  CompilerOptions options = nvrtc_options(folder);
  options.nvrtc_library = "/etc/passwd";
  const auto compiler = make_compiler(options);
  REQUIRE_FALSE(compiler->tool_chain());
  CHECK(compiler->tool_chain().error().code == StatusCode::no_compiler);
  CHECK(compiler->tool_chain().error().message.find("HK_NVRTC_LIBRARY") != std::string::npos);
}

TEST_SUITE_END();
