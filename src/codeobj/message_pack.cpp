#include "codeobj/message_pack.h"

#include "codeobj/file_view.h"

namespace hk::codeobj {
namespace {

constexpr int k_maximum_depth = 32;

FailAs damaged(const char* what) {
  return fail_as(Status(StatusCode::load_failed,
                        std::string("the metadata of the code object is damaged: ") + what + "; recompile it"));
}

template <typename T>
T from_big_endian(T value) {
  if constexpr (sizeof(T) == 2)
    return static_cast<T>(__builtin_bswap16(value));
  else if constexpr (sizeof(T) == 4)
    return __builtin_bswap32(value);
  else if constexpr (sizeof(T) == 8)
    return __builtin_bswap64(value);
  else
    return value;
}

class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : m_view(bytes) {}

  [[nodiscard]] bool at_end() const { return m_position == m_view.size(); }

  Result<MessagePackValue> value(int depth) {
    if (depth > k_maximum_depth)
      return damaged("it is nested too deeply");
    HK_ASSIGN_OR_RETURN(const std::uint8_t tag, big_endian<std::uint8_t>());
    if (tag <= 0x7f)
      return MessagePackValue{std::uint64_t{tag}};
    if (tag <= 0x8f)
      return map(tag & 0xf, depth);
    if (tag <= 0x9f)
      return array(tag & 0xf, depth);
    if (tag <= 0xbf)
      return text(tag & 0x1f);
    if (tag >= 0xe0)
      return MessagePackValue{std::int64_t{static_cast<std::int8_t>(tag)}};
    if (tag <= 0xc9 || (tag >= 0xd4 && tag <= 0xdb))
      return opaque_or_text(tag);
    if (tag >= 0xdc)
      return container(tag, depth);
    return number(tag);
  }

 private:
  template <typename T>
  Result<T> big_endian() {
    const auto value = m_view.read<T>(m_position);
    if (!value)
      return damaged("it ends in the middle of a value");
    m_position += sizeof(T);
    return from_big_endian(*value);
  }

  // A length of 1, 2 or 4 bytes.
  Result<std::uint64_t> length(int width) {
    if (width == 1)
      return big_endian<std::uint8_t>();
    if (width == 2)
      return big_endian<std::uint16_t>();
    return big_endian<std::uint32_t>();
  }

  Result<FileView> take(std::uint64_t size) {
    const auto bytes = m_view.slice(m_position, size);
    if (!bytes)
      return damaged("it ends in the middle of a value");
    m_position += size;
    return *bytes;
  }

  Result<MessagePackValue> text(std::uint64_t size) {
    HK_ASSIGN_OR_RETURN(const FileView bytes, take(size));
    return MessagePackValue{std::string(bytes.text())};
  }

  // Every element takes at least one byte, so a count beyond the rest cannot be right.
  [[nodiscard]] bool fits(std::uint64_t count) const { return count <= m_view.size() - m_position; }

  Result<MessagePackValue> array(std::uint64_t count, int depth) {
    if (!fits(count))
      return damaged("an array is longer than the rest of it");
    MessagePackArray elements;
    for (std::uint64_t i = 0; i < count; ++i) {
      HK_ASSIGN_OR_RETURN(MessagePackValue element, value(depth + 1));
      elements.push_back(std::move(element));
    }
    return MessagePackValue{std::move(elements)};
  }

  Result<MessagePackValue> map(std::uint64_t count, int depth) {
    if (!fits(count))
      return damaged("a map is longer than the rest of it");
    MessagePackMap entries;
    for (std::uint64_t i = 0; i < count; ++i) {
      HK_ASSIGN_OR_RETURN(MessagePackValue key, value(depth + 1));
      HK_ASSIGN_OR_RETURN(MessagePackValue content, value(depth + 1));
      entries.keys.push_back(std::move(key));
      entries.values.push_back(std::move(content));
    }
    return MessagePackValue{std::move(entries)};
  }

  Result<MessagePackValue> container(std::uint8_t tag, int depth) {
    HK_ASSIGN_OR_RETURN(const std::uint64_t count, length((tag & 1) != 0 ? 4 : 2));
    return tag <= 0xdd ? array(count, depth) : map(count, depth);
  }

  // nil, booleans, bin 8/16/32, ext 8/16/32, fixext, str 8/16/32.
  Result<MessagePackValue> opaque_or_text(std::uint8_t tag) {
    if (tag == 0xc0)
      return MessagePackValue{};
    if (tag == 0xc1)
      return damaged("it holds the one byte that no value starts with");
    if (tag == 0xc2 || tag == 0xc3)
      return MessagePackValue{tag == 0xc3};
    if (tag >= 0xd9) {
      HK_ASSIGN_OR_RETURN(const std::uint64_t size, length(1 << (tag - 0xd9)));
      return text(size);
    }
    if (tag >= 0xd4) // fixext: type byte, then 1, 2, 4, 8 or 16 bytes
      return skip(1 + (std::uint64_t{1} << (tag - 0xd4)));
    const bool extension = tag >= 0xc7;
    HK_ASSIGN_OR_RETURN(const std::uint64_t size, length(1 << (tag - (extension ? 0xc7 : 0xc4))));
    if (extension)
      return skip(1 + size);
    return text(size);
  }

  Result<MessagePackValue> skip(std::uint64_t size) {
    HK_ASSIGN_OR_RETURN([[maybe_unused]] const FileView bytes, take(size));
    return MessagePackValue{};
  }

  template <typename Signed>
  static MessagePackValue signed_value(Signed value) {
    if (value < 0)
      return {std::int64_t{value}};
    return {static_cast<std::uint64_t>(value)};
  }

  // float 32/64 (0xca, 0xcb), uint 8..64 (0xcc..0xcf), int 8..64 (0xd0..0xd3).
  Result<MessagePackValue> number(std::uint8_t tag) {
    switch (tag) {
    case 0xca: {
      HK_ASSIGN_OR_RETURN(const std::uint32_t bits, big_endian<std::uint32_t>());
      return MessagePackValue{double{std::bit_cast<float>(bits)}};
    }
    case 0xcb: {
      HK_ASSIGN_OR_RETURN(const std::uint64_t bits, big_endian<std::uint64_t>());
      return MessagePackValue{std::bit_cast<double>(bits)};
    }
    case 0xcc:
    case 0xcd:
    case 0xce: {
      HK_ASSIGN_OR_RETURN(const std::uint64_t value, length(1 << (tag - 0xcc)));
      return MessagePackValue{value};
    }
    case 0xd0: {
      HK_ASSIGN_OR_RETURN(const std::uint8_t bits, big_endian<std::uint8_t>());
      return signed_value(static_cast<std::int8_t>(bits));
    }
    case 0xd1: {
      HK_ASSIGN_OR_RETURN(const std::uint16_t bits, big_endian<std::uint16_t>());
      return signed_value(static_cast<std::int16_t>(bits));
    }
    case 0xd2: {
      HK_ASSIGN_OR_RETURN(const std::uint32_t bits, big_endian<std::uint32_t>());
      return signed_value(static_cast<std::int32_t>(bits));
    }
    default: {
      HK_ASSIGN_OR_RETURN(const std::uint64_t bits, big_endian<std::uint64_t>());
      return tag == 0xcf ? MessagePackValue{bits} : signed_value(static_cast<std::int64_t>(bits));
    }
    }
  }

  FileView m_view;
  std::uint64_t m_position = 0;
};

} // namespace

const MessagePackValue* MessagePackValue::find(std::string_view key) const noexcept {
  const auto* entries = std::get_if<MessagePackMap>(&data);
  if (entries == nullptr)
    return nullptr;
  for (std::size_t i = 0; i < entries->keys.size(); ++i)
    if (const std::string* text = entries->keys[i].text(); text != nullptr && *text == key)
      return &entries->values[i];
  return nullptr;
}

const MessagePackArray& MessagePackValue::array() const noexcept {
  static const MessagePackArray k_empty;
  const auto* elements = std::get_if<MessagePackArray>(&data);
  return elements != nullptr ? *elements : k_empty;
}

Result<MessagePackValue> parse_message_pack(std::span<const std::byte> bytes) {
  Reader reader(bytes);
  HK_ASSIGN_OR_RETURN(MessagePackValue value, reader.value(0));
  if (!reader.at_end())
    return damaged("bytes follow its value");
  return value;
}

} // namespace hk::codeobj
