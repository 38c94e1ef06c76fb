#include "compile/private_folder.h"

#include <fstream>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "fixture.h"

using namespace hk;
using namespace hk::compile;

TEST_SUITE_BEGIN("private_folder");

namespace {

// As if it had been made two minutes ago.
void make_old(const std::string& path) {
  timespec times[2] = {};
  times[0].tv_sec = times[1].tv_sec = std::time(nullptr) - 120;
  REQUIRE(::utimensat(AT_FDCWD, path.c_str(), times, 0) == 0);
}

} // namespace

TEST_CASE("The folder is private and goes away with its content") {
  const TestFolder parent;
  std::string path;
  {
    auto folder = PrivateFolder::create(parent.path());
    REQUIRE(folder.has_value());
    path = folder->path();
    CHECK(path.starts_with(parent.path() + "/hk-compile-"));
    struct stat information{};
    REQUIRE(::stat(path.c_str(), &information) == 0);
    CHECK((information.st_mode & 07777) == 0700);
    std::filesystem::create_directories(path + "/a/b");
    std::ofstream(path + "/a/b/c") << "text";
    const PrivateFolder moved = std::move(*folder);
    CHECK(moved.path() == path);
  }
  CHECK_FALSE(std::filesystem::exists(path));
}

TEST_CASE("Two folders never share a name") {
  const TestFolder parent;
  const auto first = PrivateFolder::create(parent.path());
  const auto second = PrivateFolder::create(parent.path());
  CHECK(first->path() != second->path());
  CHECK(parent.entries() == 2);
}

TEST_CASE("A forked child leaves the folder of its parent alone") {
  const TestFolder parent;
  auto folder = PrivateFolder::create(parent.path());
  REQUIRE(folder.has_value());
  const pid_t child = ::fork();
  if (child == 0) {
    {
      const PrivateFolder copy = std::move(*folder);
    }
    ::_exit(0);
  }
  REQUIRE(::waitpid(child, nullptr, 0) == child);
  CHECK(std::filesystem::exists(folder->path()));
}

TEST_CASE("Folders of killed makers are swept, folders in use and young ones are not") {
  const TestFolder parent;
  const std::string abandoned = parent.path() + "/hk-compile-" + std::to_string(::geteuid()) + "-abandoned";
  const std::string young = parent.path() + "/hk-compile-" + std::to_string(::geteuid()) + "-young";
  const std::string other = parent.path() + "/someone-elses";
  for (const std::string& path : {abandoned, young, other})
    REQUIRE(std::filesystem::create_directories(path));
  std::ofstream(abandoned + "/left-over") << "text";
  const auto used = PrivateFolder::create(parent.path());
  REQUIRE(used.has_value());
  for (const std::string& path : {abandoned, other, used->path()})
    make_old(path);
  remove_abandoned_folders(parent.path());
  CHECK_FALSE(std::filesystem::exists(abandoned));
  CHECK(std::filesystem::exists(young));
  CHECK(std::filesystem::exists(other));
  CHECK(std::filesystem::exists(used->path()));
}

TEST_CASE("A symbolic link of that name is not followed") {
  const TestFolder parent;
  const std::string target = parent.path() + "/precious";
  REQUIRE(std::filesystem::create_directories(target));
  make_old(target);
  std::filesystem::create_symlink(target, parent.path() + "/hk-compile-" + std::to_string(::geteuid()) + "-link");
  remove_abandoned_folders(parent.path());
  CHECK(std::filesystem::exists(target));
}

TEST_SUITE_END();
