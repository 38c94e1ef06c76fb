#include "sim/decode/operand_text.h"

#include <bit>
#include <charconv>

namespace hk::sim {

namespace {

struct NamedRegister {
  std::string_view name;
  std::uint16_t index;
  std::uint8_t registers;
};

constexpr NamedRegister k_named_registers[] = {
    {"vcc", 106, 2},
    {"vcc_lo", 106, 1},
    {"vcc_hi", 107, 1},
    {"exec", 126, 2},
    {"exec_lo", 126, 1},
    {"exec_hi", 127, 1},
    {"m0", 124, 1},
    {"flat_scratch", 102, 2},
    {"flat_scratch_lo", 102, 1},
    {"flat_scratch_hi", 103, 1},
    {"xnack_mask", 104, 2},
    {"xnack_mask_lo", 104, 1},
    {"xnack_mask_hi", 105, 1},
};

struct NamedSpecial {
  std::string_view name;
  SpecialOperand which;
};

constexpr NamedSpecial k_named_specials[] = {
    {"src_shared_base", SpecialOperand::shared_base},
    {"src_shared_limit", SpecialOperand::shared_limit},
    {"src_private_base", SpecialOperand::private_base},
    {"src_private_limit", SpecialOperand::private_limit},
    {"src_vccz", SpecialOperand::vccz},
    {"src_execz", SpecialOperand::execz},
    {"src_scc", SpecialOperand::scc},
    {"vccz", SpecialOperand::vccz},
    {"execz", SpecialOperand::execz},
    {"scc", SpecialOperand::scc},
    {"src_pops_exiting_wave_id", SpecialOperand::pops_exiting_wave_id},
};

bool parse_unsigned(std::string_view text, unsigned& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

// "12" or "[4:7]" behind a register letter.
bool parse_register_numbers(std::string_view text, unsigned& first, unsigned& count) {
  if (!text.starts_with('[')) {
    count = 1;
    return parse_unsigned(text, first);
  }
  if (!text.ends_with(']'))
    return false;
  text = text.substr(1, text.size() - 2);
  const auto colon = text.find(':');
  unsigned last = 0;
  if (!parse_unsigned(text.substr(0, colon), first))
    return false;
  if (colon == std::string_view::npos) {
    count = 1;
    return true;
  }
  if (!parse_unsigned(text.substr(colon + 1), last) || last < first)
    return false;
  count = last - first + 1;
  return true;
}

bool parse_numbered_register(std::string_view text, Operand& operand) {
  unsigned base = 0;
  unsigned limit = 0;
  OperandKind kind = OperandKind::vector_register;
  if (text.starts_with("ttmp")) {
    kind = OperandKind::scalar_register;
    base = 108;
    limit = 16;
    text.remove_prefix(4);
  } else if (text.starts_with('v')) {
    limit = 256;
    text.remove_prefix(1);
  } else if (text.starts_with('a')) {
    base = k_accumulator_base;
    limit = 256;
    text.remove_prefix(1);
  } else if (text.starts_with('s')) {
    kind = OperandKind::scalar_register;
    limit = 102;
    text.remove_prefix(1);
  } else {
    return false;
  }
  unsigned first = 0;
  unsigned count = 0;
  if (!parse_register_numbers(text, first, count) || first + count > limit)
    return false;
  operand.kind = kind;
  operand.index = std::uint16_t(base + first);
  operand.registers = std::uint8_t(count);
  return true;
}

bool parse_named(std::string_view text, Operand& operand) {
  for (const NamedRegister& named : k_named_registers) {
    if (named.name != text)
      continue;
    operand.kind = OperandKind::scalar_register;
    operand.index = named.index;
    operand.registers = named.registers;
    return true;
  }
  for (const NamedSpecial& named : k_named_specials) {
    if (named.name != text)
      continue;
    operand.kind = OperandKind::special;
    operand.index = std::uint16_t(named.which);
    return true;
  }
  if (text != "off")
    return false;
  operand.kind = OperandKind::off;
  return true;
}

bool parse_float(std::string_view text, Operand& operand) {
  if (text.find('.') == std::string_view::npos)
    return false;
  // Printed with as many digits as the operand type holds. The hardware constant is 1/(2 pi) with its double truncated.
  if (text.starts_with("0.159154")) {
    operand.real = std::bit_cast<double>(std::uint64_t{0x3fc45f306dc9c882});
  } else {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), operand.real);
    if (error != std::errc() || end != text.data() + text.size())
      return false;
  }
  operand.kind = OperandKind::float_constant;
  return true;
}

bool parse_integer(std::string_view text, bool may_hold_literal, Operand& operand) {
  bool negative = text.starts_with('-');
  if (negative)
    text.remove_prefix(1);
  const bool hexadecimal = text.starts_with("0x");
  if (hexadecimal)
    text.remove_prefix(2);
  std::uint64_t magnitude = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), magnitude, hexadecimal ? 16 : 10);
  if (error != std::errc() || end != text.data() + text.size())
    return false;
  operand.kind = OperandKind::integer_constant;
  operand.integer = std::int64_t(negative ? 0 - magnitude : magnitude);
  operand.literal = hexadecimal && may_hold_literal;
  return true;
}

bool strip(std::string_view& text, std::string_view before, std::string_view after) {
  if (text.size() < before.size() + after.size() || !text.starts_with(before) || !text.ends_with(after))
    return false;
  text = text.substr(before.size(), text.size() - before.size() - after.size());
  return true;
}

} // namespace

bool parse_operand(std::string_view text, bool may_hold_literal, Operand& operand) {
  operand = {};
  if (parse_integer(text, may_hold_literal, operand) || parse_float(text, operand))
    return true;
  if (strip(text, "sext(", ")"))
    operand.sign_extend = true;
  if (strip(text, "neg(", ")") || strip(text, "-", ""))
    operand.negate = true;
  if (strip(text, "abs(", ")") || strip(text, "|", "|"))
    operand.absolute = true;
  // A constant under -|...| keeps both flags.
  return parse_named(text, operand) || parse_numbered_register(text, operand) || parse_float(text, operand) ||
         parse_integer(text, may_hold_literal, operand);
}

} // namespace hk::sim
