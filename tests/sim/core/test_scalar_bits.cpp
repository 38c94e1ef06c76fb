// Values by hand from the CDNA3 ISA manual's formulas; examples of the manual where it has some.
#include "scalar_case.h"

using namespace hk::sim;
using namespace hk::sim::testing;

namespace {

constexpr std::uint64_t k_all = ~std::uint64_t{0};

ScalarResult wide(std::uint64_t value, bool scc) {
  return {value, scc, k_all};
}

} // namespace

TEST_CASE("logic on 32 bits") {
  const std::uint32_t a = 0xf0f0ff00;
  const std::uint32_t b = 0xff00f0f0;
  CHECK(run32("s_and_b32 s10, s12, s14", a, b) == Result32{0xf000f000, true});
  CHECK(run32("s_or_b32 s10, s12, s14", a, b) == Result32{0xfff0fff0, true});
  CHECK(run32("s_xor_b32 s10, s12, s14", a, b) == Result32{0x0ff00ff0, true});
  CHECK(run32("s_andn2_b32 s10, s12, s14", a, b) == Result32{0x00f00f00, true});
  CHECK(run32("s_orn2_b32 s10, s12, s14", a, b) == Result32{0xf0ffff0f, true});
  CHECK(run32("s_nand_b32 s10, s12, s14", a, b) == Result32{0x0fff0fff, true});
  CHECK(run32("s_nor_b32 s10, s12, s14", a, b) == Result32{0x000f000f, true});
  CHECK(run32("s_xnor_b32 s10, s12, s14", a, b) == Result32{0xf00ff00f, true});
  CHECK(run32("s_not_b32 s10, s12", a) == Result32{0x0f0f00ff, true});
  CHECK(run32("s_and_b32 s10, s12, s14", 0xf0, 0x0f, true) == Result32{0, false});
  CHECK(run32("s_xor_b32 s10, s12, s14", a, a, true) == Result32{0, false});
  CHECK(run32("s_not_b32 s10, s12", 0xffffffff, 0, true) == Result32{0, false});
}

TEST_CASE("logic on 64 bits") {
  const ScalarInput input{0xf0f0f0f000000000, 0xff00ff000000000f, false};
  CHECK(run_scalar("s_and_b64 s[10:11], s[12:13], s[14:15]", input) == wide(0xf000f00000000000, true));
  CHECK(run_scalar("s_or_b64 s[10:11], s[12:13], s[14:15]", input) == wide(0xfff0fff00000000f, true));
  CHECK(run_scalar("s_xor_b64 s[10:11], s[12:13], s[14:15]", input) == wide(0x0ff00ff00000000f, true));
  CHECK(run_scalar("s_andn2_b64 s[10:11], s[12:13], s[14:15]", input) == wide(0x00f000f000000000, true));
  CHECK(run_scalar("s_orn2_b64 s[10:11], s[12:13], s[14:15]", input) == wide(0xf0fff0fffffffff0, true));
  CHECK(run_scalar("s_nand_b64 s[10:11], s[12:13], s[14:15]", input) == wide(0x0fff0fffffffffff, true));
  CHECK(run_scalar("s_nor_b64 s[10:11], s[12:13], s[14:15]", input) == wide(0x000f000ffffffff0, true));
  CHECK(run_scalar("s_xnor_b64 s[10:11], s[12:13], s[14:15]", input) == wide(0xf00ff00ffffffff0, true));
  CHECK(run_scalar("s_not_b64 s[10:11], s[12:13]", input) == wide(0x0f0f0f0fffffffff, true));
  CHECK(run_scalar("s_and_b64 s[10:11], s[12:13], 0", {k_all, 0, true}) == wide(0, false));
  // Only the upper half is not zero.
  CHECK(run_scalar("s_and_b64 s[10:11], s[12:13], s[14:15]", {k_all, 1ULL << 63, false}) == wide(1ULL << 63, true));
  // Inline integers carry their sign, literals do not.
  CHECK(run_scalar("s_and_b64 s[10:11], s[12:13], -2", {k_all, 0, false}) == wide(k_all - 1, true));
  CHECK(run_scalar("s_and_b64 s[10:11], s[12:13], 0x80000000", {k_all, 0, false}) == wide(0x80000000, true));
}

TEST_CASE("shifts use the low bits of the count") {
  CHECK(run32("s_lshl_b32 s10, s12, s14", 1, 31) == Result32{0x80000000, true});
  CHECK(run32("s_lshl_b32 s10, s12, s14", 1, 33) == Result32{2, true});
  CHECK(run32("s_lshl_b32 s10, s12, s14", 0x80000000, 1, true) == Result32{0, false});
  CHECK(run32("s_lshr_b32 s10, s12, s14", 0x80000000, 31) == Result32{1, true});
  CHECK(run32("s_lshr_b32 s10, s12, s14", 1, 1, true) == Result32{0, false});
  CHECK(run32("s_ashr_i32 s10, s12, s14", 0x80000000, 31) == Result32{0xffffffff, true});
  CHECK(run32("s_ashr_i32 s10, s12, s14", 0x80000000, 36) == Result32{0xf8000000, true});
  CHECK(run_scalar("s_lshl_b64 s[10:11], s[12:13], s14", {1, 63, false}) == wide(1ULL << 63, true));
  CHECK(run_scalar("s_lshl_b64 s[10:11], s[12:13], s14", {1, 64, false}) == wide(1, true));
  CHECK(run_scalar("s_lshr_b64 s[10:11], s[12:13], s14", {1ULL << 63, 63, false}) == wide(1, true));
  CHECK(run_scalar("s_ashr_i64 s[10:11], s[12:13], s14", {1ULL << 63, 63, false}) == wide(k_all, true));
  CHECK(run_scalar("s_ashr_i64 s[10:11], s[12:13], s14", {1, 1, true}) == wide(0, false));
  // The literal of a signed 64-bit operand is sign-extended.
  CHECK(run_scalar("s_ashr_i64 s[10:11], 0x80000000, s14", {0, 4, false}) == wide(0xfffffffff8000000, true));
}

TEST_CASE("bit-field extraction: first bit in the low bits of S1, width in 22:16") {
  CHECK(run32("s_bfe_u32 s10, s12, s14", 0x12345678, 8 | 8 << 16) == Result32{0x56, true});
  CHECK(run32("s_bfe_u32 s10, s12, s14", 0x12345678, 0 | 32 << 16) == Result32{0x12345678, true});
  CHECK(run32("s_bfe_u32 s10, s12, s14", 0x12345678, 28 | 8 << 16) == Result32{0x1, true});
  CHECK(run32("s_bfe_u32 s10, s12, s14", 0xffffffff, 8, true) == Result32{0, false}); // width 0
  CHECK(run32("s_bfe_i32 s10, s12, s14", 0x0000f000, 12 | 4 << 16) == Result32{0xffffffff, true});
  CHECK(run32("s_bfe_i32 s10, s12, s14", 0x00007000, 12 | 4 << 16) == Result32{7, true});
  CHECK(run32("s_bfe_i32 s10, s12, s14", 0x80000001, 0 | 32 << 16) == Result32{0x80000001, true});
  CHECK(run_scalar("s_bfe_u64 s[10:11], s[12:13], s14", {0x123456789abcdef0, 32 | 16 << 16, false}) ==
        wide(0x5678, true));
  CHECK(run_scalar("s_bfe_i64 s[10:11], s[12:13], s14", {0x8000000000000000, 60 | 4 << 16, false}) ==
        wide(0xfffffffffffffff8, true));
  CHECK(run_scalar("s_bfe_i64 s[10:11], s[12:13], s14", {0x80000000, 0 | 32 << 16, false}) ==
        wide(0xffffffff80000000, true));
}

TEST_CASE("masks and single bits keep SCC") {
  for (const bool scc : {false, true}) {
    CHECK(run32("s_bfm_b32 s10, s12, s14", 4, 8, scc) == Result32{0xf00, scc});
    CHECK(run32("s_bfm_b32 s10, s12, s14", 32, 0, scc) == Result32{0, scc});
    CHECK(run_scalar("s_bfm_b64 s[10:11], s12, s14", {8, 60, scc}) == wide(0xf000000000000000, scc));
    CHECK(run_scalar("s_bitset1_b32 s10, s12", {33, 0, scc, k_all, 0}) == wide(2, scc));
    CHECK(run_scalar("s_bitset0_b32 s10, s12", {31, 0, scc, k_all, 0xffffffff}) == wide(0x7fffffff, scc));
    CHECK(run_scalar("s_bitset1_b64 s[10:11], s12", {63, 0, scc, k_all, 0}) == wide(1ULL << 63, scc));
    CHECK(run_scalar("s_bitset0_b64 s[10:11], s12", {64, 0, scc, k_all, k_all}) == wide(k_all - 1, scc));
    CHECK(run32("s_sext_i32_i8 s10, s12", 0x1280, 0, scc) == Result32{0xffffff80, scc});
    CHECK(run32("s_sext_i32_i16 s10, s12", 0x18000, 0, scc) == Result32{0xffff8000, scc});
    CHECK(run32("s_sext_i32_i16 s10, s12", 0x7fff, 0, scc) == Result32{0x7fff, scc});
    CHECK(run32("s_pack_ll_b32_b16 s10, s12, s14", 0x11112222, 0x33334444, scc) == Result32{0x44442222, scc});
    CHECK(run32("s_pack_lh_b32_b16 s10, s12, s14", 0x11112222, 0x33334444, scc) == Result32{0x33332222, scc});
    CHECK(run32("s_pack_hh_b32_b16 s10, s12, s14", 0x11112222, 0x33334444, scc) == Result32{0x33331111, scc});
  }
}

TEST_CASE("bit counts, examples of the manual") {
  CHECK(run32("s_bcnt0_i32_b32 s10, s12", 0) == Result32{32, true});
  CHECK(run32("s_bcnt0_i32_b32 s10, s12", 0xcccccccc) == Result32{16, true});
  CHECK(run32("s_bcnt0_i32_b32 s10, s12", 0xffffffff, 0, true) == Result32{0, false});
  CHECK(run32("s_bcnt1_i32_b32 s10, s12", 0xcccccccc) == Result32{16, true});
  CHECK(run32("s_bcnt1_i32_b32 s10, s12", 0, 0, true) == Result32{0, false});
  CHECK(std::uint32_t(run_scalar("s_bcnt1_i32_b64 s10, s[12:13]", {k_all, 0, false}).destination) == 64);
  CHECK(std::uint32_t(run_scalar("s_bcnt0_i32_b64 s10, s[12:13]", {1, 0, false}).destination) == 63);
  CHECK(run_scalar("s_bcnt0_i32_b64 s10, s[12:13]", {k_all, 0, true}).scc == false);
}

TEST_CASE("bit searches, examples of the manual; SCC is kept") {
  for (const bool scc : {false, true}) {
    CHECK(run32("s_ff0_i32_b32 s10, s12", 0xaaaaaaaa, 0, scc) == Result32{0, scc});
    CHECK(run32("s_ff0_i32_b32 s10, s12", 0x55555555, 0, scc) == Result32{1, scc});
    CHECK(run32("s_ff0_i32_b32 s10, s12", 0xffffffff, 0, scc) == Result32{0xffffffff, scc});
    CHECK(run32("s_ff0_i32_b32 s10, s12", 0xfffeffff, 0, scc) == Result32{16, scc});
    CHECK(run32("s_ff1_i32_b32 s10, s12", 0xaaaaaaaa, 0, scc) == Result32{1, scc});
    CHECK(run32("s_ff1_i32_b32 s10, s12", 0, 0, scc) == Result32{0xffffffff, scc});
    CHECK(run32("s_ff1_i32_b32 s10, s12", 0x00010000, 0, scc) == Result32{16, scc});
    CHECK(run32("s_flbit_i32_b32 s10, s12", 0, 0, scc) == Result32{0xffffffff, scc});
    CHECK(run32("s_flbit_i32_b32 s10, s12", 0x0000cccc, 0, scc) == Result32{16, scc});
    CHECK(run32("s_flbit_i32_b32 s10, s12", 0x7fffffff, 0, scc) == Result32{1, scc});
    CHECK(run32("s_flbit_i32 s10, s12", 0xffff3333, 0, scc) == Result32{16, scc});
    CHECK(run32("s_flbit_i32 s10, s12", 0x80000000, 0, scc) == Result32{1, scc});
    CHECK(run32("s_flbit_i32 s10, s12", 0xffffffff, 0, scc) == Result32{0xffffffff, scc});
    CHECK(std::uint32_t(run_scalar("s_ff1_i32_b64 s10, s[12:13]", {1ULL << 40, 0, scc}).destination) == 40);
    CHECK(std::uint32_t(run_scalar("s_ff0_i32_b64 s10, s[12:13]", {k_all >> 1, 0, scc}).destination) == 63);
    CHECK(std::uint32_t(run_scalar("s_flbit_i32_b64 s10, s[12:13]", {1, 0, scc}).destination) == 63);
    CHECK(std::uint32_t(run_scalar("s_flbit_i32_i64 s10, s[12:13]", {k_all << 8, 0, scc}).destination) == 56);
    CHECK(std::uint32_t(run_scalar("s_flbit_i32_i64 s10, s[12:13]", {k_all, 0, scc}).destination) == 0xffffffff);
  }
}

TEST_CASE("bit order") {
  CHECK(run32("s_brev_b32 s10, s12", 0x00000013, 0, true) == Result32{0xc8000000, true});
  CHECK(run_scalar("s_brev_b64 s[10:11], s[12:13]", {0x13, 0, false}) == wide(0xc800000000000000, false));
  CHECK(run32("s_quadmask_b32 s10, s12", 0x10f00001) == Result32{0xa1, true});
  CHECK(run32("s_quadmask_b32 s10, s12", 0, 0, true) == Result32{0, false});
  CHECK(run_scalar("s_quadmask_b64 s[10:11], s[12:13]", {0x8000000000000010, 0, false}) == wide(0x8002, true));
  CHECK(run32("s_wqm_b32 s10, s12", 0x10000002) == Result32{0xf000000f, true});
  CHECK(run_scalar("s_wqm_b64 s[10:11], s[12:13]", {0x0800000000000000, 0, false}) == wide(0x0f00000000000000, true));
  CHECK(run_scalar("s_bitreplicate_b64_b32 s[10:11], s12", {0x80000005, 0, true}) == wide(0xc000000000000033, true));
}
