// Conversions between f32 and the 8-bit formats: FNUZ on gfx942, OCP on gfx950.
//
// A finite value that overflows becomes NaN (E4M3 and FNUZ) or infinity (E5M2), or the largest number if MODE.FP16_OVFL
// is set.

#include <bit>
#include <cstdint>

#include "sim/instructions/vector/access/lane_operation.h"
#include "sim/instructions/vector/access/number_format.h"
#include "sim/instructions/vector/access/output_modifiers.h"
#include "sim/machine/workgroup.h"

namespace hk::sim {

using namespace vector;

namespace {

enum class Byte : std::uint8_t { fp8, bf8 };

const NumberFormat& format_of(const Wave& wave, Byte kind) {
  const bool ocp = wave.workgroup != nullptr && wave.workgroup->target == Target::gfx950;
  if (kind == Byte::fp8)
    return ocp ? k_fp8 : k_fp8_fnuz;
  return ocp ? k_bf8 : k_bf8_fnuz;
}

std::uint32_t widen(const NumberFormat& format, std::uint32_t byte) {
  return std::bit_cast<std::uint32_t>(float(read_number(format, byte)));
}

// The SDWA form selects the byte.
template <Byte kind>
void execute_widen(Wave& wave, const Instruction& instruction) {
  LaneAccess access(wave, instruction);
  const NumberFormat& format = format_of(wave, kind);
  Lanes storage;
  Lanes result;
  const std::uint32_t* source = access.source32(1, 0, Kind::u32, storage);
  for (int lane = 0; lane < k_wave_size; ++lane)
    result.words[lane] = widen(format, source[lane] & 0xff);
  access.store32(0, F32::result, result.words);
}

// Both bytes of the low half of the source; the SDWA form selects the half.
template <Byte kind>
void execute_widen_pair(Wave& wave, const Instruction& instruction) {
  LaneAccess access(wave, instruction);
  const NumberFormat& format = format_of(wave, kind);
  Lanes storage;
  Lanes result[2];
  const std::uint32_t* source = access.source32(1, 0, Kind::u32, storage);
  for (unsigned element = 0; element < 2; ++element) {
    for (int lane = 0; lane < k_wave_size; ++lane)
      result[element].words[lane] = widen(format, (source[lane] >> (8 * element)) & 0xff);
    apply_output_modifiers(result[element].words, Kind::f32, instruction.modifiers, access.mode());
  }
  access.store_register(0, 0, result[0].words);
  access.store_register(0, 1, result[1].words);
}

template <Byte kind>
void execute_narrow_pair(Wave& wave, const Instruction& instruction) {
  LaneAccess access(wave, instruction);
  const NumberFormat& format = format_of(wave, kind);
  WriteOptions options;
  options.saturate = access.mode().overflow_to_max_finite;
  Lanes storage[2];
  Lanes result;
  const std::uint32_t* a = access.source32(1, 0, Kind::f32, storage[0]);
  const std::uint32_t* b = access.source32(2, 1, Kind::f32, storage[1]);
  for (int lane = 0; lane < k_wave_size; ++lane)
    result.words[lane] = write_number(format, std::bit_cast<float>(a[lane]), options) |
                         (write_number(format, std::bit_cast<float>(b[lane]), options) << 8);
  access.store32(0, Low<U16>::result, result.words);
}

// op_sel names the byte of the destination in its third and fourth entry.
template <Byte kind>
void execute_narrow_stochastic(Wave& wave, const Instruction& instruction) {
  LaneAccess access(wave, instruction);
  const NumberFormat& format = format_of(wave, kind);
  WriteOptions options;
  options.saturate = access.mode().overflow_to_max_finite;
  options.stochastic = true;
  options.random_bits = k_f32.mantissa_bits - format.mantissa_bits;
  Lanes storage[3];
  Lanes result;
  const std::uint32_t* value = access.source32(1, 0, Kind::f32, storage[0]);
  const std::uint32_t* random = access.source32(2, 1, Kind::u32, storage[1]);
  const std::uint32_t* old = access.destination32(0, Kind::u32, storage[2]);
  const unsigned shift = 8 * ((instruction.modifiers.op_sel >> 2) & 3U);
  for (int lane = 0; lane < k_wave_size; ++lane) {
    options.random = random[lane];
    const std::uint32_t byte = write_number(format, std::bit_cast<float>(value[lane]), options);
    result.words[lane] = (old[lane] & ~(0xffU << shift)) | (byte << shift);
  }
  access.store_register(0, 0, result.words);
}

} // namespace

void register_convert_fp8(OperationTable& table) {
  table.add(vector_operation("v_cvt_f32_fp8", execute_widen<Byte::fp8>));
  table.add(vector_operation("v_cvt_f32_bf8", execute_widen<Byte::bf8>));
  table.add(vector_operation("v_cvt_pk_f32_fp8", execute_widen_pair<Byte::fp8>));
  table.add(vector_operation("v_cvt_pk_f32_bf8", execute_widen_pair<Byte::bf8>));
  table.add(vector_operation("v_cvt_pk_fp8_f32", execute_narrow_pair<Byte::fp8>));
  table.add(vector_operation("v_cvt_pk_bf8_f32", execute_narrow_pair<Byte::bf8>));
  table.add(vector_operation("v_cvt_sr_fp8_f32", execute_narrow_stochastic<Byte::fp8>));
  table.add(vector_operation("v_cvt_sr_bf8_f32", execute_narrow_stochastic<Byte::bf8>));
}

} // namespace hk::sim
