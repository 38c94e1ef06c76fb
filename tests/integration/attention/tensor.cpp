#include "tensor.h"

#include <algorithm>

namespace hk::test {

Strides dense_strides(const Sizes& sizes, Layout layout, std::int64_t row_padding) {
  const std::int64_t row = sizes.columns + row_padding;
  switch (layout) {
  case Layout::batch_row_head:
    return {sizes.rows * sizes.heads * row, row, sizes.heads * row};
  case Layout::row_batch_head:
    return {sizes.heads * row, row, sizes.batch * sizes.heads * row};
  case Layout::batch_head_row:
    break;
  }
  return {sizes.heads * sizes.rows * row, sizes.rows * row, row};
}

template <typename Element>
Tensor<Element>::Tensor(const Sizes& sizes, const Strides& strides, Surround surround)
    : m_sizes(sizes), m_strides(strides), m_first(static_cast<std::size_t>(surround.guard + surround.offset)) {
  std::int64_t extent = 0;
  if (!empty())
    extent = (sizes.batch - 1) * strides.batch + (sizes.heads - 1) * strides.head + (sizes.rows - 1) * strides.row +
             sizes.columns;
  m_storage.assign(m_first + static_cast<std::size_t>(extent + surround.guard), k_guard);
}

template <typename Element>
template <typename Action>
void Tensor<Element>::for_each_row(Action&& action) const {
  for (std::int64_t b = 0; b < m_sizes.batch; ++b) {
    for (std::int64_t h = 0; h < m_sizes.heads; ++h) {
      for (std::int64_t r = 0; r < m_sizes.rows; ++r)
        action(position(b, h, r, 0), position(b, h, r, 0) + static_cast<std::size_t>(m_sizes.columns));
    }
  }
}

template <typename Element>
std::vector<Element> Tensor<Element>::dense() const {
  std::vector<Element> elements;
  for_each_row([&](std::size_t begin, std::size_t end) {
    elements.insert(elements.end(), m_storage.begin() + static_cast<std::ptrdiff_t>(begin),
                    m_storage.begin() + static_cast<std::ptrdiff_t>(end));
  });
  return elements;
}

template <typename Element>
void Tensor<Element>::fill(Element value) {
  for_each_row([&](std::size_t begin, std::size_t end) {
    std::fill(m_storage.begin() + static_cast<std::ptrdiff_t>(begin),
              m_storage.begin() + static_cast<std::ptrdiff_t>(end), value);
  });
}

template <typename Element>
std::size_t Tensor<Element>::damaged_guards() const {
  std::vector<bool> owned(m_storage.size(), false);
  for_each_row([&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      owned[i] = true;
  });
  std::size_t damaged = 0;
  for (std::size_t i = 0; i < m_storage.size(); ++i)
    damaged += !owned[i] && m_storage[i] != k_guard ? 1 : 0;
  return damaged;
}

template class Tensor<std::uint16_t>;
template class Tensor<std::uint32_t>;

} // namespace hk::test
