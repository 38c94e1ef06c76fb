// Moves, selections and exchanges of whole registers.

#include "sim/instructions/vector/access/lane_operation.h"

namespace hk::sim {

using namespace vector;

namespace {

void execute_swap(Wave& wave, const Instruction& instruction) {
  LaneAccess access(wave, instruction);
  Lanes first;
  Lanes second;
  for (int lane = 0; lane < k_wave_size; ++lane) {
    first.words[lane] = wave.vector[instruction.operands[0].index][lane];
    second.words[lane] = wave.vector[instruction.operands[1].index][lane];
  }
  access.store_register(0, 0, second.words);
  access.store_register(1, 0, first.words);
}

// op_sel picks the dword of source 0 that becomes the low and the dword of source 1 that becomes the high result.
void execute_packed_move(Wave& wave, const Instruction& instruction) {
  LaneAccess access(wave, instruction);
  Lanes storage[2];
  Lanes result[2];
  for (unsigned half = 0; half < 2; ++half) {
    SourceView view;
    view.dword = (instruction.modifiers.op_sel >> half) & 1;
    const std::uint32_t* words = access.source32(half + 1, half, Kind::u32, view, storage[half]);
    for (int lane = 0; lane < k_wave_size; ++lane)
      result[half].words[lane] = words[lane];
  }
  access.store_register(0, 0, result[0].words);
  access.store_register(0, 1, result[1].words);
}

void execute_nothing(Wave&, const Instruction&) {}

} // namespace

void register_vector_move(OperationTable& table) {
  const auto copy = [](auto a) { return a; };
  add_lane_operation<U32(U32)>(table, "v_mov_b32", copy);
  add_lane_operation<U64(U64)>(table, "v_mov_b64", copy);
  add_lane_operation<U32(U32)>(table, "v_accvgpr_read_b32", copy);
  add_lane_operation<U32(U32)>(table, "v_accvgpr_write_b32", copy);
  add_lane_operation<U32(U32)>(table, "v_accvgpr_mov_b32", copy);
  add_lane_operation<U32(U32, U32, LaneMask)>(table, "v_cndmask_b32",
                                              [](auto a, auto b, auto selected) { return selected != 0 ? b : a; });
  table.add(vector_operation("v_swap_b32", execute_swap, 2));
  table.add(vector_operation("v_pk_mov_b32", execute_packed_move));
  table.add(vector_operation("v_nop", execute_nothing, 0));
  // Clears exception flags, which the simulator does not keep.
  table.add(vector_operation("v_clrexcp", execute_nothing, 0));
}

} // namespace hk::sim
