#include "sim/decode/instruction_text.h"

#include <cstdio>

#include "sim/decode/modifier_text.h"
#include "sim/decode/operand_text.h"
#include "sim/decode/prepare_instruction.h"
#include "sim/decode/touched_registers.h"
#include "sim/machine/wave.h"

namespace hk::sim {

namespace {

void raise_unknown(Wave& wave, const Instruction& instruction) {
  wave.raise(FaultKind::unknown_instruction, instruction,
             "\"" + instruction.text.substr(0, instruction.text.find(' ')) +
                 "\" has no implementation under src/sim/instructions");
}

void raise_refusal(Wave& wave, const Instruction& instruction) {
  wave.raise(FaultKind::unsupported_operand, instruction, instruction.refusal);
}

bool is_sopp(std::uint32_t word) {
  return word >> 23 == 0x17f;
}

std::string_view without_encoding(std::string_view mnemonic, Encoding& encoding) {
  struct Suffix {
    std::string_view text;
    Encoding encoding;
  };
  constexpr Suffix suffixes[] = {
      {"_e32", Encoding::e32}, {"_e64", Encoding::e64}, {"_dpp", Encoding::dpp}, {"_sdwa", Encoding::sdwa}};
  encoding = Encoding::plain;
  for (const Suffix& suffix : suffixes) {
    if (!mnemonic.ends_with(suffix.text))
      continue;
    encoding = suffix.encoding;
    return mnemonic.substr(0, mnemonic.size() - suffix.text.size());
  }
  return mnemonic;
}

// Takes the text up to the next separator that lies outside brackets; `text` keeps the rest.
std::string_view take(std::string_view& text, char separator) {
  int depth = 0;
  std::size_t end = 0;
  for (; end < text.size(); ++end) {
    const char c = text[end];
    depth += c == '(' || c == '[';
    depth -= c == ')' || c == ']';
    if (c == separator && depth == 0)
      break;
  }
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(end < text.size() ? end + 1 : end);
  while (text.starts_with(' '))
    text.remove_prefix(1);
  return taken;
}

bool is_hardware_register(std::string_view mnemonic, unsigned operand) {
  return (mnemonic == "s_getreg_b32" && operand == 1) ||
         ((mnemonic == "s_setreg_b32" || mnemonic == "s_setreg_imm32_b32") && operand == 0);
}

// Operands whose text only names bits of the encoding: those are taken from the encoding.
bool decode_from_bits(std::string_view mnemonic, unsigned index, std::uint32_t word, Operand& operand) {
  if (is_hardware_register(mnemonic, index)) {
    operand.kind = OperandKind::special;
    operand.index = std::uint16_t(SpecialOperand::hardware_register);
    operand.integer = word & 0xffff; // id in bits 5:0, first bit in 10:6, width - 1 in 15:11
    return true;
  }
  if (mnemonic == "s_set_gpr_idx_on" && index == 1) {
    operand.kind = OperandKind::integer_constant;
    operand.integer = (word >> 8) & 0xf;
    return true;
  }
  return false;
}

void refuse(Instruction& instruction, std::string why) {
  if (instruction.refusal.empty())
    instruction.refusal = std::move(why);
}

// "v0, v1, s[0:1] offen offset:16": operands are separated by commas, the modifiers behind the last by blanks.
void decode_operands(std::string_view rest, std::string_view mnemonic, std::uint32_t word, Instruction& instruction) {
  const bool may_hold_literal = instruction.size == 8 && word >> 26 != 0x30 /* SMEM */;
  std::string_view tail = rest;
  bool last = rest.empty();
  while (!last) {
    std::string_view piece = take(tail, ',');
    last = tail.empty();
    if (last) {
      tail = piece;
      piece = take(tail, ' ');
    }
    const unsigned index = instruction.operand_count;
    // An instruction without operands starts with its modifiers.
    if (index == 0 && last && piece.find(':') != std::string_view::npos && piece.find('[') > piece.find(':')) {
      tail = rest;
      break;
    }
    Operand operand;
    const bool understood =
        decode_from_bits(mnemonic, index, word, operand) || parse_operand(piece, may_hold_literal, operand);
    if (!understood && index == 0 && last) {
      tail = rest;
      break;
    }
    if (!understood)
      refuse(instruction, "operand \"" + std::string(piece) + "\" is not understood");
    if (index >= instruction.operands.size()) {
      refuse(instruction, "more than " + std::to_string(instruction.operands.size()) + " operands");
      return;
    }
    instruction.operands[index] = operand;
    ++instruction.operand_count;
  }
  while (!tail.empty()) {
    const std::string_view modifier = take(tail, ' ');
    if (!parse_modifier(modifier, word, instruction))
      refuse(instruction, "modifier \"" + std::string(modifier) + "\" is not understood");
  }
}

void decode_branch(std::string_view mnemonic, std::uint32_t word, Instruction& instruction) {
  const bool branches =
      mnemonic == "s_branch" || mnemonic == "s_call_b64" || (mnemonic.starts_with("s_cbranch_") && is_sopp(word));
  if (!branches)
    return;
  instruction.is_direct_branch = true;
  instruction.branch_bytes = 4 + 4 * std::int32_t(std::int16_t(word & 0xffff));
}

} // namespace

Instruction decode_instruction(std::string_view text, std::uint32_t first_word, std::uint64_t offset,
                               std::uint32_t size, const OperationTable& operations) {
  Instruction instruction;
  instruction.offset = offset;
  instruction.size = std::uint8_t(size);
  instruction.text = text;
  const std::size_t blank = text.find_first_of(" \t");
  const std::string_view mnemonic = without_encoding(text.substr(0, blank), instruction.encoding);
  std::string_view rest = blank == std::string_view::npos ? std::string_view() : text.substr(blank);
  while (rest.starts_with(' ') || rest.starts_with('\t'))
    rest.remove_prefix(1);

  if (is_sopp(first_word)) {
    // Wait counts, messages and the like: the 16-bit field says it all.
    instruction.operand_count = 1;
    instruction.operands[0].kind = OperandKind::integer_constant;
    instruction.operands[0].integer = first_word & 0xffff;
  } else {
    decode_operands(rest, mnemonic, first_word, instruction);
  }
  decode_branch(mnemonic, first_word, instruction);

  instruction.operation = operations.find(mnemonic);
  if (instruction.operation == nullptr)
    instruction.execute = raise_unknown;
  else if (!instruction.refusal.empty())
    instruction.execute = raise_refusal;
  else
    prepare_instruction(instruction);
  collect_touched_registers(instruction);
  return instruction;
}

Instruction undecodable_instruction(std::uint32_t first_word, std::uint64_t offset) {
  Instruction instruction;
  instruction.offset = offset;
  instruction.size = 4;
  char text[32];
  std::snprintf(text, sizeof text, ".long 0x%08x", first_word);
  instruction.text = text;
  instruction.execute = raise_unknown;
  return instruction;
}

} // namespace hk::sim
