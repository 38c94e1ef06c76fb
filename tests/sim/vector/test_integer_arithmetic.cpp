#include <doctest/doctest.h>

#include "sim/vector/lanes.h"

using namespace hk::sim;
using namespace hk::sim::testing;

namespace {

constexpr std::uint32_t k_edges[] = {0,          1,          2,          0x7f,       0x80,       0xff,
                                     0x7fff,     0x8000,     0xffff,     0x7fffffff, 0x80000000, 0x80000001,
                                     0xfffffffe, 0xffffffff, 0x12345678, 0xdeadbeef};
constexpr unsigned k_edge_count = std::size(k_edges);

// All pairs of edges, 64 at a time, through `text` on v1 and v2; `expected` gets the two values.
template <typename Expected>
void check_pairs(const std::string& text, Expected expected) {
  CAPTURE(text);
  VectorCase machine;
  for (unsigned base = 0; base < k_edge_count * k_edge_count; base += 64) {
    const auto a = [base](unsigned lane) { return k_edges[(base + lane) / k_edge_count]; };
    const auto b = [base](unsigned lane) { return k_edges[(base + lane) % k_edge_count]; };
    machine.set_each(1, a);
    machine.set_each(2, b);
    machine.run(text);
    for (unsigned lane = 0; lane < 64; ++lane) {
      CAPTURE(a(lane));
      CAPTURE(b(lane));
      CHECK(machine.lane(0, lane) == std::uint32_t(expected(a(lane), b(lane))));
    }
  }
}

using U = std::uint32_t;
using S = std::int32_t;
using Wide = std::int64_t;
using UWide = std::uint64_t;

Wide limit(Wide value, Wide lowest, Wide highest) {
  return value < lowest ? lowest : value > highest ? highest : value;
}

} // namespace

TEST_CASE("32-bit sums wrap, and saturate under clamp") {
  check_pairs("v_add_u32_e32 v0, v1, v2", [](UWide a, UWide b) { return a + b; });
  check_pairs("v_sub_u32_e32 v0, v1, v2", [](UWide a, UWide b) { return a - b; });
  check_pairs("v_subrev_u32_e32 v0, v1, v2", [](UWide a, UWide b) { return b - a; });
  check_pairs("v_add_u32_e64 v0, v1, v2 clamp", [](Wide a, Wide b) { return limit(a + b, 0, 0xffffffff); });
  check_pairs("v_sub_u32_e64 v0, v1, v2 clamp", [](Wide a, Wide b) { return limit(a - b, 0, 0xffffffff); });
  check_pairs("v_subrev_u32_e64 v0, v1, v2 clamp", [](Wide a, Wide b) { return limit(b - a, 0, 0xffffffff); });
  check_pairs("v_add_i32 v0, v1, v2", [](UWide a, UWide b) { return a + b; });
  check_pairs("v_add_i32 v0, v1, v2 clamp",
              [](U a, U b) { return limit(Wide(S(a)) + S(b), -0x80000000LL, 0x7fffffff); });
  check_pairs("v_sub_i32 v0, v1, v2 clamp",
              [](U a, U b) { return limit(Wide(S(a)) - S(b), -0x80000000LL, 0x7fffffff); });
}

TEST_CASE("16-bit sums look at the lower halves") {
  check_pairs("v_add_u16_e32 v0, v1, v2", [](U a, U b) { return (a + b) & 0xffff; });
  check_pairs("v_sub_u16_e32 v0, v1, v2", [](U a, U b) { return (a - b) & 0xffff; });
  check_pairs("v_subrev_u16_e32 v0, v1, v2", [](U a, U b) { return (b - a) & 0xffff; });
  check_pairs("v_add_u16_e64 v0, v1, v2 clamp",
              [](U a, U b) { return limit(Wide(a & 0xffff) + Wide(b & 0xffff), 0, 0xffff); });
  check_pairs("v_mov_b32_e32 v0, 0\n v_add_i16 v0, v1, v2 clamp",
              [](U a, U b) { return limit(Wide(std::int16_t(a)) + std::int16_t(b), -0x8000, 0x7fff) & 0xffff; });
  check_pairs("v_mov_b32_e32 v0, 0\n v_sub_i16 v0, v1, v2", [](U a, U b) { return (a - b) & 0xffff; });
}

TEST_CASE("three-operand sums") {
  check_pairs("v_add3_u32 v0, v1, v2, v2", [](U a, U b) { return a + b + b; });
  check_pairs("v_xad_u32 v0, v1, v2, v2", [](U a, U b) { return (a ^ b) + b; });
  check_pairs("v_lshl_add_u32 v0, v1, v2, v1", [](U a, U b) { return (a << (b % 32)) + a; });
  check_pairs("v_add_lshl_u32 v0, v1, v2, 35", [](U a, U b) { return (a + b) << 3; });
  check_pairs("v_lshl_or_b32 v0, v1, 33, v2", [](U a, U b) { return (a << 1) | b; });
}

TEST_CASE("carries go to the scalar pair, 0 for lanes that are off") {
  VectorCase machine;
  machine.set(1, {0xffffffff, 0xffffffff, 1, 0x80000000});
  machine.set(2, {1, 0, 1, 0x80000000});
  machine.wave().set_scalar64(10, ~std::uint64_t{0});
  machine.wave().set_exec(0xf);
  machine.run("v_add_co_u32_e64 v0, s[10:11], v1, v2");
  CHECK(machine.wave().scalar64(10) == 0x9);
  CHECK(machine.lane(0, 0) == 0);
  CHECK(machine.lane(0, 1) == 0xffffffff);
  CHECK(machine.lane(0, 3) == 0);

  SUBCASE("carry in") {
    machine.wave().set_vcc(0x5);
    machine.run("v_addc_co_u32_e32 v0, vcc, v1, v2, vcc");
    CHECK(machine.lane(0, 0) == 1);
    CHECK(machine.lane(0, 1) == 0xffffffff);
    CHECK(machine.lane(0, 2) == 3);
    CHECK(machine.wave().vcc() == 0x9);
    machine.wave().set_scalar64(12, 0x2);
    machine.run("v_addc_co_u32_e64 v0, s[14:15], v1, v2, s[12:13]");
    CHECK(machine.lane(0, 1) == 0);
    CHECK(machine.wave().scalar64(14) == 0xb);
  }
  SUBCASE("borrows") {
    machine.run("v_sub_co_u32_e32 v0, vcc, v2, v1");
    CHECK(machine.lane(0, 0) == 2);
    CHECK(machine.wave().vcc() == 0x3);
    machine.run("v_subrev_co_u32_e32 v0, vcc, v2, v1");
    CHECK(machine.lane(0, 1) == 0xffffffff);
    CHECK(machine.wave().vcc() == 0);
    machine.wave().set_vcc(0xf);
    machine.run("v_subb_co_u32_e32 v0, vcc, v1, v2, vcc");
    CHECK(machine.lane(0, 0) == 0xfffffffd);
    CHECK(machine.lane(0, 2) == 0xffffffff);
    CHECK(machine.wave().vcc() == 0xc);
    machine.wave().set_vcc(0xf);
    machine.run("v_subbrev_co_u32_e32 v0, vcc, v1, v2, vcc");
    CHECK(machine.lane(0, 0) == 1);
    CHECK(machine.wave().vcc() == 0xf);
  }
}

TEST_CASE("products") {
  check_pairs("v_mul_lo_u32 v0, v1, v2", [](U a, U b) { return a * b; });
  check_pairs("v_mul_hi_u32 v0, v1, v2", [](U a, U b) { return (UWide(a) * b) >> 32; });
  check_pairs("v_mul_hi_i32 v0, v1, v2", [](U a, U b) { return UWide(Wide(S(a)) * S(b)) >> 32; });
  check_pairs("v_mul_lo_u16_e32 v0, v1, v2", [](U a, U b) { return (a * b) & 0xffff; });
  check_pairs("v_mul_u32_u24_e32 v0, v1, v2", [](U a, U b) { return (a & 0xffffff) * (b & 0xffffff); });
  check_pairs("v_mul_hi_u32_u24_e32 v0, v1, v2", [](U a, U b) { return (UWide(a & 0xffffff) * (b & 0xffffff)) >> 32; });
  const auto extend24 = [](U a) { return (a & 0x800000) != 0 ? Wide(a & 0xffffff) - 0x1000000 : Wide(a & 0xffffff); };
  check_pairs("v_mul_i32_i24_e32 v0, v1, v2", [&](U a, U b) { return extend24(a) * extend24(b); });
  check_pairs("v_mul_hi_i32_i24_e32 v0, v1, v2", [&](U a, U b) { return UWide(extend24(a) * extend24(b)) >> 32; });
  check_pairs("v_mad_u32_u24 v0, v1, v2, v2", [](U a, U b) { return (a & 0xffffff) * (b & 0xffffff) + b; });
  check_pairs("v_mad_i32_i24 v0, v1, v2, v2", [&](U a, U b) { return extend24(a) * extend24(b) + b; });
  check_pairs("v_mad_i32_i24 v0, v1, v2, v2 clamp",
              [&](U a, U b) { return limit(extend24(a) * extend24(b) + S(b), -0x80000000LL, 0x7fffffff); });
  check_pairs("v_mad_u32_u16 v0, v1, v2, v2", [](U a, U b) { return (a & 0xffff) * (b & 0xffff) + b; });
  check_pairs("v_mad_i32_i16 v0, v1, v2, v2",
              [](U a, U b) { return U(Wide(std::int16_t(a)) * std::int16_t(b) + S(b)); });
  check_pairs("v_mad_legacy_u16 v0, v1, v2, v2", [](U a, U b) { return (a * b + b) & 0xffff; });
}

TEST_CASE("32 by 32 bit products with a 64-bit sum") {
  VectorCase machine;
  for (const U a : k_edges) {
    for (const UWide c : {UWide{0}, UWide{1}, ~UWide{0}, UWide{1} << 63, UWide{0x7fffffffffffffff}}) {
      const U b = 0xfffffff7;
      machine.fill(2, a);
      machine.fill(3, b);
      machine.fill_wide(4, c);
      machine.run("v_mad_u64_u32 v[0:1], vcc, v2, v3, v[4:5]");
      const auto exact = static_cast<unsigned __int128>(a) * b + c;
      CHECK(machine.wide(0) == UWide(exact));
      CHECK(machine.wave().vcc() == (exact >> 64 != 0 ? ~UWide{0} : 0));
      machine.run("v_mad_i64_i32 v[0:1], s[2:3], v2, v3, v[4:5]");
      const auto signed_exact = static_cast<__int128>(S(a)) * S(b) + Wide(c);
      CHECK(machine.wide(0) == UWide(signed_exact));
      CHECK(machine.wave().scalar64(2) == (signed_exact < 0 ? ~UWide{0} : 0));
    }
  }
}

TEST_CASE("smallest, largest, middle") {
  check_pairs("v_min_u32_e32 v0, v1, v2", [](U a, U b) { return a < b ? a : b; });
  check_pairs("v_max_u32_e32 v0, v1, v2", [](U a, U b) { return a > b ? a : b; });
  check_pairs("v_min_i32_e32 v0, v1, v2", [](U a, U b) { return S(a) < S(b) ? a : b; });
  check_pairs("v_max_i32_e32 v0, v1, v2", [](U a, U b) { return S(a) > S(b) ? a : b; });
  check_pairs("v_min_u16_e32 v0, v1, v2",
              [](U a, U b) { return (a & 0xffff) < (b & 0xffff) ? a & 0xffff : b & 0xffff; });
  check_pairs("v_max_i16_e32 v0, v1, v2",
              [](U a, U b) { return std::int16_t(a) > std::int16_t(b) ? a & 0xffff : b & 0xffff; });
  const auto middle = [](Wide a, Wide b, Wide c) {
    return a > b ? (b > c ? b : (a > c ? c : a)) : (a > c ? a : (b > c ? c : b));
  };
  check_pairs("v_med3_i32 v0, v1, v2, 5", [&](U a, U b) { return middle(S(a), S(b), 5); });
  check_pairs("v_med3_u32 v0, v1, 5, v2", [&](U a, U b) { return middle(a, 5, b); });
  check_pairs("v_min3_u32 v0, v1, v2, 5", [](U a, U b) { return std::min(std::min(a, b), U(5)); });
  check_pairs("v_max3_i32 v0, v1, v2, -7", [](U a, U b) { return std::max(std::max(S(a), S(b)), -7); });
  check_pairs("v_min3_i32 v0, v1, v2, -7", [](U a, U b) { return std::min(std::min(S(a), S(b)), -7); });
  check_pairs("v_max3_u32 v0, v1, v2, 5", [](U a, U b) { return std::max(std::max(a, b), U(5)); });
}

TEST_CASE("sums of absolute differences") {
  const auto bytes = [](U a, U b, bool masked) {
    U sum = 0;
    for (int i = 0; i < 4; ++i) {
      const int x = (a >> (8 * i)) & 255;
      const int y = (b >> (8 * i)) & 255;
      sum += masked && y == 0 ? 0 : std::abs(x - y);
    }
    return sum;
  };
  check_pairs("v_sad_u8 v0, v1, v2, 7", [&](U a, U b) { return bytes(a, b, false) + 7; });
  check_pairs("v_sad_hi_u8 v0, v1, v2, v1", [&](U a, U b) { return (bytes(a, b, false) << 16) + a; });
  check_pairs("v_msad_u8 v0, v1, v2, 7", [&](U a, U b) { return bytes(a, b, true) + 7; });
  check_pairs("v_sad_u32 v0, v1, v2, 7", [](U a, U b) { return (a > b ? a - b : b - a) + 7; });
  check_pairs("v_sad_u16 v0, v1, v2, 7", [](U a, U b) {
    return U(std::abs(S(a & 0xffff) - S(b & 0xffff)) + std::abs(S(a >> 16) - S(b >> 16)) + 7);
  });
  check_pairs("v_lerp_u8 v0, v1, v2, 1", [](U a, U b) {
    U result = 0;
    for (int i = 0; i < 4; ++i)
      result |= ((((a >> (8 * i)) & 255) + ((b >> (8 * i)) & 255) + (i == 0 ? 1 : 0)) / 2) << (8 * i);
    return result;
  });
  VectorCase machine;
  // The bytes 1, 2, ... 8, from the first to the fourth on, against four bytes 3:
  // 2+1+0+1, 1+0+1+2, 0+1+2+3, 1+2+3+4, each with the addend 1.
  CHECK(machine.apply_wide("v_mov_b32_e32 v4, 0x03030303\n v_qsad_pk_u16_u8 v[0:1], v[2:3], v4, v[6:7]",
                           0x0807060504030201, 0, 0x0001000100010001) == 0x000b000700050005);
}

TEST_CASE("quadruple sums in four registers") {
  VectorCase machine;
  machine.fill_wide(2, 0x0807060504030201);
  machine.fill(4, 0x03000303);
  for (unsigned n = 0; n < 4; ++n)
    machine.fill(8 + n, 100 * n);
  machine.run("v_mqsad_u32_u8 v[12:15], v[2:3], v4, v[8:11]");
  // Bytes n+1, n+2, n+4 against 3; the byte of v4 that is 0 does not count.
  CHECK(machine.lane(12) == 2 + 1 + 1);
  CHECK(machine.lane(13) == 100 + 1 + 0 + 2);
  CHECK(machine.lane(14) == 200 + 0 + 1 + 3);
  CHECK(machine.lane(15) == 300 + 1 + 2 + 4);
}
