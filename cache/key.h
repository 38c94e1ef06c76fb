#pragma once
// Key: what a code object was made from, as text.
//
// A key has two halves. The request says what is wanted (spec, kernel sources, options, target); the tool chain says
// who compiled it. The disk store demands both; a read-only layer may be asked for a request under any tool chain it
// lists. The XXH3-128 digests of the texts name the entry, and the texts are stored in it and compared, so a collision
// is a miss.

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/hash.h"

namespace hk::cache {

// Builds a canonical text of named, typed, length-delimited fields:
//   field = name-length ":" name "=" type value-length ":" value "\n"
// Types: s text, i integer, b 0 or 1, d digest in hexadecimal, l list (the value is a sequence of length ":" item).
// Two different sets of fields never give the same text, whatever the names and values contain. Fields are sorted by
// name, so the order of the calls does not matter; repeated names keep their order.
class KeyText {
 public:
  KeyText& add(std::string_view name, std::string_view value) { return add_field(name, 's', value); }
  KeyText& add(std::string_view name, const char* value) { return add_field(name, 's', value); }
  KeyText& add(std::string_view name, bool value) { return add_field(name, 'b', value ? "1" : "0"); }
  KeyText& add(std::string_view name, const base::Digest128& value) {
    return add_field(name, 'd', base::to_hex(value));
  }
  KeyText& add(std::string_view name, const std::vector<std::string>& items);
  template <std::integral Integer>
    requires(!std::same_as<Integer, bool>)
  KeyText& add(std::string_view name, Integer value) {
    return add_field(name, 'i', std::to_string(value));
  }

  [[nodiscard]] std::string text() const;

 private:
  KeyText& add_field(std::string_view name, char type, std::string_view value);

  std::vector<std::pair<std::string, std::string>> m_fields; // name, encoded field
};

struct KeyRequest {
  std::string spec;                 // canonical text of the spec; a KeyText is a good way to write it
  base::Digest128 sources;          // of every header and kernel file that the compile may read
  std::vector<std::string> options; // compiler options in order
  std::string target;               // full target id with features: gfx942:sramecc+:xnack-
};

struct ToolchainPart {
  std::string name;     // libhiprtc, libamd_comgr, hk-compile-worker
  std::string build_id; // hexadecimal, from the ELF note
};

struct Key {
  std::string request_text;
  std::string toolchain_text;
  base::Digest128 request;   // of request_text
  base::Digest128 toolchain; // of toolchain_text

  // "<request digest>-<tool-chain digest>": names the entry, in files and in maps.
  [[nodiscard]] std::string name() const;
  friend bool operator==(const Key&, const Key&) = default;
};

Key make_key(const KeyRequest& request, const std::vector<ToolchainPart>& toolchain);

// The key that has these texts, as read from an entry.
Key key_from_texts(std::string request_text, std::string toolchain_text);

} // namespace hk::cache
