#include <doctest/doctest.h>

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <set>
#include <string>

#include "base/files.h"
#include "base/list_folder.h"
#include "unit/base/file_privileges.h"
#include "unit/base/scratch_folder.h"

using hk::base::as_bytes;
using hk::base::as_text;
using hk::base::ByteView;
using hk::base::open_file;
using hk::base::read_file;
using hk::base::UniqueFd;

TEST_SUITE_BEGIN("base.files");

TEST_CASE("what is written is read back, empty and large") {
  const hk::test::ScratchFolder folder;
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{65535}, std::size_t{300000}}) {
    const std::string text(size, 'x');
    {
      const auto file = open_file(AT_FDCWD, folder / "file", O_WRONLY | O_CREAT | O_TRUNC, 0600);
      REQUIRE(file.has_value());
      REQUIRE(hk::base::write_all(file->get(), as_bytes(text), "file").has_value());
    }
    const auto bytes = read_file(folder / "file", 300000);
    REQUIRE(bytes.has_value());
    CHECK(as_text(ByteView(*bytes)) == text);
  }
}

TEST_CASE("a file larger than the limit is EFBIG, one of exactly the limit is read") {
  const hk::test::ScratchFolder folder;
  hk::test::write_text(folder / "file", std::string(100, 'x'));
  CHECK(read_file(folder / "file", 100)->size() == 100);
  const auto refused = read_file(folder / "file", 99);
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().number == EFBIG);
}

TEST_CASE("files of unknown size are read whole") {
  const auto bytes = read_file("/proc/self/maps", 1 << 24);
  REQUIRE(bytes.has_value());
  CHECK(as_text(ByteView(*bytes)).find("[stack]") != std::string_view::npos);
  // Gives nothing to a second read, however short the first was.
  const auto number = read_file("/proc/sys/kernel/overflowuid", 64);
  REQUIRE(number.has_value());
  CHECK(as_text(ByteView(*number)) == hk::test::read_text("/proc/sys/kernel/overflowuid"));
  CHECK(number->size() > 2);
}

TEST_CASE("an endless device, a FIFO and a folder are refused without blocking") {
  const hk::test::ScratchFolder folder;
  REQUIRE(::mkfifo((folder / "fifo").c_str(), 0600) == 0);
  for (const std::string& path : {std::string("/dev/zero"), folder / "fifo", folder.path()}) {
    const auto bytes = read_file(path, 1000);
    REQUIRE_FALSE(bytes.has_value());
    CHECK(bytes.error().number == EINVAL);
  }
}

TEST_CASE("an error says the call, the object, the reason and its name") {
  const auto missing = read_file("/nowhere/at/all", 1);
  REQUIRE_FALSE(missing.has_value());
  CHECK(missing.error().number == ENOENT);
  CHECK(missing.error().message == "open /nowhere/at/all: No such file or directory (ENOENT)");
  CHECK(missing.error().status(hk::StatusCode::no_runtime).code == hk::StatusCode::no_runtime);
}

TEST_CASE("a file that may not be read is EACCES") {
  const hk::test::ScratchFolder folder;
  hk::test::write_text(folder / "file", "secret");
  REQUIRE(::chmod((folder / "file").c_str(), 0) == 0);
  const hk::test::WithoutFilePrivileges plain_user;
  const auto bytes = read_file(folder / "file", 100);
  REQUIRE_FALSE(bytes.has_value());
  CHECK(bytes.error().number == EACCES);
}

TEST_CASE("a full disk is ENOSPC") {
  const auto full = open_file(AT_FDCWD, "/dev/full", O_WRONLY);
  REQUIRE(full.has_value());
  const auto written = hk::base::write_all(full->get(), as_bytes("x"), "/dev/full");
  REQUIRE_FALSE(written.has_value());
  CHECK(written.error().number == ENOSPC);
}

TEST_CASE("descriptors are closed on exec and when their owner goes") {
  int number = -1;
  {
    const auto file = open_file(AT_FDCWD, "/dev/null", O_RDONLY);
    REQUIRE(file.has_value());
    number = file->get();
    CHECK((::fcntl(number, F_GETFD) & FD_CLOEXEC) != 0);
  }
  CHECK(::fcntl(number, F_GETFD) == -1);
}

TEST_CASE("a moved descriptor has one owner") {
  UniqueFd first(::dup(2));
  const int number = first.get();
  UniqueFd second(std::move(first));
  CHECK_FALSE(first.valid()); // NOLINT: the state after the move is what is tested
  CHECK(second.get() == number);
  second = UniqueFd(::dup(2));
  CHECK(second.valid());
  CHECK((second.get() == number || ::fcntl(number, F_GETFD) == -1));
}

TEST_CASE("random names are 32 hexadecimal digits and differ") {
  std::set<std::string> names;
  for (int i = 0; i < 100; ++i) {
    const auto name = hk::base::random_name();
    REQUIRE(name.has_value());
    CHECK(name->size() == 32);
    CHECK(name->find_first_not_of("0123456789abcdef") == std::string::npos);
    CHECK(names.insert(*name).second);
  }
}

TEST_CASE("a folder's names come sorted, again and again from one descriptor") {
  const hk::test::ScratchFolder folder;
  for (const char* name : {"b", "a", ".hidden"})
    hk::test::write_text(folder / name, "");
  const auto opened = open_file(AT_FDCWD, folder.path(), O_RDONLY | O_DIRECTORY);
  REQUIRE(opened.has_value());
  for (int i = 0; i < 2; ++i) {
    const auto names = hk::base::list_folder(opened->get(), folder.path());
    REQUIRE(names.has_value());
    CHECK(*names == std::vector<std::string>{".hidden", "a", "b"});
  }
}

TEST_CASE("a write beyond the limit of the process, or to a pipe without a reader, is an error and no signal") {
  const hk::test::ScratchFolder folder;
  const pid_t child = ::fork();
  if (child == 0) {
    const auto file = open_file(AT_FDCWD, folder / "file", O_WRONLY | O_CREAT, 0600);
    const struct rlimit limit{100, 100};
    std::array<int, 2> ends{};
    if (!file || ::setrlimit(RLIMIT_FSIZE, &limit) != 0 || ::pipe(ends.data()) != 0 || ::close(ends[0]) != 0)
      ::_exit(1);
    const auto beyond = hk::base::write_all(file->get(), as_bytes(std::string(101, 'x')), "file");
    const auto unheard = hk::base::write_all(ends[1], as_bytes("x"), "pipe");
    sigset_t left;
    ::sigpending(&left);
    const bool right = !beyond && beyond.error().number == EFBIG && !unheard && unheard.error().number == EPIPE;
    ::_exit(right && ::sigismember(&left, SIGXFSZ) == 0 && ::sigismember(&left, SIGPIPE) == 0 ? 0 : 2);
  }
  int status = -1;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  CHECK(hk::test::read_text(folder / "file").size() == 100);
}

TEST_CASE("a signal that the host holds back itself stays pending") {
  const pid_t child = ::fork();
  if (child == 0) {
    sigset_t signals;
    ::sigemptyset(&signals);
    ::sigaddset(&signals, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    ::raise(SIGPIPE);
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0 || ::close(ends[0]) != 0 || hk::base::write_all(ends[1], as_bytes("x"), "pipe"))
      ::_exit(1);
    sigset_t left;
    ::sigpending(&left);
    ::_exit(::sigismember(&left, SIGPIPE) == 1 ? 0 : 2);
  }
  int status = -1;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(status == 0);
}

TEST_CASE("no descriptor takes the place of a closed standard stream, unless no other number is left") {
  const pid_t child = ::fork();
  if (child == 0) {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
      ::close(stream);
    const auto file = open_file(AT_FDCWD, "/dev/null", O_WRONLY);
    if (!file || file->get() <= STDERR_FILENO || (::fcntl(file->get(), F_GETFD) & FD_CLOEXEC) == 0)
      ::_exit(1);
    if (::fcntl(STDIN_FILENO, F_GETFD) >= 0)
      ::_exit(2);
    const struct rlimit limit{3, 3};
    ::setrlimit(RLIMIT_NOFILE, &limit);
    const auto squeezed = open_file(AT_FDCWD, "/dev/null", O_WRONLY);
    ::_exit(squeezed && squeezed->get() == STDIN_FILENO ? 0 : 3);
  }
  int status = -1;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(status == 0);
}

TEST_SUITE_END();
