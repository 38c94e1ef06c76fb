#pragma once
// How long the matrix unit is busy with an instruction: passes of four clocks each. The issue slot that the instruction
// takes from the VALU is Operation::issue_clocks, not this.
//
// Sources: CDNA3 and CDNA4 ISA guides, tables of MFMA and SMFMAC opcodes (cycles / 4), AMD Matrix Instruction
// Calculator for gfx942; the f8f6f4 forms take twice as long when either operand is 8 bits wide ("CDNA4 ISA", table of
// F8F6F4).

#include <cstdint>
#include <string_view>

#include "sim/machine/instruction.h"
#include "sim/machine/target.h"

namespace hk::sim {

struct MatrixPasses {
  std::string_view mnemonic;
  std::uint8_t gfx942 = 0; // 0: the target has no such instruction
  std::uint8_t gfx950 = 0;
};

inline constexpr MatrixPasses k_matrix_passes[] = {
    {"v_mfma_f32_32x32x8_bf16", 8, 8},
    {"v_mfma_f32_16x16x16_bf16", 4, 4},
    {"v_mfma_f32_32x32x4_2b_bf16", 16, 16},
    {"v_mfma_f32_16x16x4_4b_bf16", 8, 8},
    {"v_mfma_f32_4x4x4_16b_bf16", 2, 2},
    {"v_mfma_f32_32x32x16_bf16", 0, 8},
    {"v_mfma_f32_16x16x32_bf16", 0, 4},
    {"v_mfma_f32_32x32x8_f16", 8, 8},
    {"v_mfma_f32_16x16x16_f16", 4, 4},
    {"v_mfma_f32_32x32x4_2b_f16", 16, 16},
    {"v_mfma_f32_16x16x4_4b_f16", 8, 8},
    {"v_mfma_f32_4x4x4_16b_f16", 2, 2},
    {"v_mfma_f32_32x32x16_f16", 0, 8},
    {"v_mfma_f32_16x16x32_f16", 0, 4},
    {"v_mfma_f32_32x32x2_f32", 16, 16},
    {"v_mfma_f32_16x16x4_f32", 8, 8},
    {"v_mfma_f32_32x32x1_2b_f32", 16, 16},
    {"v_mfma_f32_16x16x1_4b_f32", 8, 8},
    {"v_mfma_f32_4x4x1_16b_f32", 2, 2},
    {"v_mfma_f32_32x32x4_xf32", 8, 0},
    {"v_mfma_f32_16x16x8_xf32", 4, 0},
    {"v_mfma_i32_32x32x16_i8", 8, 8},
    {"v_mfma_i32_16x16x32_i8", 4, 4},
    {"v_mfma_i32_32x32x4_2b_i8", 16, 16},
    {"v_mfma_i32_16x16x4_4b_i8", 8, 8},
    {"v_mfma_i32_4x4x4_16b_i8", 2, 2},
    {"v_mfma_i32_32x32x32_i8", 0, 8},
    {"v_mfma_i32_16x16x64_i8", 0, 4},
    {"v_mfma_f64_16x16x4_f64", 8, 16},
    {"v_mfma_f64_4x4x4_4b_f64", 4, 8},
    {"v_mfma_f32_32x32x16_fp8_fp8", 8, 8},
    {"v_mfma_f32_32x32x16_fp8_bf8", 8, 8},
    {"v_mfma_f32_32x32x16_bf8_fp8", 8, 8},
    {"v_mfma_f32_32x32x16_bf8_bf8", 8, 8},
    {"v_mfma_f32_16x16x32_fp8_fp8", 4, 4},
    {"v_mfma_f32_16x16x32_fp8_bf8", 4, 4},
    {"v_mfma_f32_16x16x32_bf8_fp8", 4, 4},
    {"v_mfma_f32_16x16x32_bf8_bf8", 4, 4},
    // with 6-bit and 4-bit operands only; matrix_passes doubles them for an 8-bit operand
    {"v_mfma_f32_32x32x64_f8f6f4", 0, 8},
    {"v_mfma_f32_16x16x128_f8f6f4", 0, 4},
    {"v_mfma_scale_f32_32x32x64_f8f6f4", 0, 8},
    {"v_mfma_scale_f32_16x16x128_f8f6f4", 0, 4},
};

// 0 for a mnemonic that the target's matrix unit does not have. cbsz and blgp are the formats of an f8f6f4 instruction.
constexpr unsigned matrix_passes(std::string_view mnemonic, Target target, unsigned cbsz = 0, unsigned blgp = 0) {
  constexpr unsigned k_widest_8_bit_format = 1;
  // Sparse instructions exist in two sizes, with the passes of the dense ones of the same result.
  if (mnemonic.starts_with("v_smfmac_"))
    return mnemonic.find("_32x32x") != std::string_view::npos ? 8 : 4;
  for (const MatrixPasses& entry : k_matrix_passes) {
    if (entry.mnemonic != mnemonic)
      continue;
    const unsigned passes = target == Target::gfx942 ? entry.gfx942 : entry.gfx950;
    const bool has_8_bit_operand = cbsz <= k_widest_8_bit_format || blgp <= k_widest_8_bit_format;
    return mnemonic.ends_with("_f8f6f4") && has_8_bit_operand ? 2 * passes : passes;
  }
  return 0;
}

} // namespace hk::sim
