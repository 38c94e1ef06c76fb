#include <doctest/doctest.h>

#include "sim/harness.h"

using namespace hk::sim;
using namespace hk::sim::testing;

namespace {

constexpr std::uint32_t k_stride = 48; // between the lanes' addresses; any multiple of 16 does

void set_addresses(OneWave& machine) {
  for (int lane = 0; lane < 64; ++lane)
    machine.wave().vector[1][lane] = k_stride * std::uint32_t(lane);
}

// Element `element` of `bits` bits at `displacement` bytes behind the lane's address.
void put(OneWave& machine, int lane, int displacement, int element, int bits, std::uint32_t value) {
  for (int bit = 0; bit < bits; ++bit) {
    const int position = 8 * displacement + element * bits + bit;
    const std::size_t byte = k_stride * std::size_t(lane) + std::size_t(position / 8);
    auto old = machine.lds_at<std::uint8_t>(byte);
    old = std::uint8_t((old & ~(1 << position % 8)) | int(value >> bit & 1) << position % 8);
    machine.set_lds<std::uint8_t>(byte, old);
  }
}

std::uint32_t get(const Wave& wave, int first, int lane, int element, int bits) {
  std::uint32_t value = 0;
  for (int bit = 0; bit < bits; ++bit) {
    const int position = element * bits + bit;
    value |= (wave.vector[first + position / 32][lane] >> (position % 32) & 1) << bit;
  }
  return value;
}

} // namespace

TEST_CASE("ds_read_b64_tr_b16: the permutation, written out for the first group") {
  OneWave machine(Target::gfx950);
  set_addresses(machine);
  for (int lane = 0; lane < 64; ++lane)
    for (int element = 0; element < 4; ++element)
      put(machine, lane, 0, element, 16, std::uint32_t(100 * lane + element));
  machine.run("ds_read_b64_tr_b16 v[8:9], v1");
  // expected[lane][i]: 100 * source lane + source element
  const std::uint32_t expected[16][4] = {
      {0, 400, 800, 1200},    {1, 401, 801, 1201},    {2, 402, 802, 1202},    {3, 403, 803, 1203},
      {100, 500, 900, 1300},  {101, 501, 901, 1301},  {102, 502, 902, 1302},  {103, 503, 903, 1303},
      {200, 600, 1000, 1400}, {201, 601, 1001, 1401}, {202, 602, 1002, 1402}, {203, 603, 1003, 1403},
      {300, 700, 1100, 1500}, {301, 701, 1101, 1501}, {302, 702, 1102, 1502}, {303, 703, 1103, 1503},
  };
  for (int lane = 0; lane < 64; ++lane)
    for (int i = 0; i < 4; ++i)
      CHECK(get(machine.wave(), 8, lane, i, 16) == expected[lane % 16][i] + 1600u * unsigned(lane / 16));
}

TEST_CASE("every transposing read gives lane l column l of the rows that its group of lanes addressed") {
  struct Form {
    const char* text;
    int bits, elements; // per lane
  };
  for (const Form& form :
       {Form{"ds_read_b64_tr_b16 v[8:9], v1 offset:16", 16, 4}, Form{"ds_read_b64_tr_b8 v[8:9], v1 offset:16", 8, 8},
        Form{"ds_read_b64_tr_b4 v[8:9], v1 offset:16", 4, 16},
        Form{"ds_read_b96_tr_b6 v[8:10], v1 offset:16", 6, 16}}) {
    CAPTURE(form.text);
    OneWave machine(Target::gfx950);
    set_addresses(machine);
    const int lanes_per_row = 16 / form.elements;
    const auto value = [&](int group, int row, int column) {
      return std::uint32_t(row * 37 + column * 11 + group * 5) & ((1u << form.bits) - 1);
    };
    for (int group = 0; group < 4; ++group)
      for (int row = 0; row < form.elements; ++row)
        for (int column = 0; column < 16; ++column) {
          // 16 consecutive elements of a row lie at the addresses of consecutive lanes, 16 bytes behind them
          const int lane = 16 * group + lanes_per_row * row + column / form.elements;
          put(machine, lane, 16, column % form.elements, form.bits, value(group, row, column));
        }
    machine.run(form.text);
    int wrong = 0;
    for (int lane = 0; lane < 64; ++lane)
      for (int row = 0; row < form.elements; ++row)
        wrong += get(machine.wave(), 8, lane, row, form.bits) != value(lane / 16, row, lane % 16);
    CHECK(wrong == 0);
  }
}

// What the instruction is for: A of a 32x32x16 product, stored with rows along k, fetched by two reads. The guide: the
// first read yields k = 0..3 (lanes 0..31) and k = 8..11 (lanes 32..63), the second the other four of each.
TEST_CASE("two ds_read_b64_tr_b16 load a column-major A operand for a 32x32x16 product") {
  OneWave machine(Target::gfx950);
  Wave& wave = machine.wave();
  const auto bf16_of = [](int value) { // exact for small integers
    const float f = float(value);
    std::uint32_t bits;
    std::memcpy(&bits, &f, sizeof bits);
    return std::uint16_t(bits >> 16);
  };
  const auto a = [](int m, int k) { return (m * 3 + k * 5) % 17 - 8; };
  for (int k = 0; k < 16; ++k)
    for (int m = 0; m < 32; ++m)
      machine.set_lds<std::uint16_t>(std::size_t(k * 32 + m), bf16_of(a(m, k))); // [k][m], 64 bytes per k
  for (int lane = 0; lane < 64; ++lane) {
    const int half = lane / 32, group_column = lane / 16 % 2, row = lane % 16 / 4, part = lane % 4;
    wave.vector[1][lane] = std::uint32_t((8 * half + row) * 64 + (16 * group_column + 4 * part) * 2);
  }
  machine.run("ds_read_b64_tr_b16 v[8:9], v1\n ds_read_b64_tr_b16 v[10:11], v1 offset:256");
  for (int lane = 0; lane < 64; ++lane)
    for (int item = 0; item < 8; ++item) // a lane's 8 items are k = 8 * (lane / 32) + item of row lane % 32
      CHECK(get(wave, 8, lane, item, 16) == bf16_of(a(lane % 32, 8 * (lane / 32) + item)));
}

TEST_CASE("transposing reads demand all lanes and aligned addresses") {
  OneWave machine(Target::gfx950);
  set_addresses(machine);
  machine.wave().set_exec(~std::uint64_t{0} >> 1);
  CHECK(machine.run_to_fault("ds_read_b64_tr_b16 v[8:9], v1").kind == FaultKind::unsupported_operand);
  machine.wave().set_exec(~std::uint64_t{0});
  CHECK(machine.run_to_fault("ds_read_b64_tr_b16 v[8:9], v1 offset:4").kind == FaultKind::misaligned);
  CHECK(machine.run_to_fault("ds_read_b96_tr_b6 v[8:10], v1 offset:8").kind == FaultKind::misaligned);
  machine.run("ds_read_b64_tr_b8 v[8:9], v1 offset:8");
}
