#include "sim/instructions/vector/access/lane_access.h"

#include <array>
#include <cstring>

#include "sim/instructions/vector/access/output_modifiers.h"
#include "sim/instructions/vector/access/scalar_source.h"
#include "sim/machine/lane_vectors.h"

namespace hk::sim::vector {

namespace {

constexpr unsigned k_index_destination = 15; // M0 bits that say which operands s_set_gpr_idx_on offsets
constexpr unsigned k_index_source0 = 12;

// What a view does to the bits of one lane, prepared for a loop.
struct Transform {
  std::uint32_t shift = 0;
  std::uint32_t sign_shift = 0; // 32 - width of the selection
  bool select = false;
  bool sign_extend = false;
  bool flush = false;
  std::uint64_t exponent_mask = 0; // a value without one of these bits is zero or denormal
  std::uint64_t keep_mask = 0;     // applied to such a value: the sign
  std::uint64_t and_mask = ~std::uint64_t{0};
  std::uint64_t xor_mask = 0;

  [[nodiscard]] bool identity() const { return !select && !flush && xor_mask == 0 && and_mask == ~std::uint64_t{0}; }
};

bool flushes(const FloatMode& mode, Kind kind) {
  if (kind == Kind::f32)
    return mode.flush_inputs32;
  return (kind == Kind::f16 || kind == Kind::f64) && mode.flush_inputs64;
}

Transform transform_of(const SourceView& view, Kind kind, const FloatMode& mode) {
  Transform t;
  if (view.select != Selection::dword) {
    const bool byte = view.select <= Selection::byte_3;
    const unsigned which = unsigned(view.select) - (byte ? 0U : unsigned(Selection::word_0));
    t.select = true;
    t.shift = which * (byte ? 8U : 16U);
    t.sign_shift = byte ? 24 : 16;
    t.sign_extend = view.sign_extend;
  }
  const std::uint64_t sign = is_double_word(kind) ? std::uint64_t{1} << 63 : is_half_word(kind) ? 0x8000U : 0x80000000U;
  if (view.absolute)
    t.and_mask = ~sign;
  if (view.negate)
    t.xor_mask = sign;
  if (flushes(mode, kind)) {
    t.flush = true;
    t.keep_mask = sign;
    t.exponent_mask = kind == Kind::f64   ? std::uint64_t{0x7ff} << 52
                      : kind == Kind::f16 ? std::uint64_t{0x7c00}
                                          : std::uint64_t{0x7f800000};
  }
  return t;
}

template <typename Bits>
Bits modify(const Transform& t, Bits bits) {
  if (t.flush && (bits & Bits(t.exponent_mask)) == 0)
    bits &= Bits(t.keep_mask);
  return (bits & Bits(t.and_mask)) ^ Bits(t.xor_mask);
}

std::uint32_t select(const Transform& t, std::uint32_t bits) {
  const std::uint32_t top = bits >> t.shift << t.sign_shift;
  return t.sign_extend ? std::uint32_t(std::int32_t(top) >> t.sign_shift) : top >> t.sign_shift;
}

void apply(const Transform& t, const std::uint32_t* source, std::uint32_t* result) {
  if (t.select) {
    for (int lane = 0; lane < k_wave_size; ++lane)
      result[lane] = select(t, source[lane]);
    source = result;
  }
  const std::uint32_t and_mask = std::uint32_t(t.and_mask);
  const std::uint32_t xor_mask = std::uint32_t(t.xor_mask);
  if (t.flush) {
    const std::uint32_t exponent_mask = std::uint32_t(t.exponent_mask);
    const std::uint32_t keep_mask = std::uint32_t(t.keep_mask);
    for (int lane = 0; lane < k_wave_size; ++lane) {
      const std::uint32_t bits = source[lane];
      const std::uint32_t kept = (bits & exponent_mask) == 0 ? keep_mask : ~std::uint32_t{0};
      result[lane] = (bits & kept & and_mask) ^ xor_mask;
    }
    return;
  }
  for (int lane = 0; lane < k_wave_size; ++lane)
    result[lane] = (source[lane] & and_mask) ^ xor_mask;
}

template <typename Bits>
void fill(Bits* lanes, Bits value) {
  for (int lane = 0; lane < k_wave_size; ++lane)
    lanes[lane] = value;
}

constexpr std::array<std::uint32_t, k_wave_size> make_lane_numbers() {
  std::array<std::uint32_t, k_wave_size> numbers{};
  for (std::uint32_t lane = 0; lane < k_wave_size; ++lane)
    numbers[lane] = lane;
  return numbers;
}
alignas(64) constexpr std::array<std::uint32_t, k_wave_size> k_lane_numbers = make_lane_numbers();

} // namespace

const std::uint32_t* lane_numbers() {
  return k_lane_numbers.data();
}

LaneAccess::LaneAccess(Wave& wave, const Instruction& instruction)
    : m_wave(wave), m_instruction(instruction), m_mode(float_mode(wave.mode)), m_lanes(wave.exec()),
      m_has_dpp(instruction.modifiers.dpp != DppControl::none) {
  if (!m_has_dpp)
    return;
  m_dpp = dpp_lanes(instruction.modifiers, m_lanes);
  m_lanes &= m_dpp.selected;
  if (!instruction.modifiers.bound_ctrl)
    m_lanes &= m_dpp.valid;
}

SourceView LaneAccess::view(unsigned position, unsigned number, Kind kind) const {
  const Operand& operand = m_instruction.operands[position];
  SourceView view{operand.select, operand.sign_extend, operand.negate, operand.absolute, 0};
  if (is_half_word(kind) && ((m_instruction.modifiers.op_sel >> number) & 1) != 0)
    view.select = Selection::word_1;
  return view;
}

unsigned LaneAccess::vector_index(const Operand& operand, unsigned index_enable_bit) const {
  if (!m_mode.gpr_index || operand.index >= k_accumulator_base)
    return operand.index;
  const std::uint32_t m0 = m_wave.scalar[k_m0];
  if (((m0 >> index_enable_bit) & 1) == 0)
    return operand.index;
  const unsigned index = operand.index + (m0 & 0xffU);
  if (index + operand.registers <= k_accumulator_base)
    return index;
  m_wave.raise(FaultKind::unsupported_operand, m_instruction,
               "s_set_gpr_idx_on moves the operand to v" + std::to_string(index) + ", past the last register v255");
  return operand.index;
}

const std::uint32_t* LaneAccess::refuse(unsigned position, Lanes& storage) {
  m_wave.raise(FaultKind::unsupported_operand, m_instruction,
               "operand " + std::to_string(position) +
                   " is neither a register nor a value that vector instructions read");
  fill(storage.wide, std::uint64_t{0}); // covers the words too
  return storage.words;
}

void LaneAccess::permute(std::uint32_t* words, const std::uint32_t* source) const {
  for (int lane = 0; lane < k_wave_size; ++lane)
    words[lane] = source[m_dpp.source[lane]];
  if (m_dpp.valid == ~std::uint64_t{0})
    return;
  for (int lane = 0; lane < k_wave_size; ++lane)
    words[lane] = ((m_dpp.valid >> lane) & 1) != 0 ? words[lane] : 0U;
}

const std::uint32_t* LaneAccess::source32(unsigned position, unsigned number, Kind kind, Lanes& storage) {
  return source32(position, number, kind, view(position, number, kind), storage);
}

const std::uint32_t* LaneAccess::source32(unsigned position, unsigned number, Kind kind, const SourceView& view,
                                          Lanes& storage) {
  const Operand& operand = m_instruction.operands[position];
  const Transform transform = transform_of(view, kind, m_mode);
  if (operand.kind == OperandKind::vector_register) [[likely]] {
    const unsigned index =
        vector_index(operand, k_index_source0 + number) + (operand.registers > view.dword ? view.dword : 0U);
    const std::uint32_t* words = m_wave.vector[index];
    if (m_has_dpp && number == 0) {
      permute(storage.words, words);
      words = storage.words;
    }
    if (transform.identity()) [[likely]]
      return words;
    apply(transform, words, storage.words);
    return storage.words;
  }
  if (!is_scalar_source(operand))
    return refuse(position, storage);
  std::uint32_t value = std::uint32_t(scalar_bits(m_wave, operand, kind, view.dword));
  if (transform.select)
    value = select(transform, value);
  fill(storage.words, modify(transform, value));
  return storage.words;
}

const std::uint64_t* LaneAccess::source64(unsigned position, unsigned number, Kind kind, Lanes& storage) {
  const Operand& operand = m_instruction.operands[position];
  const Transform transform = transform_of(view(position, number, kind), kind, m_mode);
  if (operand.kind == OperandKind::vector_register) {
    const unsigned index = vector_index(operand, k_index_source0 + number);
    const std::uint32_t* low = m_wave.vector[index];
    const std::uint32_t* high = m_wave.vector[index + 1];
    Lanes permuted[2];
    if (m_has_dpp && number == 0) {
      permute(permuted[0].words, low);
      permute(permuted[1].words, high);
      low = permuted[0].words;
      high = permuted[1].words;
    }
    for (int lane = 0; lane < k_wave_size; ++lane)
      storage.wide[lane] = low[lane] | (std::uint64_t(high[lane]) << 32);
    if (!transform.identity())
      for (std::uint64_t& bits : storage.wide)
        bits = modify(transform, bits);
    return storage.wide;
  }
  if (!is_scalar_source(operand))
    refuse(position, storage);
  else
    fill(storage.wide, modify(transform, scalar_bits(m_wave, operand, kind)));
  return storage.wide;
}

std::uint64_t LaneAccess::mask_bits(unsigned position) const {
  const Operand& operand = m_instruction.operands[position];
  return is_scalar_source(operand) ? scalar_bits(m_wave, operand, Kind::u64) : 0;
}

const std::uint32_t* LaneAccess::mask_source(unsigned position, Lanes& storage) {
  if (!is_scalar_source(m_instruction.operands[position]))
    return refuse(position, storage);
  expand_lane_mask(mask_bits(position), storage.words);
  return storage.words;
}

const std::uint32_t* LaneAccess::destination32(unsigned position, Kind kind, Lanes& storage) {
  const std::uint32_t* words = m_wave.vector[vector_index(m_instruction.operands[position], k_index_destination)];
  const Transform transform = transform_of({}, kind, m_mode);
  if (transform.identity())
    return words;
  apply(transform, words, storage.words);
  return storage.words;
}

const std::uint64_t* LaneAccess::destination64(unsigned position, Kind kind, Lanes& storage) {
  const unsigned index = vector_index(m_instruction.operands[position], k_index_destination);
  const Transform transform = transform_of({}, kind, m_mode);
  for (int lane = 0; lane < k_wave_size; ++lane) {
    const std::uint64_t high = m_wave.vector[index + 1][lane];
    storage.wide[lane] = modify(transform, m_wave.vector[index][lane] | (high << 32));
  }
  return storage.wide;
}

void LaneAccess::merge_sdwa(std::uint32_t* result, const std::uint32_t* old) const {
  const Modifiers& modifiers = m_instruction.modifiers;
  const Transform transform = transform_of({modifiers.dst_select}, Kind::u32, {});
  const std::uint32_t width_mask = 0xffffffffU >> transform.sign_shift;
  const std::uint32_t mask = width_mask << transform.shift;
  for (int lane = 0; lane < k_wave_size; ++lane) {
    const std::uint32_t placed = (result[lane] & width_mask) << transform.shift;
    switch (modifiers.dst_unused) {
    case Modifiers::DstUnused::pad:
      result[lane] = placed;
      break;
    case Modifiers::DstUnused::sext: {
      const bool negative = (result[lane] & (width_mask ^ (width_mask >> 1))) != 0;
      result[lane] = negative ? placed | ~(mask | (mask - 1U)) : placed;
      break;
    }
    case Modifiers::DstUnused::preserve:
      result[lane] = placed | (old[lane] & ~mask);
      break;
    }
  }
}

void LaneAccess::store32(unsigned position, const ResultTraits& traits, std::uint32_t* result) {
  const Operand& operand = m_instruction.operands[position];
  if (operand.kind != OperandKind::vector_register) {
    Lanes unused;
    refuse(position, unused);
    return;
  }
  std::uint32_t* target = m_wave.vector[vector_index(operand, k_index_destination)];
  const Modifiers& modifiers = m_instruction.modifiers;
  if (is_float(traits.kind))
    apply_output_modifiers(result, traits.kind, modifiers, m_mode);
  if (m_instruction.encoding == Encoding::sdwa && modifiers.dst_select != Selection::dword) {
    merge_sdwa(result, target);
  } else if (is_half_word(traits.kind)) {
    // The last entry of op_sel, behind those of the sources, moves the result to the upper half.
    const unsigned sources = m_instruction.operand_count - 1U;
    const bool to_high = traits.half_store == HalfStore::keep_low || ((modifiers.op_sel >> sources) & 1) != 0;
    if (to_high)
      for (int lane = 0; lane < k_wave_size; ++lane)
        result[lane] = (result[lane] << 16) | (target[lane] & 0xffffU);
    else if (traits.half_store == HalfStore::keep_high)
      for (int lane = 0; lane < k_wave_size; ++lane)
        result[lane] = (result[lane] & 0xffffU) | (target[lane] & 0xffff0000U);
    else
      for (int lane = 0; lane < k_wave_size; ++lane)
        result[lane] &= 0xffffU;
  }
  store_lanes(target, result, m_lanes);
}

void LaneAccess::store64(unsigned position, const ResultTraits& traits, std::uint64_t* result) {
  if (is_float(traits.kind))
    apply_output_modifiers(result, m_instruction.modifiers, m_mode);
  Lanes words;
  for (unsigned half = 0; half < 2; ++half) {
    for (int lane = 0; lane < k_wave_size; ++lane)
      words.words[lane] = std::uint32_t(result[lane] >> (32 * half));
    store_register(position, half, words.words);
  }
}

void LaneAccess::store_register(unsigned position, unsigned offset, const std::uint32_t* words) {
  const Operand& operand = m_instruction.operands[position];
  if (operand.kind != OperandKind::vector_register) {
    Lanes unused;
    refuse(position, unused);
    return;
  }
  store_lanes(m_wave.vector[vector_index(operand, k_index_destination) + offset], words, m_lanes);
}

void LaneAccess::store_mask(unsigned position, std::uint64_t mask) {
  const Operand& operand = m_instruction.operands[position];
  if (operand.kind == OperandKind::scalar_register) {
    m_wave.set_scalar64(operand.index, mask);
    return;
  }
  Lanes unused;
  refuse(position, unused);
}

} // namespace hk::sim::vector
