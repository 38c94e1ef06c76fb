// TMPDIR on a full file system. hipRTC alone would end the whole program (LLVM calls exit).

#include <cstring>

#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>

#include "compile/private_folder.h"
#include "fixture.h"

using namespace hk;
using namespace hk::compile;

TEST_SUITE_BEGIN("full_folder");

namespace {

constexpr int k_no_mount = 77;

// In a process with a mount namespace of its own: compiles with `options` (tmpfs) mounted on the temporary folder and
// writes code, message to the pipe. Returns the exit code.
int compile_on_tmpfs(const TestFolder& folder, const char* options, int pipe) {
  if (::unshare(CLONE_NEWNS) != 0 && ::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0)
    return k_no_mount;
  // Nothing mounted here may show elsewhere. In a chroot "/" is no mount point, but /tmp is one.
  if (::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 &&
      ::mount("none", "/tmp", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0)
    return k_no_mount;
  if (::mount("tmpfs", folder.path().c_str(), "tmpfs", 0, options) != 0)
    return k_no_mount;
  const auto result = make_compiler(options_in(folder))->compile(vector_add_request());
  if (result)
    return 1;
  const std::string text = std::to_string(static_cast<int>(result.error().code)) + " " + result.error().message;
  return ::write(pipe, text.data(), text.size()) == static_cast<ssize_t>(text.size()) && folder.entries() == 0 ? 0 : 2;
}

// What the compile said; empty if mounting is not possible here.
std::string message_on_tmpfs(const char* options) {
  const TestFolder folder;
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const pid_t child = ::fork();
  if (child == 0)
    ::_exit(compile_on_tmpfs(folder, options, ends[1]));
  ::close(ends[1]);
  std::string text(4096, '\0');
  const ssize_t count = ::read(ends[0], text.data(), text.size());
  ::close(ends[0]);
  text.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  if (WEXITSTATUS(status) == k_no_mount) {
    MESSAGE("not tested: this machine allows no mount namespace");
    return {};
  }
  CHECK(WEXITSTATUS(status) == 0);
  CAPTURE(text);
  CHECK(contains(text, folder.path()));
  return text;
}

} // namespace

TEST_CASE("A full temporary folder is named, with the remedy") {
  // 8 KiB take the worker's folder, but not what comgr writes; 2 inodes do not even take the folder's content.
  for (const char* options : {"size=8k", "nr_inodes=3"}) {
    CAPTURE(std::string(options));
    const std::string text = message_on_tmpfs(options);
    if (text.empty())
      continue;
    const int code = std::stoi(text);
    CHECK((code == static_cast<int>(StatusCode::compile_failed) ||
           code == static_cast<int>(StatusCode::compiler_crashed)));
    CHECK(contains(text, "full"));
    CHECK(contains(text, "set TMPDIR to another folder"));
  }
}

TEST_CASE("A missing temporary folder is named, with the remedy") {
  const TestFolder folder;
  CompilerOptions options = options_in(folder);
  options.temporary_folder = folder.path() + "/missing";
  const auto result = make_compiler(options)->compile(vector_add_request());
  REQUIRE_FALSE(result.has_value());
  CHECK(result.error().code == StatusCode::compile_failed);
  CHECK(contains(result.error().message, options.temporary_folder));
  CHECK(contains(result.error().message, "set TMPDIR to another folder"));
}

TEST_CASE("Trouble of a folder is told apart from its absence") {
  const TestFolder folder;
  CHECK_FALSE(temporary_folder_trouble(folder.path()).has_value());
  CHECK(contains(*temporary_folder_trouble(folder.path() + "/missing"), "missing or not writable"));
}

TEST_SUITE_END();
