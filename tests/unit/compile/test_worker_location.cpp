#include "compile/worker_location.h"

#include "base/subprocess.h"
#include "compile/captured_output.h"
#include "fixture.h"

using namespace hk;
using namespace hk::compile;

TEST_SUITE_BEGIN("worker_location");

namespace {

struct Answer {
  base::ExitStatus status;
  std::string text;
};

// Runs the program that prints where it finds a worker.
Answer run_finder(const std::string& program) {
  auto output = CapturedOutput::create();
  REQUIRE(output.has_value());
  base::SubprocessOptions options;
  options.program = program;
  options.environment = {"PATH=/usr/bin:/bin"};
  options.descriptors = {-1, output->write_end()};
  auto process = base::Subprocess::start(options);
  REQUIRE(process.has_value());
  const auto status = process->wait_until(base::Subprocess::Clock::now() + std::chrono::seconds(20));
  REQUIRE(status.has_value());
  return {*status, output->take()};
}

void make_program(const std::string& path) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::filesystem::copy_file(HK_STUB_WORKER, path);
}

} // namespace

TEST_CASE("In the build folder the built worker is found") {
  const auto worker = find_worker("");
  REQUIRE_MESSAGE(worker.has_value(), worker.error().message);
  CHECK(worker->ends_with("/hk-compile-worker"));
}

TEST_CASE("An installed program finds the worker that was installed with it") {
  const TestFolder folder;
  make_program(folder.path() + "/bin/find-worker");
  make_program(folder.path() + "/libexec/hk/hk-compile-worker");
  const Answer answer = run_finder(folder.path() + "/bin/find-worker");
  CHECK(answer.status.success());
  CHECK(std::filesystem::equivalent(answer.text.substr(0, answer.text.find('\n')),
                                    folder.path() + "/libexec/hk/hk-compile-worker"));
}

TEST_CASE("Outside the build folder the built worker is not tried, though it is there") {
  const TestFolder folder;
  make_program(folder.path() + "/bin/find-worker");
  const Answer answer = run_finder(folder.path() + "/bin/find-worker");
  CHECK_FALSE(answer.status.success());
  CHECK(contains(answer.text, folder.path() + "/bin/../libexec/hk/hk-compile-worker"));
  CHECK_FALSE(contains(answer.text, "/tools/hk-compile-worker/"));
  CHECK(contains(answer.text, "HK_COMPILE_WORKER"));
}

TEST_CASE("A configured worker is taken as it is, and nothing else if it is missing") {
  const TestFolder folder;
  make_program(folder.path() + "/mine");
  CHECK(find_worker(folder.path() + "/mine") == folder.path() + "/mine");
  CHECK(find_worker(folder.path() + "/other").error().code == StatusCode::no_compiler);
}

TEST_CASE("A compiler names its worker, or says where it looked") {
  const TestFolder folder;
  CompilerOptions options = options_in(folder);
  options.worker_program = stub_worker(folder, "empty-answer");
  CHECK(make_compiler(options)->worker().value() == options.worker_program);
  options.worker_program = folder.path() + "/missing";
  const auto missing = make_compiler(options)->worker();
  REQUIRE_FALSE(missing);
  CHECK(missing.error().code == StatusCode::no_compiler);
  CHECK(contains(missing.error().message, options.worker_program));
  options.in_process = true;
  CHECK(make_compiler(options)->worker().value().empty());
}

TEST_SUITE_END();
