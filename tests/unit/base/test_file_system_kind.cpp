#include <doctest/doctest.h>

#include "base/file_system_kind.h"
#include "unit/base/scratch_folder.h"

using hk::base::classify_file_system;
using hk::base::file_system_kind;
using hk::base::FileSystemKind;

TEST_SUITE_BEGIN("base.file_system_kind");

// Numbers from statfs(2).
TEST_CASE("network file systems are told from local ones by their number") {
  for (const long type :
       {0x6969L, 0xff534d42L, 0xfe534d42L, 0x0bd00bd0L, 0x47504653L, 0x01021997L, 0x65735546L, 0x00c36400L})
    CHECK(classify_file_system(type) == FileSystemKind::network);
  for (const long type : {0xef53L, 0x58465342L, 0x9123683eL, 0x01021994L, 0x794c7630L, 0x2fc12fc1L, 0xf2f52010L, 0L})
    CHECK(classify_file_system(type) == FileSystemKind::local);
}

TEST_CASE("a sign-extended number is the same file system") {
  CHECK(classify_file_system(static_cast<long>(static_cast<int>(0xff534d42U))) == FileSystemKind::network);
}

TEST_CASE("a path that does not exist takes the kind of its nearest ancestor") {
  const hk::test::ScratchFolder folder;
  const auto existing = file_system_kind(folder.path());
  const auto missing = file_system_kind(folder / "a/b/c");
  REQUIRE(existing.has_value());
  REQUIRE(missing.has_value());
  CHECK(*existing == *missing);
}

TEST_CASE("a path below a file is an error, not a guess") {
  const hk::test::ScratchFolder folder;
  hk::test::write_text(folder / "file", "");
  const auto kind = file_system_kind(folder / "file/below");
  REQUIRE_FALSE(kind.has_value());
  CHECK(kind.error().number == ENOTDIR);
}

TEST_SUITE_END();
