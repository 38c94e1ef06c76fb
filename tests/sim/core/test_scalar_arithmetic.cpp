// Values by hand from the CDNA3 ISA manual's formulas; examples of the manual where it has some.
#include "scalar_case.h"

using namespace hk::sim;
using namespace hk::sim::testing;

TEST_CASE("s_add_u32 and s_addc_u32: SCC is the carry") {
  CHECK(run32("s_add_u32 s10, s12, s14", 1, 2) == Result32{3, false});
  CHECK(run32("s_add_u32 s10, s12, s14", 0xffffffff, 1) == Result32{0, true});
  CHECK(run32("s_add_u32 s10, s12, s14", 0x7fffffff, 1, true) == Result32{0x80000000, false});
  CHECK(run32("s_addc_u32 s10, s12, s14", 0xffffffff, 0, true) == Result32{0, true});
  CHECK(run32("s_addc_u32 s10, s12, s14", 0xffffffff, 0xffffffff, true) == Result32{0xffffffff, true});
  CHECK(run32("s_addc_u32 s10, s12, s14", 0xfffffffe, 1, false) == Result32{0xffffffff, false});
  CHECK(run32("s_add_u32 s10, s12, 0x12345678", 1) == Result32{0x12345679, false});
  CHECK(run32("s_add_u32 s10, s12, -5", 5) == Result32{0, true});
}

TEST_CASE("s_sub_u32 and s_subb_u32: SCC is the borrow") {
  CHECK(run32("s_sub_u32 s10, s12, s14", 3, 2) == Result32{1, false});
  CHECK(run32("s_sub_u32 s10, s12, s14", 2, 3) == Result32{0xffffffff, true});
  CHECK(run32("s_sub_u32 s10, s12, s14", 5, 5, true) == Result32{0, false});
  CHECK(run32("s_subb_u32 s10, s12, s14", 5, 5, true) == Result32{0xffffffff, true});
  CHECK(run32("s_subb_u32 s10, s12, s14", 5, 4, true) == Result32{0, false});
  CHECK(run32("s_subb_u32 s10, s12, s14", 0, 0xffffffff, true) == Result32{0, true});
}

TEST_CASE("s_add_i32, s_sub_i32, s_addk_i32: SCC is the signed overflow") {
  CHECK(run32("s_add_i32 s10, s12, s14", 0x7fffffff, 1) == Result32{0x80000000, true});
  CHECK(run32("s_add_i32 s10, s12, s14", 0x80000000, 0xffffffff) == Result32{0x7fffffff, true});
  CHECK(run32("s_add_i32 s10, s12, s14", 0xffffffff, 1, true) == Result32{0, false});
  CHECK(run32("s_sub_i32 s10, s12, s14", 0x80000000, 1) == Result32{0x7fffffff, true});
  CHECK(run32("s_sub_i32 s10, s12, s14", 0, 0x80000000) == Result32{0x80000000, true});
  CHECK(run32("s_sub_i32 s10, s12, s14", 2, 3) == Result32{0xffffffff, false});
  const ScalarInput seven{0, 0, true, ~std::uint64_t{0}, 7};
  CHECK(run_scalar("s_addk_i32 s10, 0xfffb", seven) == ScalarResult{2, false, ~std::uint64_t{0}}); // 7 - 5
  const ScalarInput largest{0, 0, false, ~std::uint64_t{0}, 0x7fffffff};
  CHECK(run_scalar("s_addk_i32 s10, 0x1", largest) == ScalarResult{0x80000000, true, ~std::uint64_t{0}});
}

TEST_CASE("s_lshl*_add_u32: SCC is the unsigned overflow of the sum") {
  CHECK(run32("s_lshl1_add_u32 s10, s12, s14", 3, 1) == Result32{7, false});
  CHECK(run32("s_lshl2_add_u32 s10, s12, s14", 3, 1) == Result32{13, false});
  CHECK(run32("s_lshl3_add_u32 s10, s12, s14", 0x20000000, 1) == Result32{1, true});
  CHECK(run32("s_lshl4_add_u32 s10, s12, s14", 1, 0xfffffff0) == Result32{0, true});
}

TEST_CASE("s_abs_i32 and s_absdiff_i32, examples of the manual") {
  CHECK(run32("s_abs_i32 s10, s12", 0x80000001) == Result32{0x7fffffff, true});
  CHECK(run32("s_abs_i32 s10, s12", 0x80000000) == Result32{0x80000000, true});
  CHECK(run32("s_abs_i32 s10, s12", 0, 0, true) == Result32{0, false});
  CHECK(run32("s_absdiff_i32 s10, s12, s14", 2, 5) == Result32{3, true});
  CHECK(run32("s_absdiff_i32 s10, s12, s14", 0xffffffff, 0) == Result32{1, true});
  CHECK(run32("s_absdiff_i32 s10, s12, s14", 0x80000000, 0) == Result32{0x80000000, true});
  CHECK(run32("s_absdiff_i32 s10, s12, s14", 0x80000000, 1) == Result32{0x7fffffff, true});
  CHECK(run32("s_absdiff_i32 s10, s12, s14", 0x80000000, 0xfffffffe) == Result32{0x7ffffffe, true});
  CHECK(run32("s_absdiff_i32 s10, s12, s14", 9, 9, true) == Result32{0, false});
}

TEST_CASE("products keep SCC") {
  for (const bool scc : {false, true}) {
    CHECK(run32("s_mul_i32 s10, s12, s14", 0xffffffff, 3, scc) == Result32{0xfffffffd, scc});
    CHECK(run32("s_mul_hi_u32 s10, s12, s14", 0xffffffff, 0xffffffff, scc) == Result32{0xfffffffe, scc});
    CHECK(run32("s_mul_hi_i32 s10, s12, s14", 0xffffffff, 0xffffffff, scc) == Result32{0, scc});
    CHECK(run32("s_mul_hi_i32 s10, s12, s14", 0x80000000, 2, scc) == Result32{0xffffffff, scc});
    const ScalarInput three{0, 0, scc, ~std::uint64_t{0}, 3};
    CHECK(run_scalar("s_mulk_i32 s10, 0xfffe", three).destination == 0xfffffffa); // 3 * -2
    CHECK(run_scalar("s_mulk_i32 s10, 0xfffe", three).scc == scc);
  }
}

TEST_CASE("minimum and maximum: SCC says whether the first was selected") {
  CHECK(run32("s_min_i32 s10, s12, s14", 0xffffffff, 1) == Result32{0xffffffff, true});
  CHECK(run32("s_min_u32 s10, s12, s14", 0xffffffff, 1) == Result32{1, false});
  CHECK(run32("s_max_i32 s10, s12, s14", 0xffffffff, 1) == Result32{1, false});
  CHECK(run32("s_max_u32 s10, s12, s14", 0xffffffff, 1) == Result32{0xffffffff, true});
  CHECK(run32("s_min_i32 s10, s12, s14", 4, 4, true) == Result32{4, false});
  CHECK(run32("s_max_i32 s10, s12, s14", 4, 4, false) == Result32{4, true});
}
