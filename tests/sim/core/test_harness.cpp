#include <doctest/doctest.h>

#include "sim/harness.h"

using namespace hk::sim;
using hk::sim::testing::OneWave;

TEST_CASE("an instruction that nobody implements names itself") {
  OneWave machine(Target::gfx942);
  const Fault fault = machine.run_to_fault("s_sethalt 1");
  CHECK(fault.kind == FaultKind::unknown_instruction);
  CHECK(fault.instruction == "s_sethalt 1");
  CHECK(fault.explanation.find("s_sethalt") != std::string::npos);
}

TEST_CASE("running past the end of the code is a fault") {
  OneWave machine(Target::gfx950);
  const Program& program = machine.decode("s_endpgm");
  CHECK(program.instructions.size() == 1);
  CHECK(program.index_of(0) == 0);
  CHECK(program.index_of(4) == -1);
  CHECK(program.index_of(2) == -1);
}
