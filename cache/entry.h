#pragma once
// Entry: one code object with its key and metadata, as the bytes of one file. docs/CACHE.md gives the grammar.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/status.h"
#include "cache/key.h"

namespace hk::cache {

// Raised with every change of the bytes; docs/CACHE.md keeps the history, and a golden test carries the number in its
// name.
inline constexpr std::uint32_t k_entry_format_version = 1;

// More than any code object needs; a larger file is not an entry.
inline constexpr std::uint64_t k_max_entry_bytes = std::uint64_t{64} << 20;

// Names to texts. These names are used by the service and shown by `hk cache ls`; others may be added freely.
using Metadata = std::map<std::string, std::string>;
namespace metadata_names {
inline constexpr const char* k_symbol = "symbol"; // kernel symbol in the code object
inline constexpr const char* k_target = "target"; // full target id
inline constexpr const char* k_vgprs = "vgprs";   // registers of the kernel
inline constexpr const char* k_agprs = "agprs";
inline constexpr const char* k_sgprs = "sgprs";
inline constexpr const char* k_lds_bytes = "lds_bytes";
inline constexpr const char* k_compile_ms = "compile_ms"; // wall clock
inline constexpr const char* k_compiler = "compiler";     // version text, for people; the key holds the build-ids
inline constexpr const char* k_created = "created";       // seconds since 1970
inline constexpr const char* k_rejected = "rejected";     // in a rejected entry only: why, for people
} // namespace metadata_names

struct Entry {
  Key key;
  Metadata metadata;
  base::Bytes payload;
};

// Why bytes are not the entry that was looked for.
enum class EntryProblem {
  not_an_entry,  // another magic
  other_version, // a format that this code does not read
  truncated,     // shorter than it says
  overlong,      // longer than it says
  checksum,      // a byte differs
  malformed,     // the checksum is right, the structure is not: never written by encode_entry
  other_key,     // a sound entry of another key
};

std::string_view entry_problem_text(EntryProblem problem) noexcept;

base::Bytes encode_entry(const Key& key, const Metadata& metadata, base::ByteView payload);

// Accepts any bytes whatever: nothing is allocated before the checksum over the whole is right.
tl::expected<Entry, EntryProblem> decode_entry(base::ByteView bytes);

// decode_entry, and the entry must be that of `key`, text by text.
tl::expected<Entry, EntryProblem> decode_entry_of(const Key& key, base::ByteView bytes);

} // namespace hk::cache
