#include "compile/loader_cache.h"

#include <optional>
#include <string_view>

namespace hk::compile {
namespace {

constexpr std::string_view k_magic = "glibc-ld.so.cache1.1";
constexpr std::string_view k_old_magic = "ld.so-1.7.0";
constexpr std::uint64_t k_header_size = 48;     // magic, two counts, flags, extension offset, unused
constexpr std::uint64_t k_old_header_size = 16; // magic padded to 12, count
constexpr std::uint64_t k_old_entry_size = 12;
constexpr std::int32_t k_x86_64_libc6 = 0x0303; // FLAG_X8664_LIB64 | FLAG_ELF_LIBC6

std::string_view text_at(base::ByteView bytes, std::uint64_t offset) {
  if (offset >= bytes.size())
    return {};
  const std::string_view rest = base::as_text(bytes).substr(offset);
  const std::size_t end = rest.find('\0');
  return end == std::string_view::npos ? std::string_view() : rest.substr(0, end);
}

// The part in the new format; text offsets count from its start.
std::optional<base::ByteView> new_format(base::ByteView cache) {
  if (base::as_text(cache).starts_with(k_magic))
    return cache;
  if (!base::as_text(cache).starts_with(k_old_magic))
    return std::nullopt;
  base::ByteReader reader(cache);
  std::uint32_t count = 0;
  if (!reader.seek(12) || !reader.read(count))
    return std::nullopt;
  const std::uint64_t end = k_old_header_size + std::uint64_t{count} * k_old_entry_size;
  const std::uint64_t aligned = (end + 7) & ~std::uint64_t{7};
  if (aligned > cache.size() || !base::as_text(cache.subspan(aligned)).starts_with(k_magic))
    return std::nullopt;
  return cache.subspan(aligned);
}

} // namespace

std::vector<std::string> find_in_loader_cache(base::ByteView cache, std::string_view soname) {
  std::vector<std::string> paths;
  const auto table = new_format(cache);
  if (!table)
    return paths;
  base::ByteReader reader(*table);
  std::uint32_t count = 0;
  if (!reader.seek(k_magic.size()) || !reader.read(count) || !reader.seek(k_header_size))
    return paths;
  for (std::uint32_t i = 0; i < count; ++i) {
    std::int32_t flags = 0;
    std::uint32_t name = 0;
    std::uint32_t path = 0;
    std::uint32_t os_version = 0;
    std::uint64_t hardware = 0;
    if (!reader.read(flags) || !reader.read(name) || !reader.read(path) || !reader.read(os_version) ||
        !reader.read(hardware))
      break;
    if (flags == k_x86_64_libc6 && text_at(*table, name) == soname)
      paths.emplace_back(text_at(*table, path));
  }
  return paths;
}

} // namespace hk::compile
