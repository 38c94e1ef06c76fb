// v_mfma_scale_f32_*_f8f6f4: a scale per row and block of 32 along k.

#include <doctest/doctest.h>

#include <bit>
#include <cmath>

#include "sim/matrix/matrix_reference.h"

using namespace hk::sim;
using namespace hk::sim::testing;

namespace {

constexpr std::uint32_t k_fp4_codes[] = {0, 2, 4, 5, 6}; // 0, 1, 2, 3, 4
constexpr double k_fp4_values[] = {0, 1, 2, 3, 4};

} // namespace

TEST_CASE("scales of rows, columns and blocks; byte selection") {
  for (const Shape& shape : {Shape{16, 16, 128, 1}, Shape{32, 32, 64, 1}})
    for (int byte_a = 0; byte_a < 4; ++byte_a) {
      const int byte_b = 3 - byte_a;
      CAPTURE(shape.rows);
      CAPTURE(byte_a);
      OneWave machine(Target::gfx950);
      Wave& wave = machine.wave();
      std::mt19937 random(unsigned(byte_a) + 5);
      std::vector<double> a(std::size_t(shape.rows * shape.depth)), b(a.size());
      for (int i = 0; i < shape.rows; ++i)
        for (int k = 0; k < shape.depth; ++k) {
          const unsigned first = random() % 5, second = random() % 5;
          a[std::size_t(i * shape.depth + k)] = k_fp4_values[first];
          b[std::size_t(i * shape.depth + k)] = k_fp4_values[second];
          put_item(wave, 0, 4, operand_place(shape, 0, i, k), k_fp4_codes[first]);
          put_item(wave, 8, 4, operand_place(shape, 0, i, k), k_fp4_codes[second]);
        }
      // the scale of row i and block n lies in lane i + rows * n
      const auto exponent_a = [](int i, int block) { return (i + 3 * block) % 7 - 3; };
      const auto exponent_b = [](int j, int block) { return (2 * j + block) % 5 - 2; };
      for (int lane = 0; lane < 64; ++lane) {
        const int row = lane % shape.rows, block = lane / shape.rows;
        std::uint32_t word_a = 0xffffffff, word_b = 0xffffffff; // NaN in the bytes not chosen
        word_a ^= std::uint32_t(0xff ^ (127 + exponent_a(row, block))) << 8 * byte_a;
        word_b ^= std::uint32_t(0xff ^ (127 + exponent_b(row, block))) << 8 * byte_b;
        wave.vector[20][lane] = word_a;
        wave.vector[21][lane] = word_b;
      }
      const auto bit = [](int value, int n) { return std::to_string(value >> n & 1); };
      const int results = shape.rows * shape.columns / 64;
      machine.run("v_mfma_scale_f32_" + std::to_string(shape.rows) + "x" + std::to_string(shape.rows) + "x" +
                  std::to_string(shape.depth) + "_f8f6f4 " + registers('v', 32, results) +
                  ", v[0:3], v[8:11], 2.0, v20, v21 op_sel:[" + bit(byte_a, 0) + "," + bit(byte_b, 0) +
                  ",0] op_sel_hi:[" + bit(byte_a, 1) + "," + bit(byte_b, 1) + ",0] cbsz:4 blgp:4");
      int wrong = 0;
      for (int i = 0; i < shape.rows; ++i)
        for (int j = 0; j < shape.columns; ++j) {
          double expected = 2;
          for (int k = 0; k < shape.depth; ++k)
            expected += a[std::size_t(i * shape.depth + k)] * b[std::size_t(j * shape.depth + k)] *
                        std::ldexp(1.0, exponent_a(i, k / 32) + exponent_b(j, k / 32));
          wrong += double(result_at(wave, 32, shape, 0, i, j)) != expected; // exact: small multiples of 2^-5
        }
      CHECK(wrong == 0);
    }
}

TEST_CASE("8-bit operands: their two runs belong to different scale blocks") {
  const Shape shape{16, 16, 128, 1};
  OneWave machine(Target::gfx950);
  Wave& wave = machine.wave();
  for (int i = 0; i < 16; ++i)
    for (int k = 0; k < 128; ++k) {
      put_item(wave, 0, 8, wide_byte_place(shape, i, k), 0x38); // E4M3 1.0
      put_item(wave, 8, 8, wide_byte_place(shape, i, k), k / 32 == 2 ? 0x38 : 0);
    }
  for (int lane = 0; lane < 64; ++lane) {
    wave.vector[20][lane] = std::uint32_t(127 + lane / 16); // 2^block
    wave.vector[21][lane] = 127;
  }
  machine.run("v_mfma_scale_f32_16x16x128_f8f6f4 v[32:35], v[0:7], v[8:15], 0, v20, v21");
  CHECK(std::bit_cast<float>(wave.vector[32][0]) == 32.0f * 4.0f);
}

TEST_CASE("constant scales use their exponent; NaN scales and ranges beyond binary32") {
  OneWave machine(Target::gfx950);
  Wave& wave = machine.wave();
  for (int i = 0; i < 16; ++i)
    for (int lane = 0; lane < 64; ++lane)
      wave.vector[i][lane] = 0x22222222; // FP4 1.0
  machine.run("v_mfma_scale_f32_16x16x128_f8f6f4 v[32:35], v[0:3], v[8:11], 0, 4.0, 0.5 cbsz:4 blgp:4");
  CHECK(std::bit_cast<float>(wave.vector[33][7]) == 128.0f * 2.0f);
  for (int lane = 0; lane < 64; ++lane) {
    wave.vector[20][lane] = 254; // 2^127
    wave.vector[21][lane] = 0;   // 2^-127
  }
  machine.run("v_mfma_scale_f32_16x16x128_f8f6f4 v[32:35], v[0:3], v[8:11], 0, v20, v21 cbsz:4 blgp:4");
  CHECK(std::bit_cast<float>(wave.vector[33][7]) == 128.0f);
  wave.vector[20][3] = 255; // row 3, block 0
  machine.run("v_mfma_scale_f32_16x16x128_f8f6f4 v[32:35], v[0:3], v[8:11], 0, v20, v21 cbsz:4 blgp:4");
  CHECK(wave.vector[32 + 3][7] == 0x7fc00000); // row 3 is item 3 of lanes 0..15
  CHECK(std::bit_cast<float>(wave.vector[32][7]) == 128.0f);
}
