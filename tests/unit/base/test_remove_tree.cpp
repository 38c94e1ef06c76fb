#include <doctest/doctest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "base/remove_tree.h"
#include "unit/base/file_privileges.h"
#include "unit/base/scratch_folder.h"

using hk::base::remove_tree;

TEST_SUITE_BEGIN("base.remove_tree");

TEST_CASE("a tree of folders, files, FIFOs and links goes, and what the links lead to stays") {
  const hk::test::ScratchFolder outside;
  const hk::test::ScratchFolder folder;
  hk::test::write_text(outside / "keep", "kept");
  for (const char* name : {"tree", "tree/a", "tree/a/b", "tree/empty"})
    REQUIRE(::mkdir((folder / name).c_str(), 0700) == 0);
  hk::test::write_text(folder / "tree/file", "x");
  hk::test::write_text(folder / "tree/a/b/.hidden", "x");
  REQUIRE(::mkfifo((folder / "tree/a/fifo").c_str(), 0600) == 0);
  REQUIRE(::symlink(outside.path().c_str(), (folder / "tree/a/link").c_str()) == 0);
  REQUIRE(::symlink("/nowhere", (folder / "tree/dangling").c_str()) == 0);
  CHECK(remove_tree(folder / "tree").has_value());
  CHECK_FALSE(hk::test::exists(folder / "tree"));
  CHECK(hk::test::read_text(outside / "keep") == "kept");
}

TEST_CASE("a path that does not exist is success, a file and a link are removed") {
  const hk::test::ScratchFolder folder;
  CHECK(remove_tree(folder / "nothing").has_value());
  hk::test::write_text(folder / "file", "x");
  REQUIRE(::symlink("file", (folder / "link").c_str()) == 0);
  CHECK(remove_tree(folder / "link").has_value());
  CHECK(hk::test::exists(folder / "file"));
  CHECK(remove_tree(folder / "file").has_value());
  CHECK_FALSE(hk::test::exists(folder / "file"));
}

TEST_CASE("what cannot be removed is reported, the rest goes") {
  const hk::test::ScratchFolder folder;
  for (const char* name : {"tree", "tree/locked", "tree/open"})
    REQUIRE(::mkdir((folder / name).c_str(), 0700) == 0);
  hk::test::write_text(folder / "tree/locked/file", "x");
  hk::test::write_text(folder / "tree/open/file", "x");
  REQUIRE(::chmod((folder / "tree/locked").c_str(), 0500) == 0);
  {
    const hk::test::WithoutFilePrivileges plain_user;
    const auto removed = remove_tree(folder / "tree");
    REQUIRE_FALSE(removed.has_value());
    CHECK(removed.error().number == EACCES);
    CHECK(removed.error().message.find("tree/locked/file") != std::string::npos);
  }
  CHECK(hk::test::exists(folder / "tree/locked/file"));
  CHECK_FALSE(hk::test::exists(folder / "tree/open"));
  REQUIRE(::chmod((folder / "tree/locked").c_str(), 0700) == 0);
}

TEST_SUITE_END();
