#include "codeobj/offload_bundle.h"

#include <string_view>

#include "codeobj/file_view.h"

namespace hk::codeobj {
namespace {

constexpr std::string_view k_magic = "__CLANG_OFFLOAD_BUNDLE__";
constexpr std::string_view k_compressed_magic = "CCOB";
constexpr std::string_view k_triple = "amdgcn-amd-amdhsa-";

struct RawEntry { // the id follows
  std::uint64_t offset;
  std::uint64_t size;
  std::uint64_t id_length;
};

bool starts_with(const FileView& view, std::string_view magic) {
  const auto head = view.slice(0, magic.size());
  return head && head->text() == magic;
}

FailAs damaged(const char* what) {
  return fail_as(Status(StatusCode::load_failed,
                        std::string("the offload bundle is damaged: ") + what + "; bundle the code objects again"));
}

// Ids read "<kind>-<triple>-<target id>", e.g. "hipv4-amdgcn-amd-amdhsa--gfx942:xnack-". Old bundlers leave the empty
// environment of the triple out, so one or two dashes stand before the target id.
void split_id(std::string_view id, BundleEntry& entry) {
  const std::size_t dash = id.find('-');
  entry.kind = id.substr(0, dash);
  std::string_view rest = dash == std::string_view::npos ? std::string_view() : id.substr(dash + 1);
  if (rest.starts_with(k_triple)) {
    rest.remove_prefix(k_triple.size());
    if (rest.starts_with('-'))
      rest.remove_prefix(1);
  }
  entry.target = rest;
}

} // namespace

bool is_offload_bundle(std::span<const std::byte> bytes) {
  const FileView view(bytes);
  return starts_with(view, k_magic) || starts_with(view, k_compressed_magic);
}

Result<std::vector<BundleEntry>> parse_offload_bundle(std::span<const std::byte> bytes) {
  const FileView view(bytes);
  if (starts_with(view, k_compressed_magic))
    return fail(StatusCode::unsupported, "the offload bundle is compressed; unpack it with clang-offload-bundler, or "
                                         "build it without --offload-compress");
  if (!starts_with(view, k_magic))
    return damaged("it does not start with its magic");
  const auto count = view.read<std::uint64_t>(k_magic.size());
  if (!count || *count > view.size() / sizeof(RawEntry))
    return damaged("it has more entries than bytes");
  std::vector<BundleEntry> entries;
  std::uint64_t position = k_magic.size() + sizeof(std::uint64_t);
  for (std::uint64_t i = 0; i < *count; ++i) {
    const auto raw = view.read<RawEntry>(position);
    if (!raw)
      return damaged("its table of entries reaches past its end");
    BundleEntry entry;
    entry.offset = raw->offset;
    entry.size = raw->size;
    const auto id = view.slice(position + sizeof(RawEntry), raw->id_length);
    if (!id || !view.contains(entry.offset, entry.size))
      return damaged("an entry reaches past its end");
    split_id(id->text(), entry);
    entries.push_back(std::move(entry));
    position += sizeof(RawEntry) + raw->id_length;
  }
  return entries;
}

} // namespace hk::codeobj
