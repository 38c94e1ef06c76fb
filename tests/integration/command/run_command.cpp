#include "run_command.h"

#include <fcntl.h>

#include <chrono>

#include <doctest/doctest.h>

#include "base/files.h"
#include "base/scratch_folder.h"
#include "base/subprocess.h"

namespace hk::test {
namespace {

constexpr auto k_limit = std::chrono::seconds(120);

} // namespace

std::string CommandResult::last_line() const {
  std::string text = output;
  while (!text.empty() && text.back() == '\n')
    text.pop_back();
  return text.substr(text.rfind('\n') + 1); // npos + 1 is 0
}

CommandResult run_hk(const std::vector<std::string>& arguments, const std::string& cache,
                     const std::vector<std::string>& environment) {
  const ScratchFolder scratch;
  constexpr int k_flags = O_CREAT | O_WRONLY | O_TRUNC;
  const auto output = base::open_file(AT_FDCWD, scratch / "out", k_flags, 0600);
  const auto errors = base::open_file(AT_FDCWD, scratch / "err", k_flags, 0600);
  REQUIRE(output);
  REQUIRE(errors);
  base::SubprocessOptions options;
  options.program = HK_COMMAND;
  options.arguments = arguments;
  options.environment = {"PATH=/usr/bin:/bin", "HOME=" + scratch.path(), "HK_CACHE_DIR=" + cache};
  options.environment.insert(options.environment.end(), environment.begin(), environment.end());
  options.descriptors = {-1, output->get(), errors->get()};
  auto process = base::Subprocess::start(options);
  REQUIRE_MESSAGE(process, process.error().message);
  const auto status = process->wait_until(base::Subprocess::Clock::now() + k_limit);
  CommandResult result;
  if (status && status->kind == base::ExitStatus::Kind::exited)
    result.exit_code = status->number;
  result.output = read_text(scratch / "out");
  result.errors = read_text(scratch / "err");
  return result;
}

} // namespace hk::test
