#pragma once
// Instantiates attention_forward_host for one element type.

#include "kernel_table.h"

#include <kernels/attention_forward_host.h>

namespace hk::test {

template <class ElementType, int HeadDim, MaskKind Mask, bool Aligned, int TileQ, int TileKv>
struct InstanceConfig {
  using Element = ElementType;
  static constexpr int head_dim = HeadDim;
  static constexpr MaskKind mask = Mask;
  static constexpr bool write_lse = true;
  static constexpr bool aligned = Aligned;
  static constexpr int group_size = 0;
  static constexpr int seq_q = 0;
  static constexpr int seq_k = 0;
  static constexpr int waves = TileQ / 32;
  static constexpr int tile_q = TileQ;
  static constexpr int tile_kv = TileKv;
};

template <class Element, int HeadDim, MaskKind Mask>
Kernel instance_of(const KernelChoice& choice) {
  if (choice.tiles == Tiles::q32_kv32)
    return choice.aligned ? attention_forward_host<InstanceConfig<Element, HeadDim, Mask, true, 32, 32>>
                          : attention_forward_host<InstanceConfig<Element, HeadDim, Mask, false, 32, 32>>;
  return choice.aligned ? attention_forward_host<InstanceConfig<Element, HeadDim, Mask, true, 128, 64>>
                        : attention_forward_host<InstanceConfig<Element, HeadDim, Mask, false, 128, 64>>;
}

template <class Element, int HeadDim>
Kernel instance_of(const Shape& shape, const KernelChoice& choice) {
  switch (shape.mask) {
  case MaskKind::none:
    return instance_of<Element, HeadDim, MaskKind::none>(choice);
  case MaskKind::causal_bottom_right:
    return instance_of<Element, HeadDim, MaskKind::causal_bottom_right>(choice);
  case MaskKind::causal_top_left:
    return instance_of<Element, HeadDim, MaskKind::causal_top_left>(choice);
  }
  return nullptr;
}

template <class Element>
Kernel instance_of(const Shape& shape, const KernelChoice& choice) {
  if (shape.head_dim == 64)
    return instance_of<Element, 64>(shape, choice);
  return shape.head_dim == 128 ? instance_of<Element, 128>(shape, choice) : nullptr;
}

} // namespace hk::test
