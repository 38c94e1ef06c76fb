#pragma once
// Bytes, and little-endian reading and writing of them with every access bounds-checked.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace hk::base {

using Bytes = std::vector<std::byte>;
using ByteView = std::span<const std::byte>;

inline ByteView as_bytes(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

inline std::string_view as_text(ByteView bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Appends to a byte vector that it owns.
class ByteWriter {
 public:
  template <typename Integer>
    requires std::is_integral_v<Integer>
  ByteWriter& write(Integer value) {
    for (std::size_t i = 0; i < sizeof(Integer); ++i)
      m_bytes.push_back(static_cast<std::byte>(static_cast<std::make_unsigned_t<Integer>>(value) >> (8 * i)));
    return *this;
  }

  ByteWriter& write_bytes(ByteView bytes) {
    m_bytes.insert(m_bytes.end(), bytes.begin(), bytes.end());
    return *this;
  }

  void reserve(std::size_t count) { m_bytes.reserve(count); }
  [[nodiscard]] const Bytes& bytes() const { return m_bytes; }
  [[nodiscard]] Bytes take() { return std::move(m_bytes); }

 private:
  Bytes m_bytes;
};

// Reads forward through a view. Each read returns false, and moves nothing, if too few bytes are left; lengths from the
// input are therefore compared with what is there before anything is allocated.
class ByteReader {
 public:
  explicit ByteReader(ByteView bytes) : m_bytes(bytes) {}

  template <typename Integer>
    requires std::is_integral_v<Integer>
  [[nodiscard]] bool read(Integer& value) {
    ByteView raw;
    if (!read_bytes(sizeof(Integer), raw))
      return false;
    std::make_unsigned_t<Integer> assembled = 0;
    for (std::size_t i = 0; i < sizeof(Integer); ++i)
      assembled = static_cast<std::make_unsigned_t<Integer>>(
          assembled | static_cast<std::make_unsigned_t<Integer>>(raw[i]) << (8 * i));
    value = static_cast<Integer>(assembled);
    return true;
  }

  [[nodiscard]] bool read_bytes(std::uint64_t count, ByteView& view) {
    if (count > remaining())
      return false;
    view = m_bytes.subspan(m_position, static_cast<std::size_t>(count));
    m_position += static_cast<std::size_t>(count);
    return true;
  }

  [[nodiscard]] bool skip(std::uint64_t count) {
    ByteView ignored;
    return read_bytes(count, ignored);
  }

  // Absolute position from the start; false beyond the end.
  [[nodiscard]] bool seek(std::uint64_t position) {
    if (position > m_bytes.size())
      return false;
    m_position = static_cast<std::size_t>(position);
    return true;
  }

  [[nodiscard]] std::size_t position() const { return m_position; }
  [[nodiscard]] std::size_t remaining() const { return m_bytes.size() - m_position; }

 private:
  ByteView m_bytes;
  std::size_t m_position = 0;
};

} // namespace hk::base
