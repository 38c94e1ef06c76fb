// Compilers that are missing, of another build, hang, die or refuse.

#include "surroundings.h"

#include <filesystem>

using namespace hk;
using namespace hk::test;

namespace {

// A worker of tests/unit/compile/stub_worker.cpp, whose name says what it does.
class Stub {
 public:
  explicit Stub(const std::string& behaviour) : m_path(m_scratch / behaviour) {
    std::filesystem::create_symlink(HK_STUB_WORKER, m_path);
  }
  [[nodiscard]] const std::string& path() const { return m_path; }

 private:
  ScratchFolder m_scratch{"/tmp"};
  std::string m_path;
};

std::size_t entries_of(const ScratchFolder& folder) {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder.path()))
    ++count;
  return count;
}

// A call with this worker gives this status; when the context has gone, nothing lies in TMPDIR.
void expect_with_worker(const std::string& worker, hk_status status, std::initializer_list<std::string> words) {
  const Census census;
  const ScratchFolder temporary("/tmp");
  const Environment variable("TMPDIR", temporary.path());
  {
    const Context context = open_in({.worker = worker});
    SmallCall call(context);
    call.expect(status, words);
    CHECK(context.statistics().failures == 1);
  }
  CHECK(entries_of(temporary) == 0);
}

} // namespace

TEST_SUITE_BEGIN("compilers");

TEST_CASE("compilers: no hipRTC") {
  const Census census;
  const Environment variable("HK_HIPRTC_LIBRARY", "/nonexistent/libhiprtc.so.6");
  const Context context = open_in({});
  SmallCall call(context);
  call.expect(HK_STATUS_NO_COMPILER, {"/nonexistent/libhiprtc.so.6", "HK_HIPRTC_LIBRARY"});
  call.expect(HK_STATUS_NO_COMPILER, {"/nonexistent/libhiprtc.so.6"}); // the second time too
}

TEST_CASE("compilers: no worker program, or a file that is none") {
  expect_with_worker("/nonexistent/hk-compile-worker", HK_STATUS_NO_COMPILER,
                     {"/nonexistent/hk-compile-worker", "HK_COMPILE_WORKER"});
  expect_with_worker("/etc/hostname", HK_STATUS_NO_COMPILER, {"/etc/hostname", "HK_COMPILE_WORKER"});
}

TEST_CASE("compilers: HK_COMPILE_WORKER counts as the option does") {
  const Census census;
  const Environment variable("HK_COMPILE_WORKER", "/nonexistent/worker");
  const Context context = open_in({});
  SmallCall(context).expect(HK_STATUS_NO_COMPILER, {"/nonexistent/worker"});
}

TEST_CASE("compilers: a worker of another build") {
  const Stub stub("other-build");
  expect_with_worker(stub.path(), HK_STATUS_NO_COMPILER, {stub.path(), "another build", "reinstall"});
}

TEST_CASE("compilers: a program that is no worker: one that ends, one that writes without end") {
  expect_with_worker("/bin/true", HK_STATUS_COMPILER_CRASHED, {"/bin/true", "exit code 0"});
  const Environment limit("HK_COMPILE_TIMEOUT_MS", "500");
  expect_with_worker("/usr/bin/yes", HK_STATUS_COMPILE_TIMEOUT, {"/usr/bin/yes"});
}

TEST_CASE("compilers: a worker that hangs, before or after it is asked") {
  const Environment limit("HK_COMPILE_TIMEOUT_MS", "300");
  for (const char* behaviour : {"hang-at-start", "hang"}) {
    CAPTURE(std::string(behaviour));
    const Stub stub(behaviour);
    const auto start = std::chrono::steady_clock::now();
    expect_with_worker(stub.path(), HK_STATUS_COMPILE_TIMEOUT, {"HK_COMPILE_TIMEOUT_MS"});
    CHECK(std::chrono::steady_clock::now() - start >= std::chrono::milliseconds(300));
  }
}

TEST_CASE("compilers: a worker that crashes, exits or answers nonsense") {
  for (const auto& [behaviour, word] : {std::pair{"abort", "signal 6"},
                                        {"exit-1", "exit code 1"},
                                        {"exit-at-start", "exit code 5"},
                                        {"garbage", "damaged"},
                                        {"flipped-bit", "damaged"},
                                        {"retire", "exit code 0"}}) {
    CAPTURE(std::string(behaviour));
    const Stub stub(behaviour);
    expect_with_worker(stub.path(), HK_STATUS_COMPILER_CRASHED, {word});
  }
}

TEST_CASE("compilers: a crash leaves the worker's last words in the detail") {
  const Stub stub("abort");
  const Context context = open_in({.worker = stub.path()});
  SmallCall(context).expect(HK_STATUS_COMPILER_CRASHED, {"attention_forward"});
  CHECK(std::string(hk_last_error_detail()).find("free(): invalid pointer") != std::string::npos);
}

TEST_CASE("compilers: a kernel that does not compile") {
  expect_with_worker(HK_FAULT_WORKER, HK_STATUS_COMPILE_FAILED, {"kernel.hip", "detail"});
  CHECK(std::string(hk_last_error_detail()).find("undeclared identifier 'tile'") != std::string::npos);
}

TEST_CASE("compilers: a real compile that takes longer than it may, and the next with more time") {
  const Census census;
  const ScratchFolder temporary("/tmp");
  const Environment variable("TMPDIR", temporary.path());
  {
    const Environment limit("HK_COMPILE_TIMEOUT_MS", "1");
    const Context context = open_in({});
    SmallCall(context).expect(HK_STATUS_COMPILE_TIMEOUT, {"HK_COMPILE_TIMEOUT_MS"});
    CHECK(compile::children().empty());
    CHECK(entries_of(temporary) == 0);
  }
  const Context context = open_in({});
  SmallCall(context).expect_right();
}

TEST_CASE("compilers: a TMPDIR that is not there, or takes no file") {
  for (const char* folder : {"/nonexistent/tmp", "/proc"}) {
    const Census census;
    const Environment variable("TMPDIR", folder);
    const Context context = open_in({});
    SmallCall(context).expect(HK_STATUS_COMPILE_FAILED, {folder, "set TMPDIR to another folder"});
  }
}

TEST_SUITE_END();
