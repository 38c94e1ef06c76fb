#pragma once
// One instruction, from the disassembler's text (and, where text loses bits, its first dword) to an Instruction.

#include <cstdint>
#include <string_view>

#include "sim/machine/instruction.h"
#include "sim/machine/operation.h"

namespace hk::sim {

// Always gives an executable Instruction: what is not understood raises a fault that says so when it is executed.
// `offset` in bytes from the start of the code range, `size` of the instruction in bytes.
Instruction decode_instruction(std::string_view text, std::uint32_t first_word, std::uint64_t offset,
                               std::uint32_t size, const OperationTable& operations);

// Stands for bytes that are no instruction of the target.
Instruction undecodable_instruction(std::uint32_t first_word, std::uint64_t offset);

} // namespace hk::sim
