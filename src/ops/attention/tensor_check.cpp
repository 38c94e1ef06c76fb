#include "ops/attention/tensor_check.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>

namespace hk::ops {
namespace {

struct Dimension {
  const char* name;
  std::int64_t size;
  std::int64_t stride;
};

std::array<Dimension, 3> dimensions(const TensorStrides& strides, const TensorShape& shape) {
  return {Dimension{"stride_batch", shape.batch, strides.batch}, Dimension{"stride_head", shape.heads, strides.head},
          Dimension{"stride_row", shape.rows, strides.row}};
}

std::string field(const char* name, const Dimension& dimension) {
  // lse has its strides beside it, not inside a hk_tensor.
  const std::string tensor = name;
  return tensor + (tensor == "lse" ? "_" : ".") + dimension.name;
}

// Elements from the first to one past the last; false on overflow of 64 bits.
bool extent(const TensorStrides& strides, const TensorShape& shape, std::int64_t& elements) {
  elements = shape.columns;
  for (const Dimension& dimension : dimensions(strides, shape)) {
    std::int64_t span = 0;
    if (__builtin_mul_overflow(dimension.size - 1, dimension.stride, &span) ||
        __builtin_add_overflow(elements, span, &elements))
      return false;
  }
  return true;
}

} // namespace

Status check_present(const char* name, const void* data) {
  if (data != nullptr)
    return {};
  return {StatusCode::invalid_argument, std::string(name) + ".data is null"};
}

Status check_extent(const char* name, const void* data, const TensorStrides& strides, const TensorShape& shape,
                    std::size_t element_bytes) {
  for (const Dimension& dimension : dimensions(strides, shape)) {
    if (dimension.stride < 0)
      return {StatusCode::invalid_argument,
              field(name, dimension) + " is " + std::to_string(dimension.stride) + ": strides must not be negative"};
  }
  const auto address = reinterpret_cast<std::uintptr_t>(data);
  if (address % element_bytes != 0)
    return {StatusCode::invalid_argument, std::string(name) + " points to an address that is not a multiple of its " +
                                              std::to_string(element_bytes) + "-byte element"};
  if (shape.empty())
    return {};
  std::int64_t elements = 0;
  std::int64_t bytes = 0;
  if (!extent(strides, shape, elements) ||
      __builtin_mul_overflow(elements, static_cast<std::int64_t>(element_bytes), &bytes) ||
      address > std::numeric_limits<std::uintptr_t>::max() - static_cast<std::uintptr_t>(bytes))
    return {StatusCode::invalid_argument,
            std::string(name) + ": sizes and strides reach past the end of the address space: correct its strides"};
  return {};
}

Status check_tensor(const char* name, const hk_tensor& tensor, const TensorShape& shape) {
  if (tensor.reserved != 0)
    return {StatusCode::invalid_argument,
            std::string(name) + ".reserved is " + std::to_string(tensor.reserved) + ": it must be 0"};
  return check_extent(name, tensor.data, strides_of(tensor), shape, 2);
}

Status check_no_self_overlap(const char* name, const TensorStrides& strides, const TensorShape& shape) {
  if (shape.empty())
    return {};
  std::array<Dimension, 3> sorted = dimensions(strides, shape);
  std::sort(sorted.begin(), sorted.end(), [](const Dimension& a, const Dimension& b) { return a.stride < b.stride; });
  std::int64_t spanned = shape.columns;
  for (const Dimension& dimension : sorted) {
    if (dimension.size == 1)
      continue;
    if (dimension.stride < spanned)
      return {StatusCode::invalid_argument, field(name, dimension) + " is " + std::to_string(dimension.stride) +
                                                ", but the smaller dimensions span " + std::to_string(spanned) +
                                                " elements: elements of an output must not overlap"};
    spanned += (dimension.size - 1) * dimension.stride;
  }
  return {};
}

Status check_no_overlap(const PlacedTensor& output, const PlacedTensor& other) {
  if (output.data == nullptr || other.data == nullptr || output.shape.empty() || other.shape.empty())
    return {};
  std::array<std::uintptr_t, 2> begin{};
  std::array<std::uintptr_t, 2> end{};
  bool has_holes = false;
  std::size_t i = 0;
  for (const PlacedTensor* tensor : {&output, &other}) {
    const TensorShape& shape = tensor->shape;
    std::int64_t elements = 0;
    if (!extent(tensor->strides, shape, elements))
      return {};
    begin[i] = reinterpret_cast<std::uintptr_t>(tensor->data);
    end[i] = begin[i] + static_cast<std::uintptr_t>(elements) * tensor->element_bytes;
    // An input that repeats (stride 0) spans less than it has elements: it has no holes either.
    has_holes = has_holes || elements > static_cast<__int128>(shape.batch) * shape.heads * shape.rows * shape.columns;
    ++i;
  }
  const bool starts_together = begin[0] == begin[1];
  if (begin[0] >= end[1] || begin[1] >= end[0] || (has_holes && !starts_together))
    return {};
  return {StatusCode::invalid_argument, std::string(output.name) + " shares memory with " + other.name +
                                            ": the output must not overlap any other tensor"};
}

} // namespace hk::ops
