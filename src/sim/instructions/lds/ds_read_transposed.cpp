// ds_read_b64_tr_b16, _b8, _b4 and ds_read_b96_tr_b6 (gfx950): a load that transposes between the lanes of each group
// of 16.
//
// A group's 16 lanes read 16 columns by R rows, in memory order along a row: 16 / n consecutive elements per lane, so
// that n lanes hold a row. Lane l of the group then receives column l, one element of each row, row 0 lowest:
//
//   form           element  elements read per lane  rows  row r, column c comes from
//   b64_tr_b16     16 bits          4                 4    lane 4 r + c / 4, its element c % 4
//   b64_tr_b8       8 bits          8                 8    lane 2 r + c / 8, its element c % 8
//   b64_tr_b4       4 bits         16                16    lane r, its element c
//   b96_tr_b6       6 bits         16                16    lane r, its element c
//
// b16 written out, "sXY" = element Y of the 8 bytes at lane X's address:
//   lane  0: s0.0 s4.0 s8.0  s12.0    lane  4: s1.0 s5.0 s9.0  s13.0  ...  lane 12: s3.0 s7.0 s11.0 s15.0
//   lane  1: s0.1 s4.1 s8.1  s12.1    lane  5: s1.1 s5.1 s9.1  s13.1  ...  lane 13: s3.1 s7.1 s11.1 s15.1
//   lane  2: s0.2 s4.2 s8.2  s12.2    lane  6: s1.2 s5.2 s9.2  s13.2  ...  lane 14: s3.2 s7.2 s11.2 s15.2
//   lane  3: s0.3 s4.3 s8.3  s12.3    lane  7: s1.3 s5.3 s9.3  s13.3  ...  lane 15: s3.3 s7.3 s11.3 s15.3
//
// Sources: "CDNA4 ISA", section "MFMA Transpose Load from LDS" (each lane reads consecutive M or N values; the first of
// two b16 loads gives k = 0..3 and 8..11 of a 32x32x16 operand, so a group of lanes yields four k of one half), the
// opcode's use by tile libraries for gfx950, and AMD's own correction of its simulator for b16 (ROCm/rocm-systems pull
// request 10175: destination lane l, half n comes from source lane 4 n + l / 4, half l % 4). b8, b4 and b6 follow the
// same rule.
//
// The guide demands EXEC = all ones and addresses aligned to the data; b96 reads 12 bytes at multiples of 16.

#include <cstring>

#include "sim/instructions/lds/access/lds_access.h"

namespace hk::sim {

namespace {

constexpr int k_group = 16;

template <int ElementBits, int Dwords>
std::uint32_t element_of(const std::uint32_t (*source)[Dwords], int lane, int element) {
  const int bit = element * ElementBits;
  std::uint64_t window = source[lane][bit / 32];
  if (bit / 32 + 1 < Dwords)
    window |= std::uint64_t(source[lane][bit / 32 + 1]) << 32;
  return std::uint32_t(window >> (bit % 32)) & ((1u << ElementBits) - 1);
}

// 16-bit elements: the rows of a group's 4 x 16 matrix lie one after the other, and lane c gets column c of them.
void transpose_half_words(const std::uint32_t (&source)[k_group][2], std::uint32_t* low, std::uint32_t* high) {
  std::uint16_t rows[4][k_group];
  std::memcpy(rows, source, sizeof rows);
  for (int column = 0; column < k_group; ++column) {
    low[column] = rows[0][column] | std::uint32_t(rows[1][column]) << 16;
    high[column] = rows[2][column] | std::uint32_t(rows[3][column]) << 16;
  }
}

template <int ElementBits, int Dwords>
void complete_transposed(Wave& wave, const PendingAccess& access) {
  constexpr int k_elements = Dwords * 32 / ElementBits; // per lane, and the number of rows
  constexpr int k_lanes_per_row = k_group / k_elements;
  auto* target = &wave.vector[access.instruction->operands[0].index];
  for (int group = 0; group < k_wave_size; group += k_group) {
    std::uint32_t source[k_group][Dwords];
    for (int lane = 0; lane < k_group; ++lane)
      std::memcpy(source[lane], lds_at(wave, access.addresses[group + lane]), sizeof source[lane]);
    if constexpr (ElementBits == 16) {
      transpose_half_words(source, target[0] + group, target[1] + group);
      continue;
    }
    for (int column = 0; column < k_group; ++column) {
      std::uint32_t packed[Dwords] = {};
      for (int row = 0; row < k_elements; ++row) {
        const std::uint32_t element =
            element_of<ElementBits, Dwords>(source, k_lanes_per_row * row + column / k_elements, column % k_elements);
        const int bit = row * ElementBits;
        packed[bit / 32] |= element << (bit % 32);
        if (bit % 32 + ElementBits > 32)
          packed[bit / 32 + 1] |= element >> (32 - bit % 32);
      }
      for (int i = 0; i < Dwords; ++i)
        target[i][group + column] = packed[i];
    }
  }
}

template <int ElementBits, int Dwords>
void execute_transposed(Wave& wave, const Instruction& instruction) {
  if (wave.exec() != ~std::uint64_t{0}) {
    wave.raise(FaultKind::unsupported_operand, instruction, "transposing loads need EXEC to be all ones");
    return;
  }
  PendingAccess* access = prepare_lds_access(wave, instruction, instruction.operands[1],
                                             std::uint32_t(instruction.modifiers.offset), Dwords * 4);
  if (access == nullptr || !check_lds_alignment(wave, *access, Dwords == 3 ? 16 : 8))
    return;
  access->complete = complete_transposed<ElementBits, Dwords>;
  wave.issue_prepared(true);
}

} // namespace

void register_ds_read_transposed(OperationTable& table) {
  add_lds_operation(table, "ds_read_b64_tr_b16", execute_transposed<16, 2>, 1, 8);
  add_lds_operation(table, "ds_read_b64_tr_b8", execute_transposed<8, 2>, 1, 8);
  add_lds_operation(table, "ds_read_b64_tr_b4", execute_transposed<4, 2>, 1, 8);
  add_lds_operation(table, "ds_read_b96_tr_b6", execute_transposed<6, 3>, 1, 12);
}

} // namespace hk::sim
