// Every dense format and shape against the naive product with exact integers: small integers make every partial sum
// exact in binary32, so results are compared for equality and a wrong place cannot hide in a tolerance.

#include <doctest/doctest.h>

#include "sim/matrix/matrix_reference.h"

using namespace hk::sim;
using namespace hk::sim::testing;

namespace {

// Codes of the integers -4..4 in each format, all exact. FP4 has no 5 and no 7; 2^2 * 1.0 = 4 is its code 6.
struct Format {
  const char* name;
  int width;
  std::function<std::uint64_t(int)> encode;
};

std::uint64_t small_float(int value, int exponent_bits, int mantissa_bits, int bias) {
  const std::uint64_t sign = value < 0 ? 1 : 0;
  unsigned magnitude = unsigned(value < 0 ? -value : value);
  if (magnitude == 0)
    return 0;
  int exponent = 0;
  while (magnitude >> (exponent + 1))
    ++exponent;
  const std::uint64_t fraction = mantissa_bits >= exponent
                                     ? std::uint64_t(magnitude - (1u << exponent)) << (mantissa_bits - exponent)
                                     : (magnitude - (1u << exponent)) >> (exponent - mantissa_bits);
  return sign << (exponent_bits + mantissa_bits) | std::uint64_t(exponent + bias) << mantissa_bits | fraction;
}

Format float_format(const char* name, int exponent_bits, int mantissa_bits, int bias) {
  return {name, 1 + exponent_bits + mantissa_bits,
          [=](int value) { return small_float(value, exponent_bits, mantissa_bits, bias); }};
}

const Format k_f32 = float_format("f32", 8, 23, 127);
const Format k_bf16 = float_format("bf16", 8, 7, 127);
const Format k_f16 = float_format("f16", 5, 10, 15);
const Format k_fp8_ocp = float_format("fp8", 4, 3, 7);
const Format k_bf8_ocp = float_format("bf8", 5, 2, 15);
const Format k_fp8_fnuz = float_format("fp8", 4, 3, 8);
const Format k_bf8_fnuz = float_format("bf8", 5, 2, 16);
const Format k_fp6 = float_format("fp6", 2, 3, 1);
const Format k_bf6 = float_format("bf6", 3, 2, 3);
const Format k_fp4 = float_format("fp4", 2, 1, 1);
const Format k_i8{"i8", 8, [](int value) { return std::uint64_t(std::uint8_t(value)); }};

struct Case {
  std::string mnemonic;
  Shape shape;
  Format a, b;
  std::string modifiers;
  bool integer_result = false;
};

int operand_registers(const Shape& shape, const Format& format) {
  return std::max(1, shape.depth * shape.rows * shape.blocks / 64 * format.width / 32);
}

// The values differ in every element; half of the lanes are off, which must not matter.
void check_case(Target target, const Case& test, bool accumulators, unsigned seed) {
  CAPTURE(test.mnemonic);
  CAPTURE(accumulators);
  const Shape& shape = test.shape;
  OneWave machine(target, 64, 64);
  Wave& wave = machine.wave();
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> value(-4, 4);
  const auto draw = [&] { return value(random); };
  const int base = accumulators ? 256 : 0;
  const int first_a = 0, first_b = 16, first_c = 32, first_d = 96;
  const bool narrow = test.mnemonic.find("f8f6f4") != std::string::npos;
  std::vector<int> a(std::size_t(shape.blocks * shape.rows * shape.depth)), b = a;
  std::vector<int> c(std::size_t(shape.blocks * shape.rows * shape.columns));
  for (int block = 0; block < shape.blocks; ++block) {
    for (int i = 0; i < shape.rows; ++i)
      for (int k = 0; k < shape.depth; ++k) {
        const std::size_t at = std::size_t((block * shape.rows + i) * shape.depth + k);
        a[at] = draw();
        b[at] = draw();
        const auto place = [&](const Format& format) {
          return narrow && format.width == 8 ? wide_byte_place(shape, i, k) : operand_place(shape, block, i, k);
        };
        put_item(wave, base + first_a, test.a.width, place(test.a), test.a.encode(a[at]));
        put_item(wave, base + first_b, test.b.width, place(test.b), test.b.encode(b[at]));
      }
    for (int i = 0; i < shape.rows; ++i)
      for (int j = 0; j < shape.columns; ++j) {
        const int drawn = 16 * draw();
        c[std::size_t((block * shape.rows + i) * shape.columns + j)] = drawn;
        float bits = float(drawn);
        if (test.integer_result)
          std::memcpy(&bits, &drawn, sizeof bits);
        put_result(wave, base + first_c, shape, block, i, j, bits);
      }
  }
  wave.set_exec(0x5555'0000'ffff'1234);
  const char letter = accumulators ? 'a' : 'v';
  const int result_registers = shape.rows * shape.columns * shape.blocks / 64;
  machine.run(test.mnemonic + " " + registers(letter, first_d, result_registers) + ", " +
              registers(letter, first_a, operand_registers(shape, test.a)) + ", " +
              registers(letter, first_b, operand_registers(shape, test.b)) + ", " +
              registers(letter, first_c, result_registers) + test.modifiers);
  int wrong = 0;
  for (int block = 0; block < shape.blocks; ++block)
    for (int i = 0; i < shape.rows; ++i)
      for (int j = 0; j < shape.columns; ++j) {
        int expected = c[std::size_t((block * shape.rows + i) * shape.columns + j)];
        for (int k = 0; k < shape.depth; ++k)
          expected += a[std::size_t((block * shape.rows + i) * shape.depth + k)] *
                      b[std::size_t((block * shape.rows + j) * shape.depth + k)];
        const float got = result_at(wave, base + first_d, shape, block, i, j);
        std::int32_t integer;
        std::memcpy(&integer, &got, sizeof integer);
        wrong += test.integer_result ? integer != expected : got != float(expected);
      }
  CHECK(wrong == 0);
}

void check_everywhere(Target target, const std::vector<Case>& cases) {
  unsigned seed = 1;
  for (const Case& test : cases) {
    check_case(target, test, false, ++seed);
    check_case(target, test, true, ++seed);
  }
}

std::vector<Case> cases_of_both_targets() {
  std::vector<Case> cases;
  for (const Format& format : {k_bf16, k_f16}) {
    const std::string name = format.name;
    cases.push_back({"v_mfma_f32_32x32x8_" + name, {32, 32, 8, 1}, format, format, ""});
    cases.push_back({"v_mfma_f32_16x16x16_" + name, {16, 16, 16, 1}, format, format, ""});
    cases.push_back({"v_mfma_f32_32x32x4_2b_" + name, {32, 32, 4, 2}, format, format, ""});
    cases.push_back({"v_mfma_f32_16x16x4_4b_" + name, {16, 16, 4, 4}, format, format, ""});
    cases.push_back({"v_mfma_f32_4x4x4_16b_" + name, {4, 4, 4, 16}, format, format, ""});
  }
  cases.push_back({"v_mfma_f32_32x32x2_f32", {32, 32, 2, 1}, k_f32, k_f32, ""});
  cases.push_back({"v_mfma_f32_16x16x4_f32", {16, 16, 4, 1}, k_f32, k_f32, ""});
  cases.push_back({"v_mfma_f32_32x32x1_2b_f32", {32, 32, 1, 2}, k_f32, k_f32, ""});
  cases.push_back({"v_mfma_f32_16x16x1_4b_f32", {16, 16, 1, 4}, k_f32, k_f32, ""});
  cases.push_back({"v_mfma_f32_4x4x1_16b_f32", {4, 4, 1, 16}, k_f32, k_f32, ""});
  cases.push_back({"v_mfma_i32_32x32x16_i8", {32, 32, 16, 1}, k_i8, k_i8, "", true});
  cases.push_back({"v_mfma_i32_16x16x32_i8", {16, 16, 32, 1}, k_i8, k_i8, "", true});
  cases.push_back({"v_mfma_i32_32x32x4_2b_i8", {32, 32, 4, 2}, k_i8, k_i8, "", true});
  cases.push_back({"v_mfma_i32_16x16x4_4b_i8", {16, 16, 4, 4}, k_i8, k_i8, "", true});
  cases.push_back({"v_mfma_i32_4x4x4_16b_i8", {4, 4, 4, 16}, k_i8, k_i8, "", true});
  return cases;
}

void add_byte_cases(std::vector<Case>& cases, const Format& fp8, const Format& bf8) {
  for (const Format& a : {fp8, bf8})
    for (const Format& b : {fp8, bf8}) {
      const std::string types = std::string(a.name) + "_" + b.name;
      cases.push_back({"v_mfma_f32_16x16x32_" + types, {16, 16, 32, 1}, a, b, ""});
      cases.push_back({"v_mfma_f32_32x32x16_" + types, {32, 32, 16, 1}, a, b, ""});
    }
}

} // namespace

TEST_CASE("dense layouts of gfx942") {
  std::vector<Case> cases = cases_of_both_targets();
  cases.push_back({"v_mfma_f32_16x16x8_xf32", {16, 16, 8, 1}, k_f32, k_f32, ""});
  cases.push_back({"v_mfma_f32_32x32x4_xf32", {32, 32, 4, 1}, k_f32, k_f32, ""});
  add_byte_cases(cases, k_fp8_fnuz, k_bf8_fnuz);
  check_everywhere(Target::gfx942, cases);
}

TEST_CASE("dense layouts of gfx950") {
  std::vector<Case> cases = cases_of_both_targets();
  add_byte_cases(cases, k_fp8_ocp, k_bf8_ocp);
  for (const Format& format : {k_bf16, k_f16}) {
    const std::string name = format.name;
    cases.push_back({"v_mfma_f32_32x32x16_" + name, {32, 32, 16, 1}, format, format, ""});
    cases.push_back({"v_mfma_f32_16x16x32_" + name, {16, 16, 32, 1}, format, format, ""});
  }
  cases.push_back({"v_mfma_i32_32x32x32_i8", {32, 32, 32, 1}, k_i8, k_i8, "", true});
  cases.push_back({"v_mfma_i32_16x16x64_i8", {16, 16, 64, 1}, k_i8, k_i8, "", true});
  check_everywhere(Target::gfx950, cases);
}

TEST_CASE("8, 6 and 4-bit operands in every pairing") {
  const Format formats[] = {k_fp8_ocp, k_bf8_ocp, k_fp6, k_bf6, k_fp4};
  std::vector<Case> cases;
  for (int a = 0; a < 5; ++a)
    for (int b = 0; b < 5; ++b) {
      const std::string modifiers = " cbsz:" + std::to_string(a) + " blgp:" + std::to_string(b);
      cases.push_back({"v_mfma_f32_16x16x128_f8f6f4", {16, 16, 128, 1}, formats[a], formats[b], modifiers});
      cases.push_back({"v_mfma_f32_32x32x64_f8f6f4", {32, 32, 64, 1}, formats[a], formats[b], modifiers});
    }
  check_everywhere(Target::gfx950, cases);
}
