#pragma once
// FileView: bounds-checked reads of little-endian records from bytes that nobody vouches for.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace hk::codeobj {

static_assert(std::endian::native == std::endian::little, "code objects are little-endian and are read in place");

class FileView {
 public:
  FileView() = default;
  explicit FileView(std::span<const std::byte> bytes) : m_bytes(bytes) {}

  [[nodiscard]] std::size_t size() const noexcept { return m_bytes.size(); }
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return m_bytes; }

  // Whether [offset, offset + length) lies inside; neither sum nor comparison can overflow.
  [[nodiscard]] bool contains(std::uint64_t offset, std::uint64_t length) const noexcept {
    return offset <= m_bytes.size() && length <= m_bytes.size() - offset;
  }

  // The record of type T at a byte offset of any alignment; nothing if it would reach past the end.
  template <typename T>
  [[nodiscard]] std::optional<T> read(std::uint64_t offset) const noexcept {
    static_assert(std::is_trivially_copyable_v<T>);
    if (!contains(offset, sizeof(T)))
      return std::nullopt;
    T value;
    std::memcpy(&value, m_bytes.data() + offset, sizeof(T));
    return value;
  }

  // `count` consecutive records; nothing if they would reach past the end.
  template <typename T>
  [[nodiscard]] std::optional<std::vector<T>> read_array(std::uint64_t offset, std::uint64_t count) const {
    static_assert(std::is_trivially_copyable_v<T>);
    if (count > m_bytes.size() / sizeof(T) || !contains(offset, count * sizeof(T)))
      return std::nullopt;
    std::vector<T> values(count);
    if (count != 0)
      std::memcpy(values.data(), m_bytes.data() + offset, count * sizeof(T));
    return values;
  }

  [[nodiscard]] std::optional<FileView> slice(std::uint64_t offset, std::uint64_t length) const noexcept {
    if (!contains(offset, length))
      return std::nullopt;
    return FileView(m_bytes.subspan(offset, length));
  }

  // The text from offset up to, not including, the next zero byte; nothing if no zero byte follows.
  [[nodiscard]] std::optional<std::string_view> zero_terminated(std::uint64_t offset) const noexcept {
    if (offset >= m_bytes.size())
      return std::nullopt;
    const char* begin = reinterpret_cast<const char*>(m_bytes.data()) + offset;
    const void* end = std::memchr(begin, 0, m_bytes.size() - offset);
    if (end == nullptr)
      return std::nullopt;
    return std::string_view(begin, static_cast<std::size_t>(static_cast<const char*>(end) - begin));
  }

  [[nodiscard]] std::string_view text() const noexcept {
    return {reinterpret_cast<const char*>(m_bytes.data()), m_bytes.size()};
  }

 private:
  std::span<const std::byte> m_bytes;
};

} // namespace hk::codeobj
