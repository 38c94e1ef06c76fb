#include <doctest/doctest.h>

#include <fcntl.h>
#include <sys/stat.h>

#include <string>

#include "base/list_folder.h"
#include "base/temporary_file.h"
#include "unit/base/file_privileges.h"
#include "unit/base/scratch_folder.h"

using hk::base::as_bytes;
using hk::base::open_file;
using hk::base::TemporaryFile;

namespace {

struct OpenScratch {
  hk::test::ScratchFolder folder;
  hk::base::UniqueFd descriptor;

  OpenScratch() : descriptor(::open(folder.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    REQUIRE(descriptor.valid());
  }
  [[nodiscard]] std::vector<std::string> names() const {
    return hk::base::list_folder(descriptor.get(), folder.path()).value();
  }
  [[nodiscard]] TemporaryFile file(const std::string& text) const {
    auto file = TemporaryFile::create(descriptor.get(), folder.path(), 0600);
    REQUIRE(file.has_value());
    REQUIRE(file->write(as_bytes(text)).has_value());
    REQUIRE(file->sync().has_value());
    return std::move(*file);
  }
};

// Puts the umask back at the end of a test.
class Umask {
 public:
  explicit Umask(mode_t mask) : m_before(::umask(mask)) {}
  ~Umask() { ::umask(m_before); }

 private:
  mode_t m_before;
};

} // namespace

TEST_SUITE_BEGIN("base.temporary_file");

TEST_CASE("a published file has its name, its bytes and its mode, and nothing else is left") {
  for (const mode_t mask : {0000U, 0077U, 0777U}) {
    const OpenScratch scratch;
    const Umask umask(mask);
    CHECK(scratch.file("text").publish_new("final").has_value());
    CHECK(scratch.names() == std::vector<std::string>{"final"});
    CHECK(hk::test::read_text(scratch.folder / "final") == "text");
    CHECK(hk::test::mode_of(scratch.folder / "final") == 0600);
  }
}

TEST_CASE("before it is published, a file has a temporary name that is recognised") {
  const OpenScratch scratch;
  const TemporaryFile file = scratch.file("text");
  REQUIRE(scratch.names().size() == 1);
  CHECK(hk::base::is_temporary_name(scratch.names()[0]));
  CHECK_FALSE(hk::base::is_temporary_name("final"));
  CHECK_FALSE(hk::base::is_temporary_name(".temporary-"));
  CHECK_FALSE(hk::base::is_temporary_name(".temporary-0123456789abcdef0123456789abcdeg"));
}

TEST_CASE("a file that is never published vanishes, also when it was moved") {
  const OpenScratch scratch;
  {
    TemporaryFile first = scratch.file("text");
    const TemporaryFile second = std::move(first);
    CHECK(scratch.names().size() == 1);
  }
  CHECK(scratch.names().empty());
}

TEST_CASE("the first of two publishers wins and the second learns of it") {
  const OpenScratch scratch;
  TemporaryFile second = scratch.file("second");
  REQUIRE(scratch.file("first").publish_new("final").has_value());
  const auto refused = second.publish_new("final");
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().number == EEXIST);
  CHECK(hk::test::read_text(scratch.folder / "final") == "first");
  REQUIRE(second.publish_replacing("final").has_value());
  CHECK(hk::test::read_text(scratch.folder / "final") == "second");
  CHECK(scratch.names() == std::vector<std::string>{"final"});
}

TEST_CASE("publishing never follows a symbolic link of the final name") {
  const OpenScratch scratch;
  hk::test::write_text(scratch.folder / "victim", "untouched");
  REQUIRE(::symlink("victim", (scratch.folder / "final").c_str()) == 0);
  TemporaryFile file = scratch.file("text");
  CHECK(file.publish_new("final").error().number == EEXIST);
  REQUIRE(file.publish_replacing("final").has_value());
  CHECK(hk::test::read_text(scratch.folder / "victim") == "untouched");
  CHECK(hk::test::read_text(scratch.folder / "final") == "text");
}

TEST_CASE("a folder that may not be written to is EACCES naming the folder") {
  const OpenScratch scratch;
  REQUIRE(::chmod(scratch.folder.path().c_str(), 0500) == 0);
  const hk::test::WithoutFilePrivileges plain_user;
  CHECK_FALSE(open_file(AT_FDCWD, scratch.folder / "plain", O_WRONLY | O_CREAT, 0600).has_value());
  const auto file = TemporaryFile::create(scratch.descriptor.get(), scratch.folder.path(), 0600);
  REQUIRE_FALSE(file.has_value());
  CHECK(file.error().number == EACCES);
  CHECK(file.error().message.find(scratch.folder.path()) != std::string::npos);
}

TEST_SUITE_END();
