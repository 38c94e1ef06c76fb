// v_fma_mix*: a fused multiply-add in f32 whose sources are f32 or halves of registers, each as op_sel_hi says.

#include <cmath>

#include "sim/instructions/vector/access/lane_operation.h"

namespace hk::sim {

using namespace vector;

namespace {

struct FusedMultiplyAdd {
  float operator()(float a, float b, float c) const { return std::fma(a, b, c); }
};

const std::uint32_t* mixed_source(LaneAccess& access, unsigned number, Lanes& storage) {
  const Modifiers& modifiers = access.instruction().modifiers;
  const bool half = modifiers.has_op_sel_hi && ((modifiers.op_sel_hi >> number) & 1) != 0;
  const Kind kind = half ? Kind::f16 : Kind::f32;
  const std::uint32_t* words = access.source32(number + 1, number, kind, storage);
  if (!half)
    return words;
  for (int lane = 0; lane < k_wave_size; ++lane)
    storage.words[lane] = F32::bits(F16::value(words[lane]), access.mode());
  return storage.words;
}

template <typename Result>
void execute_mixed(Wave& wave, const Instruction& instruction) {
  LaneAccess access(wave, instruction);
  Lanes storage[3];
  Lanes result;
  LoopArguments arguments;
  for (unsigned n = 0; n < 3; ++n)
    arguments.source[n] = mixed_source(access, n, storage[n]);
  arguments.result = result.words;
  arguments.mode = access.mode();
  run_lanes<FusedMultiplyAdd, Result, F32, F32, F32>(arguments);
  access.store32(0, Result::result, result.words);
}

} // namespace

void register_mixed_precision(OperationTable& table) {
  table.add(vector_operation("v_fma_mix_f32", execute_mixed<F32>));
  table.add(vector_operation("v_fma_mixlo_f16", execute_mixed<Low<F16>>));
  table.add(vector_operation("v_fma_mixhi_f16", execute_mixed<High<F16>>));
}

} // namespace hk::sim
