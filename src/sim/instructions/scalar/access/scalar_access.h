#pragma once
// Reading and writing the operands of scalar instructions.

#include <bit>
#include <cstdint>

#include "sim/machine/operation.h"
#include "sim/machine/wave.h"

namespace hk::sim::scalar {

// src_shared_base and the like; 64 bits wide. Raises unsupported_operand for what has no value here.
std::uint64_t special_value(Wave& wave, const Instruction& instruction, const Operand& operand);

inline std::uint32_t read32(Wave& wave, const Instruction& instruction, unsigned position) {
  const Operand& operand = instruction.operands[position];
  switch (operand.kind) {
  case OperandKind::scalar_register:
    return wave.scalar[operand.index];
  case OperandKind::integer_constant:
    return std::uint32_t(operand.integer);
  case OperandKind::float_constant:
    return std::bit_cast<std::uint32_t>(float(operand.real));
  default:
    return std::uint32_t(special_value(wave, instruction, operand));
  }
}

// A 32-bit literal is zero-extended; inline integers carry their sign.
inline std::uint64_t read64(Wave& wave, const Instruction& instruction, unsigned position) {
  const Operand& operand = instruction.operands[position];
  switch (operand.kind) {
  case OperandKind::scalar_register:
    return wave.scalar64(operand.index);
  case OperandKind::integer_constant:
    return std::uint64_t(operand.integer);
  case OperandKind::float_constant:
    return std::bit_cast<std::uint64_t>(operand.real);
  default:
    return special_value(wave, instruction, operand);
  }
}

// The same for operations on signed 64-bit integers, whose literals are sign-extended.
inline std::int64_t read_signed64(Wave& wave, const Instruction& instruction, unsigned position) {
  const Operand& operand = instruction.operands[position];
  if (operand.literal)
    return std::int32_t(std::uint32_t(operand.integer));
  return std::int64_t(read64(wave, instruction, position));
}

inline void write32(Wave& wave, const Instruction& instruction, std::uint32_t value) {
  wave.scalar[instruction.operands[0].index] = value;
}

inline void write64(Wave& wave, const Instruction& instruction, std::uint64_t value) {
  wave.set_scalar64(instruction.operands[0].index, value);
}

// The 16-bit immediate of SOPK instructions.
inline std::int32_t signed_immediate(const Instruction& instruction, unsigned position) {
  return std::int16_t(std::uint16_t(instruction.operands[position].integer));
}
inline std::uint32_t unsigned_immediate(const Instruction& instruction, unsigned position) {
  return std::uint16_t(instruction.operands[position].integer);
}

inline Operation scalar_operation(const char* mnemonic, Execute execute, std::uint8_t destinations = 1) {
  Operation operation;
  operation.mnemonic = mnemonic;
  operation.execute = execute;
  operation.operation_class = OperationClass::scalar;
  operation.destinations = destinations;
  return operation;
}

// Operations of the form D = f(S0, S1), where f may also read and set SCC.
template <std::uint32_t (*f)(std::uint32_t, std::uint32_t, bool&)>
void binary32(Wave& wave, const Instruction& instruction) {
  const std::uint32_t a = read32(wave, instruction, 1);
  const std::uint32_t b = read32(wave, instruction, 2);
  write32(wave, instruction, f(a, b, wave.scc));
}

template <std::uint64_t (*f)(std::uint64_t, std::uint64_t, bool&)>
void binary64(Wave& wave, const Instruction& instruction) {
  const std::uint64_t a = read64(wave, instruction, 1);
  const std::uint64_t b = read64(wave, instruction, 2);
  write64(wave, instruction, f(a, b, wave.scc));
}

// D = f(S0, S1) with a 64-bit S0 and result and a 32-bit S1, as shifts and bit fields have them.
template <std::uint64_t (*f)(std::uint64_t, std::uint32_t, bool&)>
void wide_by_32(Wave& wave, const Instruction& instruction) {
  const std::uint64_t a = read64(wave, instruction, 1);
  const std::uint32_t b = read32(wave, instruction, 2);
  write64(wave, instruction, f(a, b, wave.scc));
}

template <std::int64_t (*f)(std::int64_t, std::uint32_t, bool&)>
void signed_wide_by_32(Wave& wave, const Instruction& instruction) {
  const std::int64_t a = read_signed64(wave, instruction, 1);
  const std::uint32_t b = read32(wave, instruction, 2);
  write64(wave, instruction, std::uint64_t(f(a, b, wave.scc)));
}

template <std::uint32_t (*f)(std::uint32_t, bool&)>
void unary32(Wave& wave, const Instruction& instruction) {
  write32(wave, instruction, f(read32(wave, instruction, 1), wave.scc));
}

template <std::uint64_t (*f)(std::uint64_t, bool&)>
void unary64(Wave& wave, const Instruction& instruction) {
  write64(wave, instruction, f(read64(wave, instruction, 1), wave.scc));
}

// D (32 bits) = f(S0) of a 64-bit S0.
template <std::uint32_t (*f)(std::uint64_t, bool&)>
void narrow_unary64(Wave& wave, const Instruction& instruction) {
  write32(wave, instruction, f(read64(wave, instruction, 1), wave.scc));
}

} // namespace hk::sim::scalar
