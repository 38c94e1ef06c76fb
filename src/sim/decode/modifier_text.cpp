#include "sim/decode/modifier_text.h"

#include <charconv>

namespace hk::sim {

namespace {

bool parse_number(std::string_view text, std::int64_t& value) {
  const bool negative = text.starts_with('-');
  if (negative)
    text.remove_prefix(1);
  const bool hexadecimal = text.starts_with("0x");
  if (hexadecimal)
    text.remove_prefix(2);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, hexadecimal ? 16 : 10);
  if (error != std::errc() || end != text.data() + text.size())
    return false;
  value = negative ? -value : value;
  return true;
}

// "[1,0,3]" as bits or as fields of `width` bits, the first entry lowest.
bool parse_list(std::string_view text, unsigned width, std::uint8_t& packed) {
  if (text.size() < 3 || !text.starts_with('[') || !text.ends_with(']'))
    return false;
  text = text.substr(1, text.size() - 2);
  unsigned shift = 0;
  packed = 0;
  while (!text.empty()) {
    const auto comma = text.find(',');
    std::int64_t entry = 0;
    if (!parse_number(text.substr(0, comma), entry) || entry < 0 || entry >> width != 0 || shift + width > 8)
      return false;
    packed = std::uint8_t(packed | (entry << shift));
    shift += width;
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
  }
  return true;
}

bool parse_selection(std::string_view text, Selection& selection) {
  constexpr std::string_view names[] = {"BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD"};
  for (std::size_t i = 0; i < std::size(names); ++i) {
    if (names[i] != text)
      continue;
    selection = Selection(i);
    return true;
  }
  return false;
}

bool parse_flag(std::string_view name, Modifiers& modifiers) {
  struct Flag {
    std::string_view name;
    bool Modifiers::* field;
  };
  // "glc" is what SMEM calls the bit that vector memory calls sc0.
  constexpr Flag flags[] = {
      {"clamp", &Modifiers::clamp}, {"offen", &Modifiers::offen}, {"idxen", &Modifiers::idxen},
      {"sc0", &Modifiers::sc0},     {"glc", &Modifiers::sc0},     {"sc1", &Modifiers::sc1},
      {"nt", &Modifiers::nt},       {"gds", &Modifiers::gds},     {"lds", &Modifiers::lds},
  };
  for (const Flag& flag : flags) {
    if (flag.name != name)
      continue;
    modifiers.*flag.field = true;
    return true;
  }
  if (name == "row_mirror")
    modifiers.dpp = DppControl::row_mirror;
  else if (name == "row_half_mirror")
    modifiers.dpp = DppControl::row_half_mirror;
  else
    return false;
  return true;
}

bool parse_dpp(std::string_view name, std::string_view value, Modifiers& modifiers) {
  struct Control {
    std::string_view name;
    DppControl control;
  };
  constexpr Control controls[] = {
      {"row_shl", DppControl::row_shl},           {"row_shr", DppControl::row_shr},
      {"row_ror", DppControl::row_ror},           {"wave_shl", DppControl::wave_shl},
      {"wave_rol", DppControl::wave_rol},         {"wave_shr", DppControl::wave_shr},
      {"wave_ror", DppControl::wave_ror},         {"row_bcast", DppControl::row_bcast},
      {"row_newbcast", DppControl::row_newbcast},
  };
  if (name == "quad_perm") {
    modifiers.dpp = DppControl::quad_perm;
    return parse_list(value, 2, modifiers.dpp_value);
  }
  std::int64_t number = 0;
  if (!parse_number(value, number) || number < 0 || number > 255)
    return false;
  if (name == "row_mask") {
    modifiers.row_mask = std::uint8_t(number);
    return true;
  }
  if (name == "bank_mask") {
    modifiers.bank_mask = std::uint8_t(number);
    return true;
  }
  if (name == "bound_ctrl") { // LLVM wrote :0 for the set bit up to version 13 and :1 since
    modifiers.bound_ctrl = true;
    return true;
  }
  if (name == "fi") {
    modifiers.fetch_inactive = number != 0;
    return true;
  }
  for (const Control& control : controls) {
    if (control.name != name)
      continue;
    modifiers.dpp = control.control;
    modifiers.dpp_value = std::uint8_t(number);
    return true;
  }
  return false;
}

bool parse_sdwa(std::string_view name, std::string_view value, Instruction& instruction) {
  Modifiers& modifiers = instruction.modifiers;
  if (name == "dst_sel")
    return parse_selection(value, modifiers.dst_select);
  if (name == "dst_unused") {
    using Unused = Modifiers::DstUnused;
    if (value == "UNUSED_PAD")
      modifiers.dst_unused = Unused::pad;
    else if (value == "UNUSED_SEXT")
      modifiers.dst_unused = Unused::sext;
    else if (value == "UNUSED_PRESERVE")
      modifiers.dst_unused = Unused::preserve;
    else
      return false;
    return true;
  }
  // Operand 0 is the destination, of compares too (vcc or an SGPR pair); v_addc and v_cndmask add vcc behind.
  // The carry instructions name it also second: v_add_co_u32 v0, vcc, v1, v2.
  unsigned first_source = 1;
  if (instruction.operands[1].kind == OperandKind::scalar_register && instruction.operands[1].registers == 2)
    first_source = 2;
  if (name == "src0_sel" && instruction.operand_count > first_source)
    return parse_selection(value, instruction.operands[first_source].select);
  if (name == "src1_sel" && instruction.operand_count > first_source + 1)
    return parse_selection(value, instruction.operands[first_source + 1].select);
  return false;
}

bool parse_lists(std::string_view name, std::string_view value, Modifiers& modifiers, bool& handled) {
  handled = true;
  if (name == "op_sel")
    return parse_list(value, 1, modifiers.op_sel);
  if (name == "op_sel_hi") {
    modifiers.has_op_sel_hi = true;
    return parse_list(value, 1, modifiers.op_sel_hi);
  }
  // f64 MFMA negate with the bits that are blgp elsewhere, one per operand.
  if (name == "neg_lo" || name == "neg")
    return parse_list(value, 1, modifiers.neg_lo);
  if (name == "neg_hi")
    return parse_list(value, 1, modifiers.neg_hi);
  handled = false;
  return true;
}

template <typename Field>
bool store(std::int64_t number, std::int64_t highest, Field& field) {
  if (number < 0 || number > highest)
    return false;
  field = Field(number);
  return true;
}

bool parse_numbered(std::string_view name, std::int64_t number, Modifiers& modifiers) {
  if (name == "offset") {
    modifiers.offset = std::int32_t(number);
    return true;
  }
  if (name == "offset0")
    return store(number, 255, modifiers.offset0);
  if (name == "offset1")
    return store(number, 255, modifiers.offset1);
  if (name == "cbsz")
    return store(number, 7, modifiers.cbsz);
  if (name == "abid")
    return store(number, 15, modifiers.abid);
  if (name == "blgp")
    return store(number, 7, modifiers.blgp);
  if (name == "bitop3")
    return store(number, 255, modifiers.bitop3);
  if (name == "mul" && (number == 2 || number == 4)) {
    modifiers.output_multiplier = number == 2 ? 1 : 2;
    return true;
  }
  if (name == "div" && number == 2) {
    modifiers.output_multiplier = 3;
    return true;
  }
  return false;
}

} // namespace

bool parse_modifier(std::string_view text, std::uint32_t first_word, Instruction& instruction) {
  Modifiers& modifiers = instruction.modifiers;
  const auto colon = text.find(':');
  if (colon == std::string_view::npos)
    return parse_flag(text, modifiers);
  const std::string_view name = text.substr(0, colon);
  const std::string_view value = text.substr(colon + 1);
  bool handled = false;
  if (const bool understood = parse_lists(name, value, modifiers, handled); handled)
    return understood;
  if (name == "offset" && value.starts_with("swizzle(")) {
    modifiers.offset = std::int32_t(first_word & 0xffff); // the DS offset field; the text names masks by their use
    return true;
  }
  if (name == "dst_sel" || name == "dst_unused" || name == "src0_sel" || name == "src1_sel")
    return parse_sdwa(name, value, instruction);
  std::int64_t number = 0;
  if (parse_number(value, number) && parse_numbered(name, number, modifiers))
    return true;
  return parse_dpp(name, value, modifiers);
}

} // namespace hk::sim
