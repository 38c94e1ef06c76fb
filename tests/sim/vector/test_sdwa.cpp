#include <doctest/doctest.h>

#include "sim/vector/lanes.h"

using namespace hk::sim;
using namespace hk::sim::testing;

TEST_CASE("SDWA sources are bytes or halves, with or without sign") {
  VectorCase machine;
  const std::uint32_t a = 0x80f1027fU;
  const std::string head = "v_add_u32_sdwa v0, v1, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:";
  CHECK(machine.apply(head + "BYTE_0 src1_sel:DWORD", a, 0) == 0x7f);
  CHECK(machine.apply(head + "BYTE_1 src1_sel:DWORD", a, 0) == 0x02);
  CHECK(machine.apply(head + "BYTE_2 src1_sel:DWORD", a, 0) == 0xf1);
  CHECK(machine.apply(head + "BYTE_3 src1_sel:DWORD", a, 0) == 0x80);
  CHECK(machine.apply(head + "WORD_0 src1_sel:DWORD", a, 0) == 0x027f);
  CHECK(machine.apply(head + "WORD_1 src1_sel:DWORD", a, 0) == 0x80f1);
  CHECK(machine.apply(head + "DWORD src1_sel:WORD_1", 1, a) == 0x80f2);
  const std::string extended = "v_add_u32_sdwa v0, sext(v1), v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:";
  CHECK(machine.apply(extended + "BYTE_0 src1_sel:DWORD", a, 0) == 0x7f);
  CHECK(machine.apply(extended + "BYTE_2 src1_sel:DWORD", a, 0) == 0xfffffff1);
  CHECK(machine.apply(extended + "WORD_1 src1_sel:DWORD", a, 0) == 0xffff80f1);
}

TEST_CASE("SDWA results go to a part of the destination") {
  VectorCase machine;
  const auto run = [&](const std::string& where, std::uint32_t sum) {
    return machine.apply("v_add_u32_sdwa v0, v1, v2 " + where + " src0_sel:DWORD src1_sel:DWORD", sum, 0);
  };
  CHECK(run("dst_sel:BYTE_0 dst_unused:UNUSED_PAD", 0x1234) == 0x34);
  CHECK(run("dst_sel:BYTE_2 dst_unused:UNUSED_PAD", 0x1234) == 0x340000);
  CHECK(run("dst_sel:WORD_1 dst_unused:UNUSED_PAD", 0x98765432) == 0x54320000);
  CHECK(run("dst_sel:BYTE_1 dst_unused:UNUSED_SEXT", 0x80) == 0xffff8000);
  CHECK(run("dst_sel:BYTE_1 dst_unused:UNUSED_SEXT", 0x7f) == 0x7f00);
  CHECK(run("dst_sel:WORD_0 dst_unused:UNUSED_SEXT", 0x8000) == 0xffff8000);
  CHECK(run("dst_sel:BYTE_3 dst_unused:UNUSED_PRESERVE", 0x12) == 0x12cdcdcd);
  CHECK(run("dst_sel:WORD_0 dst_unused:UNUSED_PRESERVE", 0xffff1234) == 0xcdcd1234);
  CHECK(run("dst_sel:DWORD dst_unused:UNUSED_PRESERVE", 0x98765432) == 0x98765432);
}

TEST_CASE("SDWA with f16 negates and takes halves") {
  VectorCase machine;
  const std::uint32_t a = 0x3c000000; // 1.0 in the upper half
  CHECK(machine.apply("v_add_f16_sdwa v0, -v1, |v2| dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_1 "
                      "src1_sel:WORD_0",
                      a, 0xc200) == 0x4000cdcd);
  CHECK(machine.apply("v_mul_f16_sdwa v0, v1, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:WORD_1",
                      a, 0x44000000) == 0x4400);
  CHECK(machine.apply("v_cvt_f32_f16_sdwa v0, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1", 0xc0000000) ==
        bits(-2.0F));
}

TEST_CASE("SDWA compares and selections") {
  VectorCase machine;
  machine.fill(1, 0x11223344);
  machine.set_each(2, [](unsigned lane) { return lane % 2 == 0 ? 0x22 : 0x33; });
  machine.wave().set_scalar64(4, 0xcdcdcdcdcdcdcdcd);
  machine.run("v_cmp_eq_u32_sdwa s[4:5], v1, v2 src0_sel:BYTE_2 src1_sel:DWORD");
  CHECK(machine.wave().scalar64(4) == 0x5555555555555555);
  machine.wave().set_exec(0xff);
  machine.run("v_cmp_eq_u32_sdwa vcc, v1, v2 src0_sel:BYTE_1 src1_sel:DWORD");
  CHECK(machine.wave().vcc() == 0xaa);
  machine.run("v_cndmask_b32_sdwa v0, v1, v2, vcc dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_3 src1_sel:DWORD");
  CHECK(machine.lane(0, 0) == 0x11);
  CHECK(machine.lane(0, 1) == 0x33);
}

TEST_CASE("SDWA with carries selects behind the two destinations") {
  VectorCase machine;
  CHECK(machine.apply("v_add_co_u32_sdwa v0, vcc, v1, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0 "
                      "src1_sel:DWORD",
                      0x12345602, 0xffffffff) == 1);
  CHECK(machine.wave().vcc() == ~std::uint64_t{0});
  CHECK(
      machine.apply("v_mul_u32_u24_sdwa v0, v1, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_3 src1_sel:WORD_0",
                    0x05000000, 0xffff0007) == 35);
}

TEST_CASE("SDWA writes only lanes in EXEC") {
  VectorCase machine;
  machine.fill(0, k_untouched);
  machine.fill(1, 3);
  machine.wave().set_exec(2);
  machine.run("v_or_b32_sdwa v0, v1, v1 dst_sel:BYTE_0 dst_unused:UNUSED_PRESERVE src0_sel:DWORD src1_sel:DWORD");
  CHECK(machine.lane(0, 0) == k_untouched);
  CHECK(machine.lane(0, 1) == 0xcdcdcd03);
}
