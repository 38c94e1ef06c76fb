// v_smfmac_*: the sparse operand expanded by hand.

#include <doctest/doctest.h>

#include <bit>

#include "sim/matrix/matrix_reference.h"

using namespace hk::sim;
using namespace hk::sim::testing;

namespace {

struct Case {
  std::string mnemonic;
  Shape shape;
  int width;       // bits of an element
  bool two_halves; // gfx950's doubled depth: each half laid out like the shorter instruction
  bool integer;
  std::uint64_t one; // code of 1
};

std::uint64_t encode(const Case& test, int value) { // 0, 1, 2, 4
  if (test.integer || value == 0)
    return std::uint64_t(value);
  const int exponent = value == 4 ? 2 : value - 1;
  const int mantissa_bits = test.mnemonic.ends_with("_f16") ? 10 : test.mnemonic.ends_with("bf16") ? 7 : 3;
  return test.one + (std::uint64_t(exponent) << mantissa_bits);
}

// The indices lie in set `set` of their register; `modifiers` chooses it.
void check(Target target, const Case& test, int set, const std::string& modifiers) {
  CAPTURE(test.mnemonic);
  CAPTURE(set);
  const Shape& shape = test.shape;
  OneWave machine(target);
  Wave& wave = machine.wave();
  std::mt19937 random(unsigned(set) + 11);
  const int runs = test.two_halves ? 2 : 1;
  const int per_run = shape.depth * shape.rows / 64 / runs; // dense items of a lane and run
  // place of B[k,j]; A's kept elements lie likewise with half as many items
  const auto run_of = [&](int k) { return k / (shape.depth / runs); };
  const auto lane_of = [&](int i, int k) { return i + shape.rows * (k % (shape.depth / runs) / per_run); };
  std::vector<int> a(std::size_t(shape.rows * shape.depth)), b(a.size());
  for (int lane = 0; lane < 64; ++lane)
    wave.vector[24][lane] = 0;
  for (int i = 0; i < shape.rows; ++i)
    for (int k = 0; k < shape.depth; ++k) {
      b[std::size_t(i * shape.depth + k)] = int(random() % 3);
      put_item(wave, 8, test.width, {run_of(k) * per_run + k % per_run, lane_of(i, k)},
               encode(test, b[std::size_t(i * shape.depth + k)]));
      if (k % 4 != 0)
        continue;
      const int first = int(random() % 3);
      const int second = first + 1 + int(random() % unsigned(3 - first));
      const int places[2] = {first, second};
      for (int n = 0; n < 2; ++n) {
        const int value = 1 << random() % 3;
        a[std::size_t(i * shape.depth + k + places[n])] = value;
        const int item = run_of(k) * (per_run / 2) + k % per_run / 2 + n;
        const int lane = lane_of(i, k);
        put_item(wave, 0, test.width, {item, lane}, encode(test, value));
        const int kept = per_run / 2 * runs;
        wave.vector[24][lane] |= std::uint32_t(places[n]) << (2 * (item + kept * set));
      }
    }
  const int results = shape.rows * shape.columns / 64;
  const int b_registers = shape.depth * shape.rows / 64 * test.width / 32;
  for (int r = 0; r < results; ++r)
    for (int lane = 0; lane < 64; ++lane)
      wave.vector[32 + r][lane] = test.integer ? 5 : std::bit_cast<std::uint32_t>(5.0f);
  machine.run(test.mnemonic + " " + registers('v', 32, results) + ", " + registers('v', 0, b_registers / 2) + ", " +
              registers('v', 8, b_registers) + ", v24" + modifiers);
  int wrong = 0;
  for (int i = 0; i < shape.rows; ++i)
    for (int j = 0; j < shape.columns; ++j) {
      int expected = 5;
      for (int k = 0; k < shape.depth; ++k)
        expected += a[std::size_t(i * shape.depth + k)] * b[std::size_t(j * shape.depth + k)];
      const float got = result_at(wave, 32, shape, 0, i, j);
      wrong += test.integer ? std::bit_cast<std::int32_t>(got) != expected : got != float(expected);
    }
  CHECK(wrong == 0);
}

std::string by_abid(int set) {
  return " abid:" + std::to_string(set);
}

} // namespace

TEST_CASE("sparse products of gfx942, every index set") {
  for (int set = 0; set < 4; ++set) {
    check(Target::gfx942, {"v_smfmac_f32_16x16x32_f16", {16, 16, 32, 1}, 16, false, false, 0x3c00}, set, by_abid(set));
    check(Target::gfx942, {"v_smfmac_f32_32x32x16_bf16", {32, 32, 16, 1}, 16, false, false, 0x3f80}, set, by_abid(set));
  }
  for (int set = 0; set < 2; ++set) {
    check(Target::gfx942, {"v_smfmac_i32_16x16x64_i8", {16, 16, 64, 1}, 8, false, true, 1}, set, by_abid(set));
    check(Target::gfx942, {"v_smfmac_f32_32x32x32_fp8_fp8", {32, 32, 32, 1}, 8, false, false, 0x40}, set, by_abid(set));
  }
}

TEST_CASE("sparse products of gfx950") {
  for (int set = 0; set < 2; ++set) {
    check(Target::gfx950, {"v_smfmac_f32_16x16x64_f16", {16, 16, 64, 1}, 16, true, false, 0x3c00}, set, by_abid(set));
    check(Target::gfx950, {"v_smfmac_f32_32x32x32_bf16", {32, 32, 32, 1}, 16, true, false, 0x3f80}, set, by_abid(set));
  }
  check(Target::gfx950, {"v_smfmac_i32_16x16x128_i8", {16, 16, 128, 1}, 8, true, true, 1}, 0, by_abid(0));
  check(Target::gfx950, {"v_smfmac_f32_32x32x64_fp8_fp8", {32, 32, 64, 1}, 8, true, false, 0x38}, 0, by_abid(0));
}

TEST_CASE("cbsz other than 0 takes the first index set") {
  check(Target::gfx942, {"v_smfmac_f32_16x16x32_f16", {16, 16, 32, 1}, 16, false, false, 0x3c00}, 0, " cbsz:1 abid:3");
}
