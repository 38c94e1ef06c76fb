// Moves, selections, comparisons, EXEC masks, hardware registers.
#include "scalar_case.h"

#include "sim/machine/mode_register.h"
#include "sim/machine/target.h"

using namespace hk::sim;
using namespace hk::sim::testing;

namespace {
constexpr std::uint64_t k_all = ~std::uint64_t{0};
}

TEST_CASE("moves and their constants") {
  CHECK(run32("s_mov_b32 s10, s12", 77, 0, true) == Result32{77, true});
  CHECK(run32("s_mov_b32 s10, -4.0", 0) == Result32{0xc0800000, false});
  CHECK(run32("s_mov_b32 s10, 0.15915494", 0) == Result32{0x3e22f983, false});
  CHECK(run32("s_movk_i32 s10, 0x8000", 0) == Result32{0xffff8000, false});
  CHECK(run32("s_movk_i32 s10, 0x7fff", 0) == Result32{0x7fff, false});
  CHECK(run_scalar("s_mov_b64 s[10:11], -1", {}).destination == k_all);
  CHECK(run_scalar("s_mov_b64 s[10:11], 0.5", {}).destination == 0x3fe0000000000000);
  CHECK(run_scalar("s_mov_b64 s[10:11], 0xfedcba98", {}).destination == 0xfedcba98);
  CHECK(run_scalar("s_mov_b64 s[10:11], exec", {0, 0, false, 0x123456789}).destination == 0x123456789);
  CHECK(run_scalar("s_mov_b64 s[10:11], src_shared_base", {}).destination == k_shared_aperture_base);
  CHECK(run_scalar("s_mov_b64 s[10:11], src_private_base", {}).destination == k_private_aperture_base);
  CHECK(run_scalar("s_mov_b32 s10, src_scc", {0, 0, true, k_all, 0}).destination == 1);
}

TEST_CASE("moves and selections by SCC") {
  CHECK(run32("s_cselect_b32 s10, s12, s14", 1, 2, true) == Result32{1, true});
  CHECK(run32("s_cselect_b32 s10, s12, s14", 1, 2, false) == Result32{2, false});
  CHECK(run_scalar("s_cselect_b64 s[10:11], s[12:13], 0", {k_all, 0, true}).destination == k_all);
  CHECK(run_scalar("s_cselect_b64 s[10:11], s[12:13], 0", {k_all, 0, false}).destination == 0);
  CHECK(run32("s_cmov_b32 s10, s12", 9, 0, true) == Result32{9, true});
  CHECK(run32("s_cmov_b32 s10, s12", 9, 0, false) == Result32{std::uint32_t(k_untouched), false});
  CHECK(run32("s_cmovk_i32 s10, 0xffff", 0, 0, true) == Result32{0xffffffff, true});
  CHECK(run_scalar("s_cmov_b64 s[10:11], s[12:13]", {5, 0, true}).destination == 5);
  CHECK(run_scalar("s_cmov_b64 s[10:11], s[12:13]", {5, 0, false}).destination == k_untouched);
}

TEST_CASE("register numbers from M0") {
  OneWave machine(Target::gfx942);
  Wave& wave = machine.wave();
  wave.scalar[17] = 171;
  wave.scalar[7] = 7;
  machine.run("s_mov_b32 m0, 10\ns_movrels_b32 s5, s7\ns_movreld_b32 s20, s7"); // the manual's example
  CHECK(wave.scalar[5] == 171);
  CHECK(wave.scalar[30] == 7);
  wave.set_scalar64(16, 0x1111222233334444);
  machine.run("s_mov_b32 m0, 10\ns_movrels_b64 s[40:41], s[6:7]\ns_movreld_b64 s[50:51], s[16:17]");
  CHECK(wave.scalar64(40) == 0x1111222233334444);
  CHECK(wave.scalar64(60) == 0x1111222233334444);
  CHECK(machine.run_to_fault("s_mov_b32 m0, 100\ns_movrels_b32 s5, s7").kind == FaultKind::unsupported_operand);
}

TEST_CASE("comparisons") {
  const std::uint32_t minus_one = 0xffffffff;
  CHECK(scc_after("s_cmp_eq_i32 s12, s14", 3, 3));
  CHECK(!scc_after("s_cmp_eq_u32 s12, s14", 3, 4));
  CHECK(scc_after("s_cmp_lg_i32 s12, s14", 3, 4));
  CHECK(!scc_after("s_cmp_lg_u32 s12, s14", 3, 3));
  CHECK(!scc_after("s_cmp_gt_i32 s12, s14", minus_one, 1));
  CHECK(scc_after("s_cmp_gt_u32 s12, s14", minus_one, 1));
  CHECK(scc_after("s_cmp_ge_i32 s12, s14", 1, 1));
  CHECK(!scc_after("s_cmp_ge_u32 s12, s14", 0, minus_one));
  CHECK(scc_after("s_cmp_lt_i32 s12, s14", minus_one, 0));
  CHECK(!scc_after("s_cmp_lt_u32 s12, s14", minus_one, 0));
  CHECK(scc_after("s_cmp_le_i32 s12, s14", 0x80000000, 0x7fffffff));
  CHECK(!scc_after("s_cmp_le_u32 s12, s14", 0x80000000, 0x7fffffff));
  CHECK(scc_after("s_cmp_eq_u64 s[12:13], s[14:15]", 1ULL << 40, 1ULL << 40));
  CHECK(!scc_after("s_cmp_eq_u64 s[12:13], s[14:15]", 1ULL << 40, 1ULL << 41));
  CHECK(scc_after("s_cmp_lg_u64 s[12:13], s[14:15]", 1ULL << 40, 0));
}

TEST_CASE("comparisons with a 16-bit constant extend it by the type's sign") {
  CHECK(scc_after("s_cmpk_eq_i32 s12, 0x8000", 0xffff8000));
  CHECK(!scc_after("s_cmpk_eq_u32 s12, 0x8000", 0xffff8000));
  CHECK(scc_after("s_cmpk_eq_u32 s12, 0x8000", 0x8000));
  CHECK(scc_after("s_cmpk_lg_u32 s12, 0x8000", 0xffff8000));
  CHECK(!scc_after("s_cmpk_lg_i32 s12, 0x8000", 0xffff8000));
  CHECK(scc_after("s_cmpk_gt_i32 s12, 0xffff", 0));
  CHECK(!scc_after("s_cmpk_gt_u32 s12, 0xffff", 0));
  CHECK(scc_after("s_cmpk_ge_i32 s12, 0x5", 5));
  CHECK(scc_after("s_cmpk_ge_u32 s12, 0x5", 0xffffffff));
  CHECK(scc_after("s_cmpk_lt_i32 s12, 0x5", 0xffffffff));
  CHECK(!scc_after("s_cmpk_lt_u32 s12, 0x5", 0xffffffff));
  CHECK(scc_after("s_cmpk_le_i32 s12, 0x5", 5));
  CHECK(!scc_after("s_cmpk_le_u32 s12, 0x5", 6));
}

TEST_CASE("bit comparisons") {
  CHECK(scc_after("s_bitcmp1_b32 s12, s14", 0x80000000, 31));
  CHECK(scc_after("s_bitcmp1_b32 s12, s14", 0x80000000, 63));
  CHECK(!scc_after("s_bitcmp0_b32 s12, s14", 0x80000000, 31));
  CHECK(scc_after("s_bitcmp0_b32 s12, s14", 0x80000000, 30));
  CHECK(scc_after("s_bitcmp1_b64 s[12:13], s14", 1ULL << 63, 63));
  CHECK(scc_after("s_bitcmp0_b64 s[12:13], s14", 1ULL << 63, 62));
}

TEST_CASE("saveexec: destination gets the old EXEC, EXEC and SCC the result") {
  const std::uint64_t s = 0xff00;
  const std::uint64_t e = 0x0ff0;
  const auto run = [&](const char* mnemonic) {
    return run_scalar(std::string(mnemonic) + " s[10:11], s[12:13]", {s, 0, false, e});
  };
  CHECK(run("s_and_saveexec_b64") == ScalarResult{e, true, 0x0f00});
  CHECK(run("s_or_saveexec_b64") == ScalarResult{e, true, 0xfff0});
  CHECK(run("s_xor_saveexec_b64") == ScalarResult{e, true, 0xf0f0});
  CHECK(run("s_andn2_saveexec_b64") == ScalarResult{e, true, 0xf000});
  CHECK(run("s_orn2_saveexec_b64") == ScalarResult{e, true, ~e | s});
  CHECK(run("s_nand_saveexec_b64") == ScalarResult{e, true, ~(s & e)});
  CHECK(run("s_nor_saveexec_b64") == ScalarResult{e, true, ~(s | e)});
  CHECK(run("s_xnor_saveexec_b64") == ScalarResult{e, true, ~(s ^ e)});
  CHECK(run("s_andn1_saveexec_b64") == ScalarResult{e, true, 0x00f0});
  CHECK(run("s_orn1_saveexec_b64") == ScalarResult{e, true, ~s | e});
  CHECK(run("s_andn1_wrexec_b64") == ScalarResult{0x00f0, true, 0x00f0});
  CHECK(run("s_andn2_wrexec_b64") == ScalarResult{0xf000, true, 0xf000});
  CHECK(run_scalar("s_and_saveexec_b64 s[10:11], 0", {0, 0, true, e}) == ScalarResult{e, false, 0});
  CHECK(run_scalar("s_and_saveexec_b64 s[12:13], s[12:13]", {s, 0, true, e}).exec == 0x0f00); // in place
}

TEST_CASE("hardware registers") {
  OneWave machine(Target::gfx942);
  Wave& wave = machine.wave();
  wave.mode = 0x3f0;
  machine.run("s_getreg_b32 s0, hwreg(HW_REG_MODE, 4, 4)\ns_getreg_b32 s1, hwreg(HW_REG_MODE)");
  CHECK(wave.scalar[0] == 0xf);
  CHECK(wave.scalar[1] == 0x3f0);
  wave.scalar[2] = 0x5;
  machine.run("s_setreg_b32 hwreg(HW_REG_MODE, 4, 2), s2\ns_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 0x3");
  CHECK(wave.mode == 0x3d3); // bits 5:4 = 1, bits 1:0 = 3, the rest as before
  machine.workgroup().xcd = 5;
  machine.run("s_getreg_b32 s3, hwreg(HW_REG_XCC_ID)\ns_getreg_b32 s4, hwreg(HW_REG_SH_MEM_BASES, 16, 16)");
  CHECK(wave.scalar[3] == 5);
  CHECK(wave.scalar[4] == 1); // the shared aperture is at 1 << 48
  const Fault fault = machine.run_to_fault("s_getreg_b32 s0, hwreg(HW_REG_IB_STS)");
  CHECK(fault.kind == FaultKind::unsupported_operand);
  CHECK(machine.run_to_fault("s_setreg_b32 hwreg(HW_REG_TRAPSTS), s0").kind == FaultKind::unsupported_operand);
}

TEST_CASE("VGPR indexing mode") {
  OneWave machine(Target::gfx942);
  Wave& wave = machine.wave();
  wave.scalar[k_m0] = 0xabcd0000;
  wave.scalar[0] = 0x105;
  machine.run("s_set_gpr_idx_on s0, gpr_idx(SRC0,DST)");
  CHECK((wave.mode & k_mode_gpr_index_enable) != 0);
  CHECK(wave.scalar[k_m0] == 0xabcd9005);
  machine.run("s_set_gpr_idx_mode gpr_idx(SRC1)");
  CHECK(wave.scalar[k_m0] == 0xabcd2005);
  wave.scalar[1] = 7;
  machine.run("s_set_gpr_idx_idx s1\ns_set_gpr_idx_off");
  CHECK(wave.scalar[k_m0] == 0xabcd2007);
  CHECK((wave.mode & k_mode_gpr_index_enable) == 0);
}
