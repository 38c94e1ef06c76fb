// What the instructions make of special values, constants and modifiers.

#include <doctest/doctest.h>

#include <bit>
#include <cmath>

#include "sim/instructions/matrix/passes.h"
#include "sim/machine/operation.h"
#include "sim/matrix/matrix_reference.h"

using namespace hk::sim;
using namespace hk::sim::testing;

namespace {

std::uint32_t bits(float value) {
  return std::bit_cast<std::uint32_t>(value);
}

void fill(OneWave& machine, int first, int count, std::uint32_t value) {
  for (int i = 0; i < count; ++i)
    for (int lane = 0; lane < 64; ++lane)
      machine.wave().vector[first + i][lane] = value;
}

} // namespace

TEST_CASE("random bf16 and f16 products stay within the rounding of binary32 sums") {
  struct Form {
    const char* mnemonic;
    Shape shape;
    bool bf16;
  };
  for (const Form& form :
       {Form{"v_mfma_f32_32x32x8_bf16", {32, 32, 8, 1}, true}, Form{"v_mfma_f32_16x16x16_bf16", {16, 16, 16, 1}, true},
        Form{"v_mfma_f32_32x32x16_bf16", {32, 32, 16, 1}, true},
        Form{"v_mfma_f32_16x16x32_bf16", {16, 16, 32, 1}, true}, Form{"v_mfma_f32_32x32x8_f16", {32, 32, 8, 1}, false},
        Form{"v_mfma_f32_16x16x32_f16", {16, 16, 32, 1}, false}}) {
    CAPTURE(form.mnemonic);
    const Shape& shape = form.shape;
    OneWave machine(Target::gfx950);
    Wave& wave = machine.wave();
    std::mt19937 random(7);
    // A code with a moderate exponent, and its value by the format's definition.
    const auto draw = [&](double& value) {
      const std::uint32_t sign = random() & 1, exponent = random() % 6;
      const int mantissa_bits = form.bf16 ? 7 : 10;
      const std::uint32_t mantissa = random() & ((1u << mantissa_bits) - 1);
      value = std::ldexp(double((1u << mantissa_bits) + mantissa), int(exponent) - 3 - mantissa_bits) * (sign ? -1 : 1);
      return sign << 15 | (exponent + (form.bf16 ? 124u : 12u)) << mantissa_bits | mantissa;
    };
    std::vector<double> a(std::size_t(shape.rows * shape.depth)), b(a.size());
    for (int i = 0; i < shape.rows; ++i)
      for (int k = 0; k < shape.depth; ++k) {
        const auto at = std::size_t(i * shape.depth + k);
        put_item(wave, 0, 16, operand_place(shape, 0, i, k), draw(a[at]));
        put_item(wave, 8, 16, operand_place(shape, 0, i, k), draw(b[at]));
      }
    const int results = shape.rows * shape.columns / 64, sources = shape.depth * shape.rows / 128;
    machine.run(std::string(form.mnemonic) + " " + registers('v', 32, results) + ", " + registers('v', 0, sources) +
                ", " + registers('v', 8, sources) + ", 1.0");
    int wrong = 0;
    for (int i = 0; i < shape.rows; ++i)
      for (int j = 0; j < shape.columns; ++j) {
        double exact = 1, magnitude = 1;
        for (int k = 0; k < shape.depth; ++k) {
          const double product = a[std::size_t(i * shape.depth + k)] * b[std::size_t(j * shape.depth + k)];
          exact += product;
          magnitude += std::abs(product);
        }
        wrong += !close(result_at(wave, 32, shape, 0, i, j), exact, magnitude, shape.depth);
      }
    CHECK(wrong == 0);
  }
}

TEST_CASE("the accumulator may be a constant") {
  OneWave machine(Target::gfx942);
  Wave& wave = machine.wave();
  fill(machine, 0, 4, 0);
  fill(machine, 8, 4, 0);
  struct Case {
    const char* text;
    std::uint32_t expected;
  };
  for (const Case& test : {Case{"v_mfma_f32_16x16x16_f16 v[32:35], v[0:1], v[8:9], 0", 0},
                           Case{"v_mfma_f32_16x16x16_f16 v[32:35], v[0:1], v[8:9], -4.0", bits(-4.0f)},
                           Case{"v_mfma_f32_16x16x16_f16 v[32:35], v[0:1], v[8:9], 0.15915494", 0x3e22f983},
                           Case{"v_mfma_f32_16x16x16_f16 v[32:35], v[0:1], v[8:9], 7", 7},
                           Case{"v_mfma_i32_16x16x32_i8 v[32:35], v[0:1], v[8:9], -16", std::uint32_t(-16)},
                           Case{"v_mfma_i32_16x16x32_i8 v[32:35], v[0:1], v[8:9], 1.0", bits(1.0f)}}) {
    CAPTURE(test.text);
    machine.run(test.text);
    CHECK(wave.vector[32][0] == test.expected);
    CHECK(wave.vector[35][63] == test.expected);
  }
  machine.run("v_mfma_f64_16x16x4_f64 v[32:39], v[0:1], v[8:9], 0.5");
  CHECK(wave.vector[32][5] == 0);
  CHECK(wave.vector[39][5] == 0x3fe00000);
}

TEST_CASE("subnormals: f16 and bf16 operands and results keep them, f32 operands obey MODE") {
  OneWave machine(Target::gfx942);
  Wave& wave = machine.wave();
  fill(machine, 0, 2, 0x00010001); // f16: 2^-24 in every element
  fill(machine, 8, 2, 0x00010001);
  machine.run("v_mfma_f32_16x16x16_f16 v[32:35], v[0:1], v[8:9], 0");
  CHECK(std::bit_cast<float>(wave.vector[32][0]) == 16 * 0x1p-48f);
  fill(machine, 0, 2, 0x00010001); // bf16: 2^-133, times 1
  fill(machine, 8, 2, 0x3f803f80);
  machine.run("v_mfma_f32_16x16x16_bf16 v[32:35], v[0:1], v[8:9], 0");
  CHECK(std::bit_cast<float>(wave.vector[32][0]) == 16 * 0x1p-133f);
  fill(machine, 0, 1, 1); // f32: 2^-149
  fill(machine, 8, 1, bits(2.0f));
  machine.run("v_mfma_f32_16x16x4_f32 v[32:35], v0, v8, 3");
  CHECK(wave.vector[32][0] == 8 + 3);
  wave.mode &= ~0x30u;
  machine.run("v_mfma_f32_16x16x4_f32 v[32:35], v0, v8, 3");
  CHECK(wave.vector[32][0] == 3); // C keeps its subnormal
}

TEST_CASE("NaN and infinity") {
  OneWave machine(Target::gfx942);
  Wave& wave = machine.wave();
  fill(machine, 0, 2, 0x7f807f80); // bf16 infinity
  fill(machine, 8, 2, 0x3f803f80); // 1.0
  machine.run("v_mfma_f32_16x16x16_bf16 v[32:35], v[0:1], v[8:9], 0");
  CHECK(wave.vector[32][0] == 0x7f800000);
  fill(machine, 8, 2, 0);
  machine.run("v_mfma_f32_16x16x16_bf16 v[32:35], v[0:1], v[8:9], 0");
  CHECK(wave.vector[32][0] == 0x7fc00000); // infinity * 0
  fill(machine, 0, 2, 0xffc1ffc1);         // NaN with sign and payload
  machine.run("v_mfma_f32_16x16x16_bf16 v[32:35], v[0:1], v[8:9], 0");
  CHECK(wave.vector[32][0] == 0x7fc00000);
}

TEST_CASE("xf32 rounds the operands to 10 mantissa bits") {
  OneWave machine(Target::gfx942);
  fill(machine, 0, 2, bits(1.0f + 0x1p-11f + 0x1p-20f)); // above the tie: 1 + 2^-10
  fill(machine, 8, 2, bits(1.0f + 0x1p-11f));            // a tie: 1
  machine.run("v_mfma_f32_16x16x8_xf32 v[32:35], v[0:1], v[8:9], 0");
  CHECK(std::bit_cast<float>(machine.wave().vector[32][0]) == 8 * (1.0f + 0x1p-10f));
}

TEST_CASE("the accumulator in place, and where results may lie") {
  OneWave machine(Target::gfx942);
  Wave& wave = machine.wave();
  fill(machine, 0, 2, 0x3f803f80);
  fill(machine, 8, 2, 0x3f803f80);
  fill(machine, 32, 16, bits(100.0f));
  machine.run("v_mfma_f32_32x32x8_bf16 v[32:47], v[0:1], v[8:9], v[32:47]");
  CHECK(std::bit_cast<float>(wave.vector[40][40]) == 108.0f);
  machine.run("v_mfma_f32_16x16x16_bf16 v[0:3], v[0:1], v[8:9], 0"); // four registers may overlap A
  CHECK(std::bit_cast<float>(wave.vector[1][40]) == 16.0f);
  CHECK(machine.run_to_fault("v_mfma_f32_32x32x8_bf16 v[32:47], v[36:37], v[8:9], 0").kind ==
        FaultKind::unsupported_operand);
  CHECK(machine.run_to_fault("v_mfma_f32_32x32x8_bf16 v[32:47], v[0:1], v[46:47], 0").kind ==
        FaultKind::unsupported_operand);
  wave.mode |= 1u << 23;
  CHECK(machine.run_to_fault("v_mfma_f32_16x16x16_bf16 v[32:35], v[0:1], v[8:9], 0").kind ==
        FaultKind::unsupported_operand);
}

// A[b,i,0] and B[b,0,j] of 32x32x1 with two blocks lie in lane i + 32 b; with cbsz and blgp other lanes are read
// instead.
TEST_CASE("cbsz and abid broadcast lanes of A, blgp permutes lanes of B") {
  struct Case {
    const char* modifiers;
    int a_lane[2], b_lane[2]; // of row or column 5 in each block
  };
  for (const Case& test :
       {Case{"", {5, 37}, {5, 37}}, Case{" cbsz:1", {5, 5}, {5, 37}}, Case{" cbsz:1 abid:1", {37, 37}, {5, 37}},
        Case{" cbsz:2 abid:3", {53, 53}, {5, 37}}, // 16 lanes from 48 on, for all
        Case{" blgp:1", {5, 37}, {5, 5}}, Case{" blgp:2", {5, 37}, {37, 37}}, Case{" blgp:3", {5, 37}, {21, 53}},
        Case{" blgp:4", {5, 37}, {5, 5}}, Case{" blgp:5", {5, 37}, {21, 21}}, Case{" blgp:6", {5, 37}, {37, 37}},
        Case{" blgp:7", {5, 37}, {53, 53}}, Case{" cbsz:1 abid:1 blgp:7", {37, 37}, {53, 53}}}) {
    CAPTURE(test.modifiers);
    OneWave machine(Target::gfx942);
    Wave& wave = machine.wave();
    for (int lane = 0; lane < 64; ++lane) {
      wave.vector[0][lane] = bits(float(1 + lane));
      wave.vector[1][lane] = bits(float(100 + lane));
    }
    machine.run(std::string("v_mfma_f32_32x32x1_2b_f32 v[32:63], v0, v1, 0") + test.modifiers);
    const Shape shape{32, 32, 1, 2};
    for (int block = 0; block < 2; ++block)
      CHECK(result_at(wave, 32, shape, block, 5, 5) == float(1 + test.a_lane[block]) * float(100 + test.b_lane[block]));
  }
}

TEST_CASE("f64: layouts and negation") {
  struct Form {
    const char* mnemonic;
    Shape shape;
    int results; // registers
  };
  for (const Form& form :
       {Form{"v_mfma_f64_16x16x4_f64", {16, 16, 4, 1}, 8}, Form{"v_mfma_f64_4x4x4_4b_f64", {4, 4, 4, 4}, 2}})
    for (int negated = 0; negated < 8; ++negated) {
      CAPTURE(form.mnemonic);
      CAPTURE(negated);
      const Shape& shape = form.shape;
      OneWave machine(Target::gfx950);
      Wave& wave = machine.wave();
      const auto a = [](int block, int i, int k) { return 0.1 * (block + 1) + i * 1.5 - k; };
      const auto b = [](int block, int k, int j) { return 0.3 * (block + 2) - j * 2.5 + k; };
      const auto c = [](int block, int i, int j) { return block + i * 3.0 + j * 0.7; };
      const auto put = [&](int first, Place place, double value) {
        const auto code = std::bit_cast<std::uint64_t>(value);
        wave.vector[first + 2 * place.item][place.lane] = std::uint32_t(code);
        wave.vector[first + 2 * place.item + 1][place.lane] = std::uint32_t(code >> 32);
      };
      // 16x16x4: row i of D lies in item i / 4, lanes 16 * (i % 4) + j; 4x4x4: row i in lanes j + 4 * (i + 4 * block)
      const auto place_of_d = [&](int block, int i, int j) {
        return shape.rows == 16 ? Place{i / 4, j + 16 * (i % 4)} : Place{0, j + 4 * (i + 4 * block)};
      };
      for (int block = 0; block < shape.blocks; ++block)
        for (int i = 0; i < shape.rows; ++i) {
          for (int k = 0; k < shape.depth; ++k) {
            put(0, operand_place(shape, block, i, k), a(block, i, k));
            put(2, operand_place(shape, block, i, k), b(block, k, i));
          }
          for (int j = 0; j < shape.columns; ++j)
            put(8, place_of_d(block, i, j), c(block, i, j));
        }
      const std::string flags = " neg:[" + std::to_string(negated & 1) + "," + std::to_string(negated >> 1 & 1) + "," +
                                std::to_string(negated >> 2) + "]";
      machine.run(std::string(form.mnemonic) + " " + registers('v', 32, form.results) + ", v[0:1], v[2:3], " +
                  registers('v', 8, form.results) + flags);
      int wrong = 0;
      for (int block = 0; block < shape.blocks; ++block)
        for (int i = 0; i < shape.rows; ++i)
          for (int j = 0; j < shape.columns; ++j) {
            double expected = negated & 4 ? -c(block, i, j) : c(block, i, j);
            for (int k = 0; k < shape.depth; ++k)
              expected += a(block, i, k) * b(block, k, j) * (negated & 1 ? -1 : 1) * (negated & 2 ? -1 : 1);
            const Place place = place_of_d(block, i, j);
            const double got = std::bit_cast<double>(wave.vector[32 + 2 * place.item][place.lane] |
                                                     std::uint64_t(wave.vector[33 + 2 * place.item][place.lane]) << 32);
            wrong += std::abs(got - expected) > 1e-12;
          }
      CHECK(wrong == 0);
    }
}

TEST_CASE("every matrix instruction has its passes") {
  for (const auto& [mnemonic, operation] : operation_table().all()) {
    if (operation.operation_class != OperationClass::matrix || mnemonic.ends_with("_1k"))
      continue;
    CAPTURE(mnemonic);
    CHECK(operation.issue_clocks == 4);
    CHECK(matrix_passes(mnemonic, Target::gfx942) + matrix_passes(mnemonic, Target::gfx950) > 0);
  }
  CHECK(matrix_passes("v_mfma_f32_32x32x8_bf16", Target::gfx942) == 8);
  CHECK(matrix_passes("v_mfma_f32_32x32x16_bf16", Target::gfx942) == 0);
  CHECK(matrix_passes("v_mfma_f32_16x16x128_f8f6f4", Target::gfx950, 0, 4) == 8);
  CHECK(matrix_passes("v_mfma_f32_16x16x128_f8f6f4", Target::gfx950, 4, 2) == 4);
  CHECK(matrix_passes("v_mfma_f32_32x32x64_f8f6f4", Target::gfx950, 2, 1) == 16);
  CHECK(matrix_passes("v_mfma_f64_16x16x4_f64", Target::gfx950) == 16);
}
