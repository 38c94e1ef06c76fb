#pragma once
// The factors of the shape tests, and the rotation that lets a factor change with the others instead of multiplying
// them.

#include <array>
#include <cstddef>
#include <cstdint>

#include "problem.h"

namespace hk::test {

inline constexpr std::array<std::int64_t, 9> k_lengths = {1, 7, 63, 64, 65, 127, 129, 257, 300};
inline constexpr std::array<std::int64_t, 2> k_head_dims = {64, 128};
inline constexpr std::array<hk_mask, 3> k_masks = {HK_MASK_NONE, HK_MASK_CAUSAL_BOTTOM_RIGHT, HK_MASK_CAUSAL_TOP_LEFT};
inline constexpr std::array<hk_dtype, 2> k_dtypes = {HK_DTYPE_BFLOAT16, HK_DTYPE_FLOAT16};

struct Heads {
  std::int64_t q;
  std::int64_t kv;
};
inline constexpr std::array<Heads, 5> k_heads = {{{1, 1}, {4, 1}, {6, 2}, {5, 5}, {32, 8}}};

// The kernels of the rotation: element type and lse are functions of head dimension, mask and tile of queries, so that
// the whole sweep needs 18 kernels per device. `turn` swaps the element types (0 or 1).
Shape rotated_shape(std::int64_t head_dim, hk_mask mask, std::int64_t seq_q, std::int64_t seq_k, std::int64_t turn);

// Element types of gfx950 devices are those of the others swapped.
std::int64_t turn_of_device();

} // namespace hk::test
