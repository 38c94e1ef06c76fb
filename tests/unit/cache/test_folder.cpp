#include <doctest/doctest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "base/config.h"
#include "cache/folder.h"
#include "unit/base/file_privileges.h"
#include "unit/base/scratch_folder.h"

using hk::base::Config;
using hk::base::FileSystemKind;
using hk::cache::choose_cache_folder;
using hk::cache::FolderChoice;
using hk::cache::trusted_folder;
using hk::test::ScratchFolder;

namespace {

std::string own_temporary_folder() {
  return "/tmp/hk-" + std::to_string(::geteuid());
}

hk::base::FileResult<FileSystemKind> all_local(const std::string&) {
  return FileSystemKind::local;
}

hk::base::FileResult<FileSystemKind> network_outside_tmp(const std::string& path) {
  return path == own_temporary_folder() ? FileSystemKind::local : FileSystemKind::network;
}

hk::base::FileResult<FileSystemKind> all_network(const std::string&) {
  return FileSystemKind::network;
}

void check_refused(const std::string& path, const std::string& reason) {
  const auto folder = trusted_folder(path);
  REQUIRE_FALSE(folder.has_value());
  CHECK(folder.error().code == hk::StatusCode::invalid_argument);
  CHECK_MESSAGE(folder.error().message.find(path) != std::string::npos, folder.error().message);
  CHECK_MESSAGE(folder.error().message.find(reason) != std::string::npos, folder.error().message);
}

// Root makes one; others find one that is always there.
std::string folder_of_another_user(const ScratchFolder& scratch) {
  const std::string path = scratch / "foreign";
  REQUIRE(::mkdir(path.c_str(), 0700) == 0);
  return ::chown(path.c_str(), ::geteuid() + 1, ::getegid()) == 0 ? path : "/proc";
}

} // namespace

TEST_SUITE_BEGIN("cache.folder");

TEST_CASE("HK_CACHE_DIR is used if it can be, whether it exists or not, and nothing is made") {
  const ScratchFolder scratch;
  Config config;
  config.home = scratch.path();
  for (const std::string& path : {scratch.path(), scratch / "new", scratch / "new/deep/down"}) {
    config.cache_folder = path;
    const FolderChoice choice = choose_cache_folder(config, all_local);
    CHECK(choice.path == path);
    CHECK(choice.origin == "HK_CACHE_DIR");
    CHECK_FALSE(choice.network);
    CHECK(choice.refused.empty());
  }
  CHECK_FALSE(hk::test::exists(scratch / "new"));
}

TEST_CASE("a relative folder becomes absolute, and slashes at the end do not matter") {
  const ScratchFolder scratch;
  const std::string before = []() {
    char room[4096];
    return std::string(::getcwd(room, sizeof room));
  }();
  REQUIRE(::chdir(scratch.path().c_str()) == 0);
  CHECK(trusted_folder("here").value_or("") == scratch / "here");
  CHECK(trusted_folder(scratch / "there//").value_or("") == scratch / "there");
  REQUIRE(::chdir(before.c_str()) == 0);
}

TEST_CASE("a HK_CACHE_DIR that cannot be used means memory only, not some other folder") {
  const ScratchFolder scratch;
  Config config;
  config.home = scratch.path();
  config.cache_folder = scratch / "file";
  hk::test::write_text(config.cache_folder, "");
  const FolderChoice choice = choose_cache_folder(config, all_local);
  CHECK(choice.path.empty());
  REQUIRE(choice.refused.size() == 1);
  CHECK(choice.refused[0].find("is not a folder") != std::string::npos);
}

TEST_CASE("HK_CACHE_DIR=none is no folder, and not a folder of that name") {
  Config config;
  config.home = "/tmp";
  config.cache_folder = "none";
  const FolderChoice choice = choose_cache_folder(config, all_local);
  CHECK(choice.path.empty());
  CHECK(choice.origin == "HK_CACHE_DIR");
  CHECK(choice.refused == std::vector<std::string>{"HK_CACHE_DIR=none asks for no folder"});
}

TEST_CASE("a HK_CACHE_DIR that is only readable is still used") {
  const ScratchFolder scratch;
  REQUIRE(::chmod(scratch.path().c_str(), 0500) == 0);
  const hk::test::WithoutFilePrivileges plain_user;
  Config config;
  config.cache_folder = scratch.path();
  CHECK(choose_cache_folder(config, all_local).path == scratch.path());
}

TEST_CASE("XDG_CACHE_HOME comes before HOME; a relative one is passed over") {
  const ScratchFolder scratch;
  Config config;
  config.home = scratch / "home";
  config.user_cache_home = scratch / "xdg";
  CHECK(choose_cache_folder(config, all_local).path == scratch / "xdg/hk");
  CHECK(choose_cache_folder(config, all_local).origin == "XDG_CACHE_HOME");
  CHECK(choose_cache_folder(config, all_local).refused.empty());
  config.user_cache_home = "relative";
  const FolderChoice choice = choose_cache_folder(config, all_local);
  CHECK(choice.path == scratch / "home/.cache/hk");
  CHECK(choice.origin == "HOME");
  REQUIRE(choice.refused.size() == 1);
  CHECK(choice.refused[0] == "XDG_CACHE_HOME=relative is passed over: it is not an absolute path");
}

TEST_CASE("HOME unset, / or relative leads to a folder of this user in /tmp") {
  for (const char* home : {"", "/", "//", "relative"}) {
    Config config;
    config.home = home;
    const FolderChoice choice = choose_cache_folder(config, all_local);
    CHECK(choice.path == own_temporary_folder());
    CHECK(choice.origin == "/tmp");
    REQUIRE(choice.refused.size() == 1);
    const std::string value = home;
    CHECK(choice.refused[0].find(value.empty() ? "no home folder" : "HOME=" + value + " is passed over") == 0);
  }
}

TEST_CASE("a home that cannot be written to leads to /tmp") {
  const ScratchFolder scratch;
  REQUIRE(::mkdir((scratch / "cache").c_str(), 0700) == 0);
  REQUIRE(::mkdir((scratch / "cache/hk").c_str(), 0500) == 0);
  REQUIRE(::mkdir((scratch / "locked").c_str(), 0500) == 0);
  const hk::test::WithoutFilePrivileges plain_user;
  Config config;
  config.user_cache_home = scratch / "cache";
  CHECK(choose_cache_folder(config, all_local).path == own_temporary_folder());
  config.user_cache_home = scratch / "locked";
  CHECK(choose_cache_folder(config, all_local).path == own_temporary_folder());
}

TEST_CASE("a home on a network file system comes after /tmp, unless /tmp is on one too") {
  const ScratchFolder scratch;
  Config config;
  config.home = scratch.path();
  const FolderChoice node_local = choose_cache_folder(config, network_outside_tmp);
  CHECK(node_local.path == own_temporary_folder());
  CHECK_FALSE(node_local.network);
  REQUIRE(node_local.refused.size() == 1);
  CHECK(node_local.refused[0].find(scratch / ".cache/hk comes after " + own_temporary_folder()) != std::string::npos);
  const FolderChoice home = choose_cache_folder(config, all_network);
  CHECK(home.path == scratch / ".cache/hk");
  CHECK(home.network);
  config.cache_folder = scratch / "named";
  const FolderChoice named = choose_cache_folder(config, network_outside_tmp);
  CHECK(named.path == scratch / "named");
  CHECK(named.network);
}

TEST_CASE("folders that others could write to are refused") {
  const ScratchFolder scratch;
  const std::string path = scratch / "cache";
  REQUIRE(::mkdir(path.c_str(), 0700) == 0);
  for (const mode_t mode : {0770U, 0720U, 0702U, 01777U}) {
    REQUIRE(::chmod(path.c_str(), mode) == 0);
    check_refused(path, "chmod go-w");
  }
  for (const mode_t mode : {0700U, 0755U, 0750U}) {
    REQUIRE(::chmod(path.c_str(), mode) == 0);
    CHECK(trusted_folder(path).has_value());
  }
}

TEST_CASE("a folder of another user is refused, and so is anything below one") {
  const ScratchFolder scratch;
  const std::string foreign = folder_of_another_user(scratch);
  check_refused(foreign, "belongs to another user");
  if (foreign != "/proc")
    check_refused(foreign + "/below", "belongs to another user");
}

TEST_CASE("a folder below one that others could write to is refused, unless that is sticky") {
  const ScratchFolder scratch;
  REQUIRE(::mkdir((scratch / "open").c_str(), 0700) == 0);
  REQUIRE(::mkdir((scratch / "open/cache").c_str(), 0700) == 0);
  REQUIRE(::chmod((scratch / "open").c_str(), 0777) == 0);
  check_refused(scratch / "open/cache", "other users can write to " + scratch / "open");
  check_refused(scratch / "open/new/cache", "other users can write to " + scratch / "open");
  REQUIRE(::chmod((scratch / "open").c_str(), 01777) == 0);
  CHECK(trusted_folder(scratch / "open/cache").has_value());
}

TEST_CASE("a symbolic link, a file and a FIFO are no cache folders") {
  const ScratchFolder scratch;
  REQUIRE(::mkdir((scratch / "real").c_str(), 0700) == 0);
  REQUIRE(::symlink("real", (scratch / "link").c_str()) == 0);
  REQUIRE(::symlink("nowhere", (scratch / "dangling").c_str()) == 0);
  hk::test::write_text(scratch / "file", "");
  REQUIRE(::mkfifo((scratch / "fifo").c_str(), 0600) == 0);
  check_refused(scratch / "link", "is a symbolic link");
  check_refused(scratch / "link/", "is a symbolic link");
  check_refused(scratch / "dangling", "is a symbolic link");
  check_refused(scratch / "file", "is not a folder");
  check_refused(scratch / "fifo", "is not a folder");
  check_refused(scratch / "file/below", "file");
}

TEST_CASE("links above the folder are resolved and what they lead to is checked") {
  const ScratchFolder scratch;
  REQUIRE(::mkdir((scratch / "real").c_str(), 0700) == 0);
  REQUIRE(::symlink("real", (scratch / "link").c_str()) == 0);
  CHECK(trusted_folder(scratch / "link/cache").value_or("") == scratch / "real/cache");
  REQUIRE(::chmod((scratch / "real").c_str(), 0777) == 0);
  const auto refused = trusted_folder(scratch / "link/cache");
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().message.find("other users can write to " + scratch / "real") != std::string::npos);
}

TEST_CASE("a folder that this user cannot make is refused") {
  const ScratchFolder scratch;
  REQUIRE(::mkdir((scratch / "locked").c_str(), 0500) == 0);
  const hk::test::WithoutFilePrivileges plain_user;
  check_refused(scratch / "locked/cache", scratch / "locked is not writable");
}

TEST_SUITE_END();
