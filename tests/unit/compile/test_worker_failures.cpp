// Workers that hang, die, lie or are not there: a status and a sentence each time, and nothing left behind.

#include <chrono>
#include <thread>

#include <sys/wait.h>

#include "compile/address_space_limit.h"
#include "fixture.h"
#include "process_census.h"

using namespace hk;
using namespace hk::compile;

TEST_SUITE_BEGIN("worker_failures");

namespace {

// Compiles with a stub and checks that neither descriptors, processes nor folders stay behind.
Status fail_with_stub(const std::string& behaviour, std::chrono::milliseconds wall = std::chrono::seconds(20)) {
  const TestFolder stubs;
  const TestFolder temporary;
  const std::size_t descriptors = open_descriptors();
  Status status;
  {
    CompilerOptions options = options_in(temporary);
    options.worker_program = stub_worker(stubs, behaviour);
    const auto compiler = make_compiler(options);
    CompileRequest request = vector_add_request();
    request.limits.wall = wall;
    auto result = compiler->compile(request);
    REQUIRE_FALSE(result.has_value());
    status = std::move(result.error());
    CHECK(children().empty()); // a worker that failed is ended at once, not with the pool
  }
  CHECK(open_descriptors() == descriptors);
  CHECK(temporary.entries() == 0);
  CHECK_FALSE(status.message.empty());
  return status;
}

} // namespace

TEST_CASE("A worker that hangs is killed when the limit passes") {
  for (const char* behaviour : {"hang-at-start", "hang"}) {
    CAPTURE(std::string(behaviour));
    const auto start = std::chrono::steady_clock::now();
    const Status status = fail_with_stub(behaviour, std::chrono::milliseconds(150));
    const auto elapsed = std::chrono::steady_clock::now() - start;
    CHECK(status.code == StatusCode::compile_timeout);
    CHECK(contains(status.message, "HK_COMPILE_TIMEOUT_MS"));
    CHECK(elapsed >= std::chrono::milliseconds(150));
    CHECK(elapsed < std::chrono::seconds(5));
  }
}

TEST_CASE("A worker that dies on a request: signal or exit code, and its last words") {
  const Status aborted = fail_with_stub("abort");
  CHECK(aborted.code == StatusCode::compiler_crashed);
  CHECK(contains(aborted.message, "signal 6"));
  CHECK(contains(aborted.message, "vector_add.hip"));
  CHECK(contains(aborted.detail, "free(): invalid pointer"));
  const Status exited = fail_with_stub("exit-1");
  CHECK(exited.code == StatusCode::compiler_crashed);
  CHECK(contains(exited.message, "exit code 1"));
  CHECK(contains(exited.detail, "IO failure on output stream"));
}

TEST_CASE("A worker that dies before its hello") {
  const Status status = fail_with_stub("exit-at-start");
  CHECK(status.code == StatusCode::compiler_crashed);
  CHECK(contains(status.message, "exit code 5"));
  CHECK(contains(status.detail, "cannot start"));
}

TEST_CASE("A worker may write more than a pipe holds") {
  const Status status = fail_with_stub("talkative");
  CHECK(status.code == StatusCode::compiler_crashed);
  CHECK(contains(status.message, "exit code 3"));
  CHECK(contains(status.detail, "last words"));
  CHECK(status.detail.size() <= 64 << 10);
}

TEST_CASE("Garbage, cut and damaged frames") {
  for (const char* behaviour :
       {"garbage-at-start", "garbage", "flipped-bit", "wrong-kind", "huge-length", "short-frame"}) {
    CAPTURE(std::string(behaviour));
    CHECK(fail_with_stub(behaviour).code == StatusCode::compiler_crashed);
  }
}

TEST_CASE("An answer without libraries or code is not believed") {
  const Status status = fail_with_stub("empty-answer");
  CHECK(status.code == StatusCode::internal);
  CHECK(contains(status.message, "libLLVM") + contains(status.message, "comgr") > 0);
}

TEST_CASE("A worker of another build is refused, naming both builds") {
  const Status status = fail_with_stub("other-build");
  CHECK(status.code == StatusCode::no_compiler);
  CHECK(contains(status.message, "0.0.0-another"));
  CHECK(contains(status.message, "reinstall"));
}

TEST_CASE("A worker that cannot open hipRTC says so") {
  const Status status = fail_with_stub("no-hiprtc");
  CHECK(status.code == StatusCode::no_compiler);
  CHECK(status.message == "stub has no hipRTC");
}

TEST_CASE("A program that ends itself on every request is tried twice, not for ever") {
  CHECK(fail_with_stub("retire").code == StatusCode::compiler_crashed);
}

TEST_CASE("No worker program, or one that is no program") {
  const TestFolder folder;
  for (const std::string& program : {folder.path() + "/missing", folder.path(), std::string("/etc/hostname")}) {
    CompilerOptions options = options_in(folder);
    options.worker_program = program;
    const auto result = make_compiler(options)->compile(vector_add_request());
    REQUIRE_FALSE(result.has_value());
    CHECK(result.error().code == StatusCode::no_compiler);
    CHECK(contains(result.error().message, program));
    CHECK(contains(result.error().message, "HK_COMPILE_WORKER"));
  }
}

TEST_CASE("No hipRTC: the place that was asked for is named") {
  const TestFolder folder;
  CompilerOptions options = options_in(folder);
  options.hiprtc_library = folder.path() + "/libhiprtc.so.7";
  const auto compiler = make_compiler(options);
  REQUIRE_FALSE(compiler->tool_chain().has_value());
  const auto result = compiler->compile(vector_add_request());
  REQUIRE_FALSE(result.has_value());
  CHECK(result.error().code == StatusCode::no_compiler);
  CHECK(contains(result.error().message, options.hiprtc_library));
  CHECK(folder.entries() == 0); // no worker was started
}

TEST_CASE("Unknown targets and pinned options never reach a worker") {
  const TestFolder folder;
  const auto compiler = make_compiler(options_in(folder));
  CHECK(compiler->compile(vector_add_request("gfx9999")).error().code == StatusCode::unsupported);
  CHECK(compiler->compile(vector_add_request("gfx942:bogus+")).error().code == StatusCode::invalid_argument);
  CompileRequest request = vector_add_request();
  request.options = {"--offload-arch=gfx1100"};
  CHECK(compiler->compile(request).error().code == StatusCode::invalid_argument);
  CHECK(children().empty());
  CHECK(folder.entries() == 0);
}

TEST_CASE("A worker killed in the middle of a compile, and the next compile") {
  const TestFolder folder;
  const auto compiler = make_compiler(options_in(folder));
  Status status;
  std::thread compile([&] {
    auto result = compiler->compile(endless_request());
    if (!result)
      status = std::move(result.error());
  });
  // Past its start: comgr has made its own folder inside the worker's.
  const bool compiling = eventually([&folder] {
    for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
      if (!std::filesystem::is_empty(entry.path()))
        return true;
    return false;
  });
  const auto workers = children();
  for (const Child& worker : workers)
    ::kill(worker.pid, SIGKILL);
  compile.join();
  REQUIRE(compiling);
  CHECK(workers.size() == 1);
  CHECK(status.code == StatusCode::compiler_crashed);
  CHECK(contains(status.message, "signal 9"));
  CHECK(contains(status.message, "endless.hip"));
  CHECK(folder.entries() == 0); // what comgr had written is gone with the worker
  CHECK(compiler->compile(vector_add_request()).has_value());
}

TEST_CASE("A real compile that takes too long is ended") {
  const TestFolder folder;
  const auto compiler = make_compiler(options_in(folder));
  REQUIRE(compiler->compile(vector_add_request()).has_value());
  CompileRequest request = endless_request();
  request.limits.wall = std::chrono::milliseconds(300);
  const auto result = compiler->compile(request);
  REQUIRE_FALSE(result.has_value());
  CHECK(result.error().code == StatusCode::compile_timeout);
  CHECK(contains(result.error().message, "endless.hip"));
  CHECK(children().empty());
  CHECK(folder.entries() == 0);
}

TEST_CASE("A compile that needs more memory than it may have") {
  const TestFolder folder;
  CompileRequest request = vector_add_request();
  request.limits.address_space = std::uint64_t{64} << 20; // less than LLVM itself occupies
  const auto result = make_compiler(options_in(folder))->compile(request);
  CHECK(result.has_value() != k_limits_address_space);
  if (!result)
    CHECK((result.error().code == StatusCode::compiler_crashed || result.error().code == StatusCode::compile_failed));
  CHECK(children().empty());
  CHECK(folder.entries() == 0);
}

TEST_CASE("Nothing is left after compiles, idle workers included") {
  const TestFolder folder;
  const std::size_t descriptors = open_descriptors();
  {
    const auto compiler = make_compiler(options_in(folder));
    REQUIRE(compiler->compile(vector_add_request()).has_value());
    CHECK(children().size() == 1); // waits for the next request
    const pid_t worker = children()[0].pid;
    REQUIRE(compiler->compile(vector_add_request()).has_value());
    REQUIRE(children().size() == 1);
    CHECK(children()[0].pid == worker); // and took it
  }
  CHECK(children().empty());
  CHECK(open_descriptors() == descriptors);
  CHECK(folder.entries() == 0);
}

TEST_CASE("An idle worker ends itself, and the next request gets a new one") {
  const TestFolder folder;
  CompilerOptions options = options_in(folder);
  options.worker_idle_limit = std::chrono::milliseconds(1);
  const auto compiler = make_compiler(options);
  // Either the worker is found ended, or it ends while it is asked; both are unseen by the caller.
  for (int round = 0; round < 2; ++round) {
    const auto result = compiler->compile(vector_add_request());
    REQUIRE_MESSAGE(result.has_value(), result.error().message);
  }
  CHECK(eventually([] {
    const auto found = children();
    return found.empty() || found[0].state == 'Z';
  }));
}

TEST_CASE("A forked child does not use its parent's workers, and does not end them") {
  const TestFolder folder;
  auto compiler = make_compiler(options_in(folder));
  REQUIRE(compiler->compile(vector_add_request()).has_value());
  const pid_t child = ::fork();
  if (child == 0) {
    const auto result = compiler->compile(vector_add_request());
    const bool refused = !result && result.error().code == StatusCode::forked;
    compiler.reset();
    // The child may compile with a compiler of its own.
    const auto own = make_compiler(options_in(folder))->compile(vector_add_request());
    ::_exit(refused && own ? 0 : 1);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  CHECK(folder.entries() == 1); // the parent's worker still has its folder
  const auto workers = children();
  REQUIRE(workers.size() == 1);
  CHECK(compiler->compile(vector_add_request()).has_value());
  REQUIRE(children().size() == 1);
  CHECK(children()[0].pid == workers[0].pid);
}

TEST_CASE("A worker outlives neither its client's death nor its own folder") {
  const TestFolder folder;
  // The client is a process of its own that is killed in the middle of a compile.
  const pid_t client = ::fork();
  if (client == 0) {
    const auto compiler = make_compiler(options_in(folder));
    (void)compiler->compile(endless_request());
    ::_exit(0);
  }
  const bool compiling = eventually([&folder] {
    for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
      if (!std::filesystem::is_empty(entry.path()))
        return true;
    return false;
  });
  CHECK(compiling);
  ::kill(client, SIGKILL);
  REQUIRE(::waitpid(client, nullptr, 0) == client);
  CHECK(eventually([&folder] { return folder.entries() == 0; }));
}

TEST_SUITE_END();
