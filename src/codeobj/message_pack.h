#pragma once
// A reader of MessagePack (github.com/msgpack/msgpack, spec.md) for code-object metadata: one value as a tree.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/status.h"

namespace hk::codeobj {

struct MessagePackValue;
using MessagePackArray = std::vector<MessagePackValue>;
// keys[i] belongs to values[i]. (Not a vector of pairs: a pair needs its incomplete members whole.)
struct MessagePackMap {
  std::vector<MessagePackValue> keys;
  std::vector<MessagePackValue> values;
};

struct MessagePackValue {
  // Extension values are kept as nil: metadata does not use them.
  std::variant<std::monostate, bool, std::uint64_t, std::int64_t, double, std::string, MessagePackArray, MessagePackMap>
      data;

  // The value of a text key of a map; null if this is no map or lacks the key.
  [[nodiscard]] const MessagePackValue* find(std::string_view key) const noexcept;
  // Nothing-valued defaults for a value of another kind.
  [[nodiscard]] const MessagePackArray& array() const noexcept;
  [[nodiscard]] const std::string* text() const noexcept { return std::get_if<std::string>(&data); }
  [[nodiscard]] const std::uint64_t* number() const noexcept { return std::get_if<std::uint64_t>(&data); }
  [[nodiscard]] const bool* boolean() const noexcept { return std::get_if<bool>(&data); }
};

// Exactly one value that fills the bytes. Non-negative integers come out as uint64_t whatever their encoding.
// Fails with load_failed; nesting deeper than 32 and elements that cannot fit the bytes are refused.
Result<MessagePackValue> parse_message_pack(std::span<const std::byte> bytes);

} // namespace hk::codeobj
