// Real compiles in real workers.

#include <algorithm>
#include <thread>

#include "codeobj/inspect.h"
#include "compile/compile_options.h"
#include "compile/worker_pool.h"
#include "fixture.h"

using namespace hk;
using namespace hk::compile;

TEST_SUITE_BEGIN("compile");

TEST_CASE("A vector add compiles for both targets") {
  const TestFolder folder;
  const auto compiler = make_compiler(options_in(folder));
  for (const char* target : {"gfx942:sramecc+:xnack-", "gfx950:sramecc+:xnack-"}) {
    CAPTURE(std::string(target));
    const auto result = compiler->compile(vector_add_request(target));
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
    CHECK(result->compiler.hiprtc == compiler->tool_chain()->hiprtc);
  }
}

TEST_CASE("Equal requests give equal bytes in other processes and folders") {
  const TestFolder folders[2];
  base::Bytes objects[2];
  for (int i = 0; i < 2; ++i) {
    auto result = make_compiler(options_in(folders[i]))->compile(vector_add_request("gfx950:sramecc+:xnack-"));
    REQUIRE(result.has_value());
    objects[i] = std::move(result->code_object);
  }
  CHECK(objects[0] == objects[1]);
}

TEST_CASE("The environment of the program does not reach the compiler") {
  const TestFolder folder;
  const auto compile = [&folder] { return make_compiler(options_in(folder))->compile(vector_add_request()); };
  const auto plain = compile();
  REQUIRE(plain.has_value());
  ::setenv("HIPRTC_COMPILE_OPTIONS_APPEND", "-O0", 1);
  ::setenv("AMD_COMGR_DRIVER_OPTIONS_APPEND", "-g", 1);
  ::setenv("CCC_OVERRIDE_OPTIONS", "x-O3", 1);
  const auto changed = compile();
  ::unsetenv("HIPRTC_COMPILE_OPTIONS_APPEND");
  ::unsetenv("AMD_COMGR_DRIVER_OPTIONS_APPEND");
  ::unsetenv("CCC_OVERRIDE_OPTIONS");
  REQUIRE(changed.has_value());
  CHECK(changed->code_object == plain->code_object);
}

TEST_CASE("An error in the source names the line, and the worker goes on") {
  const TestFolder folder;
  const auto compiler = make_compiler(options_in(folder));
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
  CHECK(compiler->compile(vector_add_request()).has_value());
}

TEST_CASE("A kernel that the source does not define is refused") {
  const TestFolder folder;
  CompileRequest request = vector_add_request();
  request.symbol = "vector_subtract";
  const auto result = make_compiler(options_in(folder))->compile(request);
  REQUIRE_FALSE(result.has_value());
  CHECK(contains(result.error().message, "vector_subtract"));
}

TEST_CASE("Scratch is refused unless it is allowed") {
  const TestFolder folder;
  const auto compiler = make_compiler(options_in(folder));
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

TEST_CASE("Many threads compile at once, more than there are slots") {
  const TestFolder folder;
  CompilerOptions options = options_in(folder);
  options.max_workers = 2;
  const auto compiler = make_compiler(options);
  base::Bytes objects[5];
  std::vector<std::thread> threads;
  for (base::Bytes& object : objects)
    threads.emplace_back([&compiler, &object] {
      if (auto result = compiler->compile(vector_add_request()))
        object = std::move(result->code_object);
    });
  for (std::thread& thread : threads)
    thread.join();
  CHECK(folder.entries() == 2); // one folder for each worker, and no more workers than slots
  CHECK_FALSE(objects[0].empty());
  CHECK(std::all_of(std::begin(objects), std::end(objects), [&objects](const auto& o) { return o == objects[0]; }));
}

TEST_CASE("The in-process compiler gives the same bytes as a worker") {
  const TestFolder folder;
  CompilerOptions options = options_in(folder);
  const auto from_worker = make_compiler(options)->compile(vector_add_request());
  options.in_process = true;
  const auto compiler = make_compiler(options);
  const auto in_process = compiler->compile(vector_add_request());
  REQUIRE(from_worker.has_value());
  REQUIRE_MESSAGE(in_process.has_value(), in_process.error().message);
  CHECK(in_process->code_object == from_worker->code_object);
  ::setenv("HIPRTC_COMPILE_OPTIONS_APPEND", "-O0", 1);
  const auto refused = compiler->compile(vector_add_request());
  ::unsetenv("HIPRTC_COMPILE_OPTIONS_APPEND");
  REQUIRE_FALSE(refused.has_value());
  CHECK(contains(refused.error().message, "HIPRTC_COMPILE_OPTIONS_APPEND"));
}

TEST_SUITE_END();
