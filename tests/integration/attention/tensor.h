#pragma once
// Tensor: [batch][head][row][column] in host memory with any strides, between guard bands.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hk::test {

struct Sizes {
  std::int64_t batch = 1;
  std::int64_t heads = 1;
  std::int64_t rows = 1;
  std::int64_t columns = 1; // contiguous
};

struct Strides { // in elements
  std::int64_t batch = 0;
  std::int64_t head = 0;
  std::int64_t row = 0;
};

// The order of the dimensions in memory, the slowest first.
enum class Layout { batch_head_row, batch_row_head, row_batch_head };

// row_padding: elements between the end of a row and the start of the next thing.
Strides dense_strides(const Sizes& sizes, Layout layout = Layout::batch_head_row, std::int64_t row_padding = 0);

// What lies in front of the first element and behind the last one. In elements.
struct Surround {
  std::int64_t guard = 64; // on each side; 0 leaves nothing behind the last element, where the simulator watches
  std::int64_t offset = 0; // further elements in front, e.g. 1 to leave the 16-byte grid
};

// Element: std::uint16_t (the 16-bit types) or std::uint32_t (the bits of a float). Everything that is no element of
// the tensor holds a NaN pattern, so reading it shows in the results and writing it in damaged_guards().
template <typename Element>
class Tensor {
 public:
  static constexpr Element k_guard = sizeof(Element) == 2 ? Element{0x7fff} : static_cast<Element>(0x7fc0beef);

  Tensor() = default;
  Tensor(const Sizes& sizes, const Strides& strides, Surround surround = {});

  [[nodiscard]] const Sizes& sizes() const { return m_sizes; }
  [[nodiscard]] const Strides& strides() const { return m_strides; }
  Element& at(std::int64_t batch, std::int64_t head, std::int64_t row, std::int64_t column) {
    return m_storage[position(batch, head, row, column)];
  }
  [[nodiscard]] Element at(std::int64_t batch, std::int64_t head, std::int64_t row, std::int64_t column) const {
    return m_storage[position(batch, head, row, column)];
  }
  // Elements in order of their indices, without padding.
  [[nodiscard]] std::vector<Element> dense() const;
  void fill(Element value);

  // Guard bands included: what is copied to a device and back.
  std::vector<Element>& storage() { return m_storage; }
  [[nodiscard]] const std::vector<Element>& storage() const { return m_storage; }
  // Index in storage() of element (0, 0, 0, 0).
  [[nodiscard]] std::size_t first() const { return m_first; }
  [[nodiscard]] std::size_t damaged_guards() const;

 private:
  [[nodiscard]] std::size_t position(std::int64_t batch, std::int64_t head, std::int64_t row,
                                     std::int64_t column) const {
    return m_first +
           static_cast<std::size_t>(batch * m_strides.batch + head * m_strides.head + row * m_strides.row + column);
  }
  [[nodiscard]] bool empty() const { return m_sizes.batch == 0 || m_sizes.heads == 0 || m_sizes.rows == 0; }
  template <typename Action>
  void for_each_row(Action&& action) const;

  Sizes m_sizes;
  Strides m_strides;
  std::vector<Element> m_storage;
  std::size_t m_first = 0;
};

extern template class Tensor<std::uint16_t>;
extern template class Tensor<std::uint32_t>;

} // namespace hk::test
