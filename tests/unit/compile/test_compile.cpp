// Real compiles in real workers.

#include <algorithm>
#include <array>
#include <thread>

#include "codeobj/inspect.h"
#include "compile/compile_options.h"
#include "compile/worker_pool.h"
#include "fixture.h"

using namespace hk;
using namespace hk::compile;

TEST_SUITE_BEGIN("compile");

namespace {

constexpr const char* k_targets[] = {"gfx942:sramecc+:xnack-", "gfx950:sramecc+:xnack-"};

// What an ordinary worker makes of the vector add: compiled once, since each worker takes 0.3 s.
const Result<CompileResult>& plain(int target) {
  static const std::array<Result<CompileResult>, 2> results = [] {
    const TestFolder folder;
    const auto compiler = make_compiler(options_in(folder));
    return std::array{compiler->compile(vector_add_request(k_targets[0])),
                      compiler->compile(vector_add_request(k_targets[1]))};
  }();
  return results[static_cast<std::size_t>(target)];
}

} // namespace

TEST_CASE("A vector add compiles for both targets") {
  for (int i = 0; i < 2; ++i) {
    const char* const target = k_targets[i];
    CAPTURE(std::string(target));
    const Result<CompileResult>& result = plain(i);
    REQUIRE_MESSAGE(result.has_value(), result.error().message, result.error().detail);
    const auto object = codeobj::parse_code_object(result->code_object);
    REQUIRE(object.has_value());
    CHECK(object->target.to_string() == target);
    CHECK(object->version == 5); // pinned; the compiler's own default is 6
    const codeobj::Kernel* kernel = object->find_kernel("vector_add");
    REQUIRE(kernel != nullptr);
    // Facts of the source: three pointers and an int, no LDS, no scratch, waves of 64.
    const codeobj::KernelMetadata& metadata = kernel->metadata;
    REQUIRE(metadata.arguments.size() > 4);
    CHECK(metadata.arguments[2].offset == 16);
    CHECK(metadata.arguments[2].kind == codeobj::ArgumentKind::global_buffer);
    CHECK(metadata.arguments[3].size == 4);
    CHECK(metadata.arguments[3].kind == codeobj::ArgumentKind::by_value);
    CHECK(metadata.arguments[4].is_hidden());
    CHECK(metadata.group_segment_fixed_size == 0);
    CHECK(metadata.private_segment_fixed_size == 0);
    CHECK(metadata.wavefront_size == 64);
    CHECK(kernel->descriptor.float_mode() == 0xf0); // rounds to nearest, keeps denormals: HIP's default
    CHECK(kernel->descriptor.enable_sgpr_kernarg_segment_ptr);
    CHECK(kernel->descriptor.vgpr_count >= metadata.vgpr_count);
    CHECK(kernel->descriptor.sgpr_count >= metadata.sgpr_count);
    CHECK(result->compile_ms > 0);
    CHECK(result->peak_rss_kib > 10000);
    const TestFolder folder;
    CHECK(result->compiler.library == make_compiler(options_in(folder))->tool_chain()->library);
  }
}

TEST_CASE("Equal requests give equal bytes in other processes and folders") {
  const TestFolder folder;
  const auto result = make_compiler(options_in(folder))->compile(vector_add_request(k_targets[1]));
  REQUIRE(result.has_value());
  REQUIRE(plain(1).has_value());
  CHECK(result->code_object == plain(1)->code_object);
}

TEST_CASE("The environment of the program does not reach the compiler") {
  const TestFolder folder;
  REQUIRE(plain(0).has_value()); // before the environment changes
  ::setenv("HIPRTC_COMPILE_OPTIONS_APPEND", "-O0", 1);
  ::setenv("AMD_COMGR_DRIVER_OPTIONS_APPEND", "-g", 1);
  ::setenv("CCC_OVERRIDE_OPTIONS", "x-O3", 1);
  const auto changed = make_compiler(options_in(folder))->compile(vector_add_request(k_targets[0]));
  ::unsetenv("HIPRTC_COMPILE_OPTIONS_APPEND");
  ::unsetenv("AMD_COMGR_DRIVER_OPTIONS_APPEND");
  ::unsetenv("CCC_OVERRIDE_OPTIONS");
  REQUIRE(changed.has_value());
  CHECK(changed->code_object == plain(0)->code_object);
}

TEST_CASE("What is refused of a source, and the worker goes on") {
  const TestFolder folder;
  const auto compiler = make_compiler(options_in(folder));
  SUBCASE("an error names the line; a kernel that the source does not define is named") {
    CompileRequest request = vector_add_request();
    request.source = "extern \"C\" __global__ void vector_add(float* a) {\n  a[0] = 1.0f\n}\n";
    const auto result = compiler->compile(request);
    REQUIRE_FALSE(result.has_value());
    CHECK(result.error().code == StatusCode::compile_failed);
    CHECK(contains(result.error().message, "vector_add.hip"));
    CHECK(contains(result.error().message, "gfx942:sramecc+:xnack-"));
    CHECK(contains(result.error().message, ":2:")); // the line
    CHECK(contains(result.error().detail, "expected ';'"));
    CHECK(contains(result.error().detail, "vector_add.hip"));
    request = vector_add_request();
    request.symbol = "vector_subtract";
    const auto other = compiler->compile(request);
    REQUIRE_FALSE(other.has_value());
    CHECK(contains(other.error().message, "vector_subtract"));
    CHECK(compiler->compile(vector_add_request()).has_value());
    CHECK(folder.entries() == 1); // all by one worker
  }
  SUBCASE("scratch, unless it is allowed") {
    CompileRequest request = vector_add_request();
    request.source = "extern \"C\" __global__ void vector_add(int* p) { volatile int spread[64]; spread[p[0]] = p[1]; "
                     "p[2] = spread[p[3]]; }\n";
    const auto refused = compiler->compile(request);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code == StatusCode::compile_failed);
    CHECK(contains(refused.error().message, "scratch"));
    request.scratch_allowed = true;
    const auto allowed = compiler->compile(request);
    REQUIRE(allowed.has_value());
    const auto object = codeobj::parse_code_object(allowed->code_object);
    REQUIRE(object.has_value());
    CHECK(codeobj::resources_of(object->kernels[0]).scratch_bytes >= 64 * 4);
  }
}

TEST_CASE("Many threads compile at once, more than there are slots") {
  const TestFolder folder;
  CompilerOptions options = options_in(folder);
  options.max_workers = 2;
  const auto compiler = make_compiler(options);
  base::Bytes objects[3];
  std::vector<std::thread> threads;
  for (base::Bytes& object : objects)
    threads.emplace_back([&compiler, &object] {
      if (auto result = compiler->compile(vector_add_request()))
        object = std::move(result->code_object);
    });
  for (std::thread& thread : threads)
    thread.join();
  CHECK(folder.entries() == 2); // one folder for each worker, and no more workers than slots
  REQUIRE(plain(0).has_value());
  CHECK(std::all_of(std::begin(objects), std::end(objects), [](const auto& o) { return o == plain(0)->code_object; }));
}

TEST_CASE("The in-process compiler gives the same bytes as a worker") {
  const TestFolder folder;
  CompilerOptions options = options_in(folder);
  options.in_process = true;
  const auto compiler = make_compiler(options);
  const auto in_process = compiler->compile(vector_add_request());
  REQUIRE(plain(0).has_value());
  REQUIRE_MESSAGE(in_process.has_value(), in_process.error().message);
  CHECK(in_process->code_object == plain(0)->code_object);
  ::setenv("HIPRTC_COMPILE_OPTIONS_APPEND", "-O0", 1);
  const auto refused = compiler->compile(vector_add_request());
  ::unsetenv("HIPRTC_COMPILE_OPTIONS_APPEND");
  REQUIRE_FALSE(refused.has_value());
  CHECK(contains(refused.error().message, "HIPRTC_COMPILE_OPTIONS_APPEND"));
}

TEST_SUITE_END();
