#include "compile/loader_cache.h"

#include "fixture.h"

using namespace hk;
using namespace hk::compile;

TEST_SUITE_BEGIN("loader_cache");

namespace {

struct Entry {
  std::int32_t flags;
  std::string soname;
  std::string path;
};

// The layout of glibc's sysdeps/generic/dl-cache.h, written by hand.
base::Bytes make_cache(const std::vector<Entry>& entries, bool behind_old_table = false) {
  base::ByteWriter table;
  table.write_bytes(base::as_bytes("glibc-ld.so.cache1.1"));
  table.write(static_cast<std::uint32_t>(entries.size())).write(std::uint32_t{0});
  for (int i = 0; i < 5; ++i)
    table.write(std::uint32_t{0}); // flags, extension offset, unused
  std::string texts;
  const std::size_t texts_offset = 48 + 24 * entries.size();
  for (const Entry& entry : entries) {
    table.write(entry.flags).write(static_cast<std::uint32_t>(texts_offset + texts.size()));
    texts += entry.soname + '\0';
    table.write(static_cast<std::uint32_t>(texts_offset + texts.size()))
        .write(std::uint32_t{0})
        .write(std::uint64_t{0});
    texts += entry.path + '\0';
  }
  table.write_bytes(base::as_bytes(texts));
  if (!behind_old_table)
    return table.take();
  base::ByteWriter both;
  both.write_bytes(base::as_bytes(std::string_view("ld.so-1.7.0\0", 12))).write(std::uint32_t{1});
  both.write(std::uint64_t{0}).write(std::uint32_t{0}); // one old entry of 12 bytes
  both.write(std::uint32_t{0});                         // up to a multiple of 8
  both.write_bytes(table.bytes());
  return both.take();
}

const std::vector<Entry> k_entries = {{0x0303, "libhiprtc.so.7", "/opt/rocm/lib/libhiprtc.so.7"},
                                      {0x0803, "libhiprtc.so.6", "/lib32/libhiprtc.so.6"},
                                      {0x0303, "libhiprtc.so.6", "/first/libhiprtc.so.6"},
                                      {0x0303, "libhiprtc.so.6", "/second/libhiprtc.so.6"}};

} // namespace

TEST_CASE("Paths of a soname, in order, of the right architecture") {
  for (const bool behind_old_table : {false, true}) {
    const base::Bytes cache = make_cache(k_entries, behind_old_table);
    CHECK(find_in_loader_cache(cache, "libhiprtc.so.6") ==
          std::vector<std::string>{"/first/libhiprtc.so.6", "/second/libhiprtc.so.6"});
    CHECK(find_in_loader_cache(cache, "libhiprtc.so.7").size() == 1);
    CHECK(find_in_loader_cache(cache, "libhiprtc.so").empty());
  }
}

TEST_CASE("Damaged caches list nothing or less, and do no harm") {
  const base::Bytes cache = make_cache(k_entries);
  for (std::size_t size = 0; size < cache.size(); ++size) {
    const base::Bytes head(cache.begin(), cache.begin() + static_cast<std::ptrdiff_t>(size));
    CHECK(find_in_loader_cache(head, "libhiprtc.so.6").size() <= 2);
  }
  base::Bytes wild = cache;
  for (std::size_t i = 20; i < 48 + 24 * 4; ++i)
    wild[i] = std::byte{0xff};
  CHECK(find_in_loader_cache(wild, "libhiprtc.so.6").empty());
  CHECK(find_in_loader_cache(base::as_bytes("glibc-ld.so.cache1.0"), "libhiprtc.so.6").empty());
}

TEST_CASE("The cache of this machine knows the C library") {
  const auto cache = base::read_file("/etc/ld.so.cache", 64 << 20);
  if (!cache) {
    MESSAGE("not tested: this machine has no /etc/ld.so.cache");
    return;
  }
  const auto paths = find_in_loader_cache(*cache, "libc.so.6");
  REQUIRE_FALSE(paths.empty());
  CHECK(paths[0].ends_with("/libc.so.6"));
}

TEST_SUITE_END();
