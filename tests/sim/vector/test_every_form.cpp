// Properties that hold for every vector operation in every encoding, on the lines of every_form.s.

#include <doctest/doctest.h>

#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>

#include "sim/harness.h"

using namespace hk::sim;
using namespace hk::sim::testing;

namespace {

std::string read_forms(Target target) {
  std::ifstream file(std::string(HK_TEST_FOLDER) + "/every_form.s");
  REQUIRE(file.good());
  std::stringstream content;
  content << file.rdbuf();
  const std::string text = content.str();
  return target == Target::gfx950 ? text : text.substr(0, text.find("; gfx950"));
}

struct Registers {
  std::uint32_t vector[k_vector_register_count][k_wave_size];
};

bool is_destination(const Instruction& instruction, unsigned vgpr) {
  for (unsigned i = 0; i < instruction.operation->destinations; ++i) {
    const Operand& operand = instruction.operands[i];
    if (operand.kind == OperandKind::vector_register && vgpr >= operand.index &&
        vgpr < unsigned(operand.index) + operand.registers)
      return true;
  }
  return false;
}

// The first register and lane that changed although it must not have, as text; empty if there is none.
std::string wrong_write(const Instruction& instruction, const Registers& before, const Wave& wave, std::uint64_t exec) {
  for (unsigned vgpr = 0; vgpr < k_vector_register_count; ++vgpr) {
    if (std::memcmp(before.vector[vgpr], wave.vector[vgpr], sizeof wave.vector[vgpr]) == 0)
      continue;
    for (unsigned lane = 0; lane < k_wave_size; ++lane) {
      const bool may_change = is_destination(instruction, vgpr) && ((exec >> lane) & 1) != 0;
      if (before.vector[vgpr][lane] != wave.vector[vgpr][lane] && !may_change)
        return "register " + std::to_string(vgpr) + ", lane " + std::to_string(lane);
    }
  }
  return {};
}

void check_every_form(Target target) {
  OneWave machine(target);
  const Program& program = machine.decode(read_forms(target));
  CHECK(program.instructions.size() > 900);
  Wave& wave = machine.wave();
  const auto before = std::make_unique<Registers>();
  for (const std::uint64_t exec : {std::uint64_t{0}, std::uint64_t{0x0f0f00ff80ff1234}}) {
    for (const Instruction& instruction : program.instructions) {
      CAPTURE(instruction.text);
      REQUIRE(instruction.operation != nullptr);
      REQUIRE(instruction.refusal.empty());
      wave.set_exec(exec);
      std::memcpy(before->vector, wave.vector, sizeof wave.vector);
      instruction.execute(wave, instruction);
      REQUIRE_MESSAGE(!wave.fault.any(), wave.fault.sentence());
      CHECK(wave.exec() == exec);
      if (instruction.operation->mnemonic != "v_writelane_b32") // the one that ignores EXEC
        CHECK(wrong_write(instruction, *before, wave, exec) == "");
    }
  }
}

} // namespace

TEST_CASE("every form executes, and writes its destination in the lanes of EXEC only") {
  SUBCASE("gfx942") {
    check_every_form(Target::gfx942);
  }
  SUBCASE("gfx950") {
    check_every_form(Target::gfx950);
  }
}
