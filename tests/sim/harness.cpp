#include "sim/harness.h"

#include <doctest/doctest.h>

#include "sim/assembler.h"
#include "sim/decode/decode_code.h"
#include "sim/machine/run_wave.h"

namespace hk::sim::testing {

VectorMemory::VectorMemory(std::size_t size) : bytes(size, std::byte{0xcd}) {}

MappedRange VectorMemory::find(std::uint64_t address) const {
  if (address < base || address >= base + bytes.size())
    return {};
  return {base, base + bytes.size(), const_cast<std::byte*>(bytes.data()), false};
}

std::string VectorMemory::describe(std::uint64_t address, std::uint64_t size) const {
  return std::to_string(size) + " bytes at " + std::to_string(std::int64_t(address - base)) +
         " from the start of the only allocation, which has " + std::to_string(bytes.size());
}

OneWave::OneWave(Target target, std::size_t memory_bytes, std::size_t lds_bytes)
    : m_target(target), m_memory(memory_bytes) {
  m_workgroup.target = target;
  m_workgroup.memory = &m_memory;
  m_workgroup.kernel = "test";
  m_workgroup.lds.assign(lds_bytes, std::byte{0xcd});
  m_workgroup.waves.push_back(std::make_unique<Wave>());
  Wave& wave = *m_workgroup.waves[0];
  wave.workgroup = &m_workgroup;
  wave.mode = 0x3f0; // nearest even, denormals kept, DX10_CLAMP and IEEE as the compiler sets them for compute
  std::memset(wave.vector, 0xcd, sizeof wave.vector);
  std::memset(wave.scalar, 0xcd, sizeof wave.scalar);
  wave.set_exec(~std::uint64_t{0});
}

const Program& OneWave::decode(std::string_view text) {
  Result<std::vector<std::byte>> code = assemble(m_target, text);
  if (!code.has_value())
    FAIL("does not assemble for " << std::string(target_name(m_target)) << ": " << std::string(text) << "\n"
                                  << code.error().detail);
  Result<Program> program = decode_code(m_target, *code, {});
  if (!program.has_value())
    FAIL(program.error().message);
  m_programs.push_back(std::make_unique<Program>(std::move(*program)));
  return *m_programs.back();
}

void OneWave::execute(std::string_view text) {
  const Program& program = decode(text);
  m_workgroup.program = &program;
  Wave& only = wave();
  only.next = 0;
  const std::uint64_t limit = only.executed + 1'000'000;
  while (only.next < program.instructions.size() && !only.ended && !only.fault.any()) {
    REQUIRE_MESSAGE(only.executed < limit, "the text does not end");
    run_wave(only, program, 1);
    only.at_barrier = false; // alone in its workgroup
  }
}

void OneWave::run_without_completing(std::string_view text) {
  execute(text);
  REQUIRE_MESSAGE(!wave().fault.any(), wave().fault.sentence());
}

void OneWave::run(std::string_view text) {
  run_without_completing(text);
  wave().complete_all();
  REQUIRE_MESSAGE(!wave().fault.any(), wave().fault.sentence());
}

Fault OneWave::run_to_fault(std::string_view text) {
  execute(text);
  if (!wave().fault.any())
    wave().complete_all();
  REQUIRE_MESSAGE(wave().fault.any(), "no fault from: " << std::string(text));
  Fault fault = wave().fault;
  wave().fault = {};
  wave().pending.clear();
  wave().vector_in_flight.reset();
  wave().scalar_in_flight.reset();
  wave().loads_to_registers = 0;
  wave().marks_overlap = false;
  return fault;
}

} // namespace hk::sim::testing
