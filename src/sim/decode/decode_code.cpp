#include "sim/decode/decode_code.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "sim/decode/disassembler.h"
#include "sim/decode/instruction_text.h"
#include "sim/machine/atomics_in_kernel.h"
#include "sim/machine/operation.h"

namespace hk::sim {

namespace {

constexpr std::uint32_t k_executable_segment = 1; // PF_X
constexpr std::uint32_t k_load_segment = 1;       // PT_LOAD
constexpr std::uint8_t k_function_symbol = 2;     // STT_FUNC

std::uint32_t word_at(std::span<const std::byte> code, std::uint64_t offset) {
  std::uint32_t word = 0;
  std::memcpy(&word, code.data() + offset, sizeof word);
  return word;
}

const codeobj::ElfSegment* code_segment(const codeobj::CodeObject& object) {
  for (const codeobj::ElfSegment& segment : object.elf.segments)
    if (segment.type == k_load_segment && (segment.flags & k_executable_segment) != 0 && segment.file_size > 0)
      return &segment;
  return nullptr;
}

} // namespace

Result<Program> decode_code(Target target, std::span<const std::byte> code, std::span<const std::uint64_t> starts) {
  HK_ASSIGN_OR_RETURN(Disassembler disassembler, Disassembler::create(target));
  const OperationTable& operations = operation_table();
  std::vector<std::uint64_t> boundaries(starts.begin(), starts.end());
  std::sort(boundaries.begin(), boundaries.end());

  Program program;
  program.target = target;
  program.instructions.reserve(code.size() / 6);
  std::string text;
  auto boundary = boundaries.begin();
  for (std::uint64_t offset = 0; offset + 4 <= code.size();) {
    while (boundary != boundaries.end() && *boundary <= offset)
      ++boundary;
    const std::uint64_t limit =
        boundary == boundaries.end() ? code.size() : std::min<std::uint64_t>(*boundary, code.size());
    const std::uint32_t size = disassembler.disassemble(code, offset, text);
    const std::uint32_t word = word_at(code, offset);
    if (size == 0 || size % 4 != 0 || size > limit - offset)
      program.instructions.push_back(undecodable_instruction(word, offset));
    else
      program.instructions.push_back(decode_instruction(text, word, offset, size, operations));
    offset += program.instructions.back().size;
  }
  program.finish();
  return program;
}

Result<Program> decode_program(const codeobj::CodeObject& object) {
  Target target = Target::gfx942;
  if (object.target.processor == target_name(Target::gfx950))
    target = Target::gfx950;
  else if (object.target.processor != target_name(Target::gfx942))
    return fail(StatusCode::unsupported, "the simulator executes gfx942 and gfx950, not " + object.target.processor);
  const codeobj::ElfSegment* segment = code_segment(object);
  if (segment == nullptr)
    return fail(StatusCode::load_failed, "the code object has no executable segment; it holds nothing to run");

  std::vector<std::uint64_t> starts;
  const auto add_start = [&](std::uint64_t address) {
    if (address >= segment->virtual_address && address - segment->virtual_address < segment->file_size &&
        address % 4 == segment->virtual_address % 4)
      starts.push_back(address - segment->virtual_address);
  };
  for (const codeobj::Kernel& kernel : object.kernels)
    add_start(kernel.entry_address);
  for (const auto* symbols : {&object.elf.dynamic_symbols, &object.elf.symbols})
    for (const codeobj::ElfSymbol& symbol : *symbols)
      if (symbol.is_defined() && symbol.type == k_function_symbol)
        add_start(symbol.value);

  HK_ASSIGN_OR_RETURN(Program program, decode_code(target, object.segment_bytes(*segment), starts));
  program.code_virtual_address = segment->virtual_address;
  for (const codeobj::Kernel& kernel : object.kernels) {
    // Kernels with preloaded arguments start behind a prologue.
    for (const std::uint64_t skipped : {std::uint64_t{0}, codeobj::k_kernarg_preload_prologue_size}) {
      const std::int64_t entry = program.index_of_virtual_address(kernel.entry_address + skipped);
      if (entry >= 0 && has_order_dependent_atomics(program, std::uint32_t(entry)))
        program.order_dependent_entries.push_back(std::uint32_t(entry));
    }
  }
  return program;
}

} // namespace hk::sim
