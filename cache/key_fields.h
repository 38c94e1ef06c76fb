#pragma once
// Reading key texts back: what an entry was made from, field by field. The grammar is KeyText's (key.h).

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cache/key.h"

namespace hk::cache {

struct KeyField {
  std::string name;
  char type = 's'; // s text, i integer, b 0 or 1, d digest, l list
  std::string value;
  friend bool operator==(const KeyField&, const KeyField&) = default;
};

// The fields in the order of the text, or nothing if it is no key text. Any bytes are accepted.
std::optional<std::vector<KeyField>> parse_key_text(std::string_view text);

// The items of a list field's value, or nothing if it is none.
std::optional<std::vector<std::string>> parse_key_list(std::string_view value);

// All fields of a key in the order in which they explain a miss: format, target, the fields of the spec ("spec
// symbol"), options ("option 1", counted from 1), sources, and the build-ids of the tool chain; then whatever else
// there is. A text that cannot be read is one field, "request" or "tool chain".
std::vector<KeyField> explained_fields(const Key& key);

} // namespace hk::cache
