// The quick way of instructions without modifiers and the general way give the same, bit for bit.

#include <doctest/doctest.h>

#include <array>
#include <cstring>
#include <fstream>
#include <memory>
#include <random>
#include <sstream>

#include "sim/harness.h"

using namespace hk::sim;
using namespace hk::sim::testing;

namespace {

constexpr std::uint64_t k_full = ~std::uint64_t{0};
constexpr std::uint32_t k_usual_mode = 0x3f0;    // subnormals kept, IEEE, DX10_CLAMP
constexpr std::uint32_t k_flushing_mode = 0x300; // the quick way hands over to the general one

std::string read_forms(Target target) {
  std::ifstream file(std::string(HK_TEST_FOLDER) + "/every_form.s");
  REQUIRE(file.good());
  std::stringstream content;
  content << file.rdbuf();
  const std::string text = content.str();
  return target == Target::gfx950 ? text : text.substr(0, text.find("; gfx950"));
}

// What an instruction can read and change.
struct State {
  std::uint32_t vector[k_vector_register_count][k_wave_size];
  std::array<std::uint32_t, k_scalar_register_count> scalar;
  bool scc;
};

std::unique_ptr<State> state_of(const Wave& wave) {
  auto state = std::make_unique<State>();
  std::memcpy(state->vector, wave.vector, sizeof wave.vector);
  std::memcpy(state->scalar.data(), wave.scalar, sizeof wave.scalar);
  state->scc = wave.scc;
  return state;
}

void restore(const State& state, Wave& wave) {
  std::memcpy(wave.vector, state.vector, sizeof wave.vector);
  std::memcpy(wave.scalar, state.scalar.data(), sizeof wave.scalar);
  wave.scc = state.scc;
}

bool equal(const State& a, const State& b) {
  return std::memcmp(a.vector, b.vector, sizeof a.vector) == 0 && a.scalar == b.scalar && a.scc == b.scc;
}

// Any bits, numbers of ordinary size, small integers, and the special values of f32 and f16.
std::uint32_t random_word(std::mt19937& random) {
  constexpr std::uint32_t special[] = {0x00000000, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001,
                                       0xffc12345, 0x00000001, 0x807fffff, 0x00800000, 0x7f7fffff, 0x3f800000,
                                       0x7c007c00, 0x7e01fc01, 0x03ff8001, 0xffffffff, 0x7fffffff, 0x3c00bc00};
  switch (random() % 4) {
  case 0:
    return special[random() % std::size(special)];
  case 1:
    return 0x3f000000U + (random() & 0x80ffffffU);
  case 2:
    return random() % 70;
  default:
    return std::uint32_t(random());
  }
}

void fill_randomly(std::mt19937& random, Wave& wave) {
  for (auto& line : wave.vector)
    for (std::uint32_t& word : line)
      word = random_word(random);
  for (std::uint32_t& word : wave.scalar)
    word = random_word(random);
}

std::unique_ptr<State> result_of(Execute execute, const Instruction& instruction, const State& start, Wave& wave,
                                 std::uint64_t exec, std::uint32_t mode) {
  restore(start, wave);
  wave.set_exec(exec);
  wave.mode = mode;
  execute(wave, instruction);
  REQUIRE_MESSAGE(!wave.fault.any(), wave.fault.sentence());
  return state_of(wave);
}

// Whether the lanes of `exec` hold the same in every vector register.
bool equal_lanes(const State& a, const State& b, std::uint64_t exec) {
  for (unsigned vgpr = 0; vgpr < k_vector_register_count; ++vgpr)
    for (unsigned lane = 0; lane < k_wave_size; ++lane)
      if (((exec >> lane) & 1) != 0 && a.vector[vgpr][lane] != b.vector[vgpr][lane])
        return false;
  return true;
}

void compare_ways(Target target, std::size_t least_forms) {
  constexpr std::uint64_t k_partial[] = {0, 0x0f0f00ff80ff1234, 0x8000000000000001, ~std::uint64_t{2}};
  OneWave machine(target);
  const Program& program = machine.decode(read_forms(target));
  Wave& wave = machine.wave();
  std::mt19937 random(20261201);
  std::size_t forms = 0;
  for (const Instruction& instruction : program.instructions) {
    REQUIRE(instruction.operation != nullptr);
    const Operation& operation = *instruction.operation;
    if (operation.plain_execute == nullptr || instruction.execute != operation.plain_execute)
      continue;
    ++forms;
    CAPTURE(instruction.text);
    if (forms % 16 == 1)
      fill_randomly(random, wave);
    const auto start = state_of(wave);
    const auto full = result_of(operation.plain_execute, instruction, *start, wave, k_full, k_usual_mode);
    CHECK(equal(*full, *result_of(operation.execute, instruction, *start, wave, k_full, k_usual_mode)));
    const std::uint64_t exec = k_partial[forms % std::size(k_partial)];
    const auto partial = result_of(operation.plain_execute, instruction, *start, wave, exec, k_usual_mode);
    CHECK(equal(*partial, *result_of(operation.execute, instruction, *start, wave, exec, k_usual_mode)));
    CHECK(equal_lanes(*full, *partial, exec));
    const auto flushed = result_of(operation.plain_execute, instruction, *start, wave, exec, k_flushing_mode);
    CHECK(equal(*flushed, *result_of(operation.execute, instruction, *start, wave, exec, k_flushing_mode)));
    restore(*start, wave);
  }
  CHECK(forms >= least_forms);
}

} // namespace

TEST_CASE("the quick way and the general way of vector instructions agree") {
  SUBCASE("gfx942") {
    compare_ways(Target::gfx942, 300);
  }
  SUBCASE("gfx950") {
    compare_ways(Target::gfx950, 300);
  }
}

TEST_CASE("a modifier keeps an instruction off the quick way") {
  OneWave machine(Target::gfx942);
  const auto is_quick = [&](const char* text) {
    const Instruction& instruction = machine.decode(text).instructions.front();
    return instruction.execute == instruction.operation->plain_execute;
  };
  CHECK(is_quick("v_add_f32_e64 v0, v1, v2"));
  CHECK(is_quick("v_add_f32_e32 v0, 1.0, v2"));
  CHECK(is_quick("v_fma_f32 v0, s1, v2, v3"));
  CHECK(is_quick("v_pk_add_f32 v[0:1], v[2:3], v[4:5] op_sel_hi:[1,0]"));
  for (const char* text :
       {"v_add_f32_e64 v0, -v1, v2", "v_add_f32_e64 v0, |v1|, v2", "v_add_f32_e64 v0, v1, v2 clamp",
        "v_add_f32_e64 v0, v1, v2 mul:2", "v_add_f32_dpp v0, v1, v2 row_shr:1 row_mask:0xf bank_mask:0xf",
        "v_add_f32_sdwa v0, v1, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD",
        "v_fma_f16 v0, v1, v2, v3 op_sel:[1,0,0,0]", "v_pk_add_f32 v[0:1], v[2:3], v[4:5] neg_lo:[1,0]"}) {
    CAPTURE(text);
    CHECK(!is_quick(text));
  }
}
