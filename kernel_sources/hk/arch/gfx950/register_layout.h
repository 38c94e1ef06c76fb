#pragma once
// Which lane holds what of a 32x32 product. Source: AMD CDNA4 ISA, chapter 7, for v_mfma_f32_32x32x16_{bf16,f16}.
//
// C and D are those of gfx942. A and B are 8 elements per lane in one instruction, which takes lane l's elements as
// depths 8 (l / 32) + {0..7}: DepthOrder::memory. In DepthOrder::accumulator both operands permute the depth in the
// same way, element e of lane l standing for depth 8 (e / 4) + 4 (l / 32) + e % 4, and the sum is the same. These are
// the two orders of gfx942.

#include <hk/arch/gfx942/register_layout.h>

namespace hk::gfx950 {

using gfx942::AccumulatorLayout;
using gfx942::OperandLayout;

} // namespace hk::gfx950
