// v_cvt_scalef32_*: conversions of blocks between wide formats and fp8, bf8, fp6, bf6, fp4 (OCP, gfx950), with a scale.
//
// The scale is the exponent of an f32 operand: narrowing divides by 2^(exponent - 127), widening multiplies. An
// exponent of 255 is the NaN of E8M0 and makes every element NaN.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "sim/instructions/vector/access/lane_operation.h"
#include "sim/instructions/vector/access/number_format.h"
#include "sim/instructions/vector/access/random_step.h"

namespace hk::sim {

using namespace vector;

namespace {

constexpr unsigned k_most_registers = 32;

enum class Format : std::uint8_t { f32, f16, bf16, fp8, bf8, fp6, bf6, fp4 };

constexpr const NumberFormat& number_format(Format format) {
  constexpr const NumberFormat* formats[] = {&k_f32, &k_f16, &k_bf16, &k_fp8, &k_bf8, &k_fp6, &k_bf6, &k_fp4};
  return *formats[unsigned(format)];
}

// What one mnemonic does with the elements of a lane.
struct Conversion {
  Format from;
  Format to;
  unsigned count;
  bool stochastic = false;  // source 1 is a random word
  bool two_sources = false; // elements alternate between source 0 and source 1

  [[nodiscard]] constexpr unsigned source_bits() const { return number_format(from).bits(); }
  [[nodiscard]] constexpr unsigned result_bits() const { return number_format(to).bits(); }
  [[nodiscard]] constexpr unsigned sources() const { return stochastic || two_sources ? 3 : 2; }
  [[nodiscard]] constexpr bool narrows() const { return from <= Format::bf16; }
  [[nodiscard]] constexpr unsigned source_registers() const {
    return (source_bits() * (two_sources ? count / 2 : count) + 31) / 32;
  }
  [[nodiscard]] constexpr unsigned result_registers() const { return (result_bits() * count + 31) / 32; }
};

using LaneRegisters = std::array<std::uint32_t, k_most_registers>;

std::uint32_t read_bits(const LaneRegisters& registers, unsigned at, unsigned width) {
  const unsigned index = at / 32;
  const unsigned shift = at % 32;
  std::uint64_t window = registers[index];
  if (shift + width > 32)
    window |= std::uint64_t(registers[index + 1]) << 32;
  return std::uint32_t(window >> shift) & std::uint32_t((std::uint64_t{1} << width) - 1);
}

void write_bits(LaneRegisters& registers, unsigned at, unsigned width, std::uint32_t value) {
  for (unsigned done = 0; done < width;) {
    const unsigned shift = (at + done) % 32;
    const unsigned part = std::min(width - done, 32 - shift);
    const std::uint32_t mask = std::uint32_t((std::uint64_t{1} << part) - 1) << shift;
    std::uint32_t& word = registers[(at + done) / 32];
    word = (word & ~mask) | (((value >> done) << shift) & mask);
    done += part;
  }
}

// Bit position of the first element in a source of one byte or one half word, chosen by the first entries of op_sel.
unsigned source_offset(const Conversion& c, const Modifiers& modifiers) {
  if (c.narrows())
    return 0;
  const unsigned block = c.source_bits() * c.count;
  return block == 16 ? 16 * (modifiers.op_sel & 1U) : block == 8 ? 8 * (modifiers.op_sel & 3U) : 0;
}

// Bit position of the result: a byte by the third and fourth entry of op_sel, a half word by the entry behind the
// sources.
unsigned result_offset(const Conversion& c, const Modifiers& modifiers) {
  const unsigned block = c.result_bits() * c.count;
  if (block == 8)
    return 8 * ((modifiers.op_sel >> 2) & 3U);
  return block == 16 ? 16 * ((modifiers.op_sel >> c.sources()) & 1U) : 0;
}

std::uint32_t convert_element(const Conversion& c, std::uint32_t code, std::uint32_t scale_exponent,
                              const WriteOptions& options) {
  const double value = read_number(number_format(c.from), code);
  const int power = int(scale_exponent) - 127;
  const double scaled = scale_exponent == 255 ? std::numeric_limits<double>::quiet_NaN()
                                              : std::ldexp(value, c.narrows() ? -power : power);
  return write_number(number_format(c.to), scaled, options);
}

// One lane: `first` and `second` hold the registers of source 0 and source 1, `result` the old destination.
void convert_lane(const Conversion& c, const Modifiers& modifiers, const LaneRegisters& first,
                  const LaneRegisters& second, std::uint32_t scale, WriteOptions options, LaneRegisters& result) {
  const unsigned source_at = source_offset(c, modifiers);
  const unsigned result_at = result_offset(c, modifiers);
  options.stochastic = c.stochastic;
  options.random = c.stochastic ? second[0] : 0U;
  if (c.stochastic)
    options.random_bits = number_format(c.from).mantissa_bits - number_format(c.to).mantissa_bits;
  for (unsigned element = 0; element < c.count; ++element) {
    const LaneRegisters& source = c.two_sources && element % 2 == 1 ? second : first;
    const unsigned position = c.two_sources ? element / 2 : element;
    const std::uint32_t code = read_bits(source, source_at + position * c.source_bits(), c.source_bits());
    write_bits(result, result_at + element * c.result_bits(), c.result_bits(),
               convert_element(c, code, (scale >> 23) & 0xffU, options));
    options.random = random_step(options.random);
  }
}

// Registers of one operand; constants and scalar registers are the same in every lane.
struct Operands {
  const std::uint32_t* lanes[k_most_registers] = {};
  Lanes storage[k_most_registers];
};

void fetch_registers(LaneAccess& access, unsigned position, unsigned number, unsigned registers, Operands& operands) {
  for (unsigned n = 0; n < registers; ++n) {
    SourceView view = access.view(position, number, Kind::u32);
    view.dword = std::uint8_t(n);
    operands.lanes[n] = access.source32(position, number, Kind::u32, view, operands.storage[n]);
  }
}

void execute(Wave& wave, const Instruction& instruction, const Conversion& c) {
  const unsigned second_registers = c.two_sources ? c.source_registers() : c.stochastic ? 1 : 0;
  LaneAccess access(wave, instruction);
  Operands first;
  Operands second;
  Lanes scale_storage;
  fetch_registers(access, 1, 0, c.source_registers(), first);
  fetch_registers(access, 2, 1, second_registers, second);
  const std::uint32_t* scale = access.source32(c.sources(), c.sources() - 1, Kind::u32, scale_storage);
  WriteOptions options;
  options.saturate = access.mode().overflow_to_max_finite;
  std::array<Lanes, k_most_registers> result;
  for (int lane = 0; lane < k_wave_size; ++lane) {
    LaneRegisters a{};
    LaneRegisters b{};
    LaneRegisters converted{};
    for (unsigned n = 0; n < c.source_registers(); ++n)
      a[n] = first.lanes[n][lane];
    for (unsigned n = 0; n < second_registers; ++n)
      b[n] = second.lanes[n][lane];
    for (unsigned n = 0; n < c.result_registers(); ++n)
      converted[n] = wave.vector[instruction.operands[0].index + n][lane];
    convert_lane(c, instruction.modifiers, a, b, scale[lane], options, converted);
    for (unsigned n = 0; n < c.result_registers(); ++n)
      result[n].words[lane] = converted[n];
  }
  for (unsigned n = 0; n < c.result_registers(); ++n)
    access.store_register(0, n, result[n].words);
}

template <Conversion c>
void execute_scaled(Wave& wave, const Instruction& instruction) {
  execute(wave, instruction, c);
}

template <Conversion c>
void add_scaled(OperationTable& table, const std::string& suffix) {
  table.add(vector_operation("v_cvt_scalef32_" + suffix, execute_scaled<c>));
}

constexpr bool k_stochastic = true;

template <Format small>
void add_eight_bit(OperationTable& table, const std::string& name) {
  using enum Format;
  add_scaled<Conversion{f32, small, 2, false, true}>(table, "pk_" + name + "_f32");
  add_scaled<Conversion{f16, small, 2}>(table, "pk_" + name + "_f16");
  add_scaled<Conversion{bf16, small, 2}>(table, "pk_" + name + "_bf16");
  add_scaled<Conversion{f32, small, 1, k_stochastic}>(table, "sr_" + name + "_f32");
  add_scaled<Conversion{f16, small, 1, k_stochastic}>(table, "sr_" + name + "_f16");
  add_scaled<Conversion{bf16, small, 1, k_stochastic}>(table, "sr_" + name + "_bf16");
  add_scaled<Conversion{small, f32, 1}>(table, "f32_" + name);
  add_scaled<Conversion{small, f16, 1}>(table, "f16_" + name);
  add_scaled<Conversion{small, f32, 2}>(table, "pk_f32_" + name);
  add_scaled<Conversion{small, f16, 2}>(table, "pk_f16_" + name);
  add_scaled<Conversion{small, bf16, 2}>(table, "pk_bf16_" + name);
}

template <Format small>
void add_six_bit(OperationTable& table, const std::string& name) {
  using enum Format;
  add_scaled<Conversion{f32, small, 32, false, true}>(table, "2xpk16_" + name + "_f32");
  add_scaled<Conversion{f16, small, 32}>(table, "pk32_" + name + "_f16");
  add_scaled<Conversion{bf16, small, 32}>(table, "pk32_" + name + "_bf16");
  add_scaled<Conversion{f32, small, 32, k_stochastic}>(table, "sr_pk32_" + name + "_f32");
  add_scaled<Conversion{f16, small, 32, k_stochastic}>(table, "sr_pk32_" + name + "_f16");
  add_scaled<Conversion{bf16, small, 32, k_stochastic}>(table, "sr_pk32_" + name + "_bf16");
  add_scaled<Conversion{small, f32, 32}>(table, "pk32_f32_" + name);
  add_scaled<Conversion{small, f16, 32}>(table, "pk32_f16_" + name);
  add_scaled<Conversion{small, bf16, 32}>(table, "pk32_bf16_" + name);
}

void add_four_bit(OperationTable& table) {
  using enum Format;
  add_scaled<Conversion{f32, fp4, 2, false, true}>(table, "pk_fp4_f32");
  add_scaled<Conversion{f16, fp4, 2}>(table, "pk_fp4_f16");
  add_scaled<Conversion{bf16, fp4, 2}>(table, "pk_fp4_bf16");
  add_scaled<Conversion{f32, fp4, 2, k_stochastic}>(table, "sr_pk_fp4_f32");
  add_scaled<Conversion{f16, fp4, 2, k_stochastic}>(table, "sr_pk_fp4_f16");
  add_scaled<Conversion{bf16, fp4, 2, k_stochastic}>(table, "sr_pk_fp4_bf16");
  add_scaled<Conversion{fp4, f32, 2}>(table, "pk_f32_fp4");
  add_scaled<Conversion{fp4, f16, 2}>(table, "pk_f16_fp4");
  add_scaled<Conversion{fp4, bf16, 2}>(table, "pk_bf16_fp4");
}

} // namespace

void register_convert_scaled(OperationTable& table) {
  add_eight_bit<Format::fp8>(table, "fp8");
  add_eight_bit<Format::bf8>(table, "bf8");
  add_six_bit<Format::fp6>(table, "fp6");
  add_six_bit<Format::bf6>(table, "bf6");
  add_four_bit(table);
}

} // namespace hk::sim
