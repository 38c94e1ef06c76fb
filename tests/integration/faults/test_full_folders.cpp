// A cache folder and a TMPDIR without room, mounted in a mount namespace of this program's own. Exit code 77 (skipped)
// with the reason where that is not allowed.

#define DOCTEST_CONFIG_IMPLEMENT
#include "surroundings.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "cache_entry.h"
#include "heard_log.h"
#include "unit/base/mounted_memory.h"

using namespace hk;
using namespace hk::test;

namespace {

void check_full_cache(const char* options) {
  CAPTURE(std::string(options));
  const Census census;
  const MountedMemory memory(options);
  const HeardLog log;
  {
    const Context context = open_in({.cache = memory.path()});
    SmallCall(context).expect_right();
    SmallCall(context).expect_right(); // from memory
    CHECK(context.statistics().compiles == 1);
  }
  REQUIRE(log.texts().size() == 1);
  CHECK(log.texts()[0].find(memory.path()) != std::string::npos);
  CHECK(log.texts()[0].find("ENOSPC") != std::string::npos);
  CHECK(log.texts()[0].find("free space or set HK_CACHE_DIR") != std::string::npos);
  CHECK(entries_below(memory.path()).empty());
  CHECK(temporary_files_below(memory.path()) == 0);
  CHECK(all_sound(memory.path()));
}

} // namespace

TEST_SUITE_BEGIN("full_folders");

TEST_CASE("full folders: a cache without room for an entry is one warning and a right result") {
  check_full_cache("size=8k");
}

TEST_CASE("full folders: a cache without inodes is one warning and a right result") {
  check_full_cache("nr_inodes=3");
}

TEST_CASE("full folders: a full TMPDIR is named with its remedy, and room there ends the trouble") {
  for (const char* options : {"size=8k", "nr_inodes=3"}) {
    CAPTURE(std::string(options));
    const Census census;
    MountedMemory memory(options);
    {
      const Environment variable("TMPDIR", memory.path());
      const Context context = open_in({});
      SmallCall call(context);
      const hk_status status = hk_attention(context.get(), &call.args(), nullptr, 0, nullptr);
      CHECK((status == HK_STATUS_COMPILE_FAILED || status == HK_STATUS_COMPILER_CRASHED));
      check_sentence({memory.path(), "full", "set TMPDIR to another folder"});
      call.check_untouched();
      memory.change("size=64m,nr_inodes=1000");
      call.expect_right();
    }
    CHECK(std::filesystem::is_empty(memory.path()));
  }
}

TEST_SUITE_END();

int main(int count, char** arguments) {
  if (!enter_own_mount_namespace()) {
    std::printf("skipped: this program may not mount a tmpfs (%s)\n", std::strerror(errno));
    return 77;
  }
  return doctest::Context(count, arguments).run();
}
