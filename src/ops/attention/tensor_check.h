#pragma once
// Checks of one tensor: pointer, strides, extent. Messages name the tensor and the field.

#include <cstddef>
#include <cstdint>

#include "base/status.h"
#include "hk/hk.h"

namespace hk::ops {

struct TensorShape {
  std::int64_t batch = 0;
  std::int64_t heads = 0;
  std::int64_t rows = 0;
  std::int64_t columns = 0; // contiguous

  [[nodiscard]] bool empty() const { return batch == 0 || heads == 0 || rows == 0; }
};

struct TensorStrides { // in elements
  std::int64_t batch = 0;
  std::int64_t head = 0;
  std::int64_t row = 0;
};

inline TensorStrides strides_of(const hk_tensor& tensor) {
  return {tensor.stride_batch, tensor.stride_head, tensor.stride_row};
}

Status check_present(const char* name, const void* data);

// Strides not negative, pointer aligned to an element, and the last byte still addressable. A null pointer is taken as
// one that is not known yet.
Status check_extent(const char* name, const void* data, const TensorStrides& strides, const TensorShape& shape,
                    std::size_t element_bytes);

// check_extent of a tensor of 16-bit elements, and its reserved field is 0.
Status check_tensor(const char* name, const hk_tensor& tensor, const TensorShape& shape);

// Refuses an output in which two elements may share memory: sorted by size, each stride must be at least what the
// smaller ones span. Requires check_extent.
Status check_no_self_overlap(const char* name, const TensorStrides& strides, const TensorShape& shape);

// A tensor of known strides for the overlap check; null data overlaps nothing.
struct PlacedTensor {
  const char* name;
  const void* data;
  TensorStrides strides;
  TensorShape shape;
  std::size_t element_bytes;
};

// Refuses two tensors that surely share memory: their extents intersect and both are without holes. Interleaved layouts
// (packed Q, K, V and O) have holes and pass. Requires check_extent of both.
Status check_no_overlap(const PlacedTensor& output, const PlacedTensor& other);

} // namespace hk::ops
