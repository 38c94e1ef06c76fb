// Whole instructions from machine code: operands, modifiers, branch targets, registers touched, refusals.
#include <doctest/doctest.h>

#include "sim/decode/instruction_text.h"
#include "sim/harness.h"

using namespace hk::sim;
using namespace hk::sim::testing;

namespace {

// The first instruction of a text.
Instruction decoded(std::string_view text, Target target = Target::gfx950) {
  static OneWave machine_942(Target::gfx942, 64, 64);
  static OneWave machine_950(Target::gfx950, 64, 64);
  OneWave& machine = target == Target::gfx942 ? machine_942 : machine_950;
  return machine.decode(text).instructions.at(0);
}

bool touches(const Instruction& instruction, bool scalar, unsigned index) {
  for (unsigned i = 0; i < instruction.touched_count; ++i) {
    const RegisterRange& range = instruction.touched[i];
    if (range.scalar == scalar && index >= range.first && index < unsigned(range.first) + range.count)
      return true;
  }
  return false;
}

} // namespace

TEST_CASE("encodings share an operation") {
  const Instruction e32 = decoded("v_add_f32_e32 v0, v1, v2");
  CHECK(e32.encoding == Encoding::e32);
  CHECK(e32.operand_count == 3);
  CHECK(e32.text == "v_add_f32_e32 v0, v1, v2");
  const Instruction e64 = decoded("v_add_f32_e64 v0, -v1, |v2| clamp mul:4");
  CHECK(e64.encoding == Encoding::e64);
  CHECK(e64.operation == e32.operation);
  CHECK(e64.size == 8);
  CHECK(e64.operands[1].negate);
  CHECK(e64.operands[2].absolute);
  CHECK(e64.modifiers.clamp);
  CHECK(e64.modifiers.output_multiplier == 2);
  CHECK(decoded("v_add_f32_e64 v0, v1, v2 mul:2").modifiers.output_multiplier == 1);
  CHECK(decoded("v_add_f32_e64 v0, v1, v2 div:2").modifiers.output_multiplier == 3);
  CHECK(decoded("v_add_f32_dpp v0, v1, v2 row_mirror row_mask:0xf bank_mask:0xf").operation == e32.operation);
  CHECK(decoded("v_add_f32_sdwa v0, v1, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:BYTE_3")
            .operation == e32.operation);
}

TEST_CASE("DPP controls") {
  const auto dpp = [](const char* control) {
    return decoded(std::string("v_mov_b32_dpp v0, v1 ") + control + " row_mask:0xa bank_mask:0x3").modifiers;
  };
  CHECK(dpp("quad_perm:[1,0,3,2]").dpp == DppControl::quad_perm);
  CHECK(dpp("quad_perm:[1,0,3,2]").dpp_value == (1 | 0 << 2 | 3 << 4 | 2 << 6));
  CHECK(dpp("row_shl:1").dpp == DppControl::row_shl);
  CHECK(dpp("row_shl:15").dpp_value == 15);
  CHECK(dpp("row_shr:3").dpp == DppControl::row_shr);
  CHECK(dpp("row_ror:7").dpp == DppControl::row_ror);
  CHECK(dpp("wave_shl:1").dpp == DppControl::wave_shl);
  CHECK(dpp("wave_rol:1").dpp == DppControl::wave_rol);
  CHECK(dpp("wave_shr:1").dpp == DppControl::wave_shr);
  CHECK(dpp("wave_ror:1").dpp == DppControl::wave_ror);
  CHECK(dpp("row_mirror").dpp == DppControl::row_mirror);
  CHECK(dpp("row_half_mirror").dpp == DppControl::row_half_mirror);
  CHECK(dpp("row_bcast:15").dpp == DppControl::row_bcast);
  CHECK(dpp("row_bcast:31").dpp_value == 31);
  CHECK(dpp("row_newbcast:3").dpp == DppControl::row_newbcast);
  CHECK(dpp("row_newbcast:3").dpp_value == 3);
  CHECK(dpp("row_mirror").row_mask == 0xa);
  CHECK(dpp("row_mirror").bank_mask == 0x3);
  CHECK(!dpp("row_mirror").bound_ctrl);
  CHECK(decoded("v_mov_b32_dpp v0, v1 row_shl:1 row_mask:0xf bank_mask:0xf bound_ctrl:1").modifiers.bound_ctrl);
  CHECK(decoded("v_mov_b32_dpp v0, v1 row_shl:1 row_mask:0xf bank_mask:0xf bound_ctrl:0").modifiers.bound_ctrl);
}

TEST_CASE("SDWA selections belong to the sources, wherever those stand") {
  const Instruction add = decoded("v_add_u32_sdwa v0, sext(v1), v2 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE "
                                  "src0_sel:BYTE_1 src1_sel:WORD_0");
  CHECK(add.modifiers.dst_select == Selection::word_1);
  CHECK(add.modifiers.dst_unused == Modifiers::DstUnused::preserve);
  CHECK(add.operands[1].sign_extend);
  CHECK(add.operands[1].select == Selection::byte_1);
  CHECK(add.operands[2].select == Selection::word_0);
  const Instruction carry = decoded("v_add_co_u32_sdwa v0, vcc, v1, v2 dst_sel:DWORD dst_unused:UNUSED_SEXT "
                                    "src0_sel:BYTE_2 src1_sel:DWORD");
  CHECK(carry.operands[1].select == Selection::dword);
  CHECK(carry.operands[2].select == Selection::byte_2);
  CHECK(carry.modifiers.dst_unused == Modifiers::DstUnused::sext);
  const Instruction select = decoded("v_cndmask_b32_sdwa v0, v1, v2, vcc dst_sel:DWORD dst_unused:UNUSED_PAD "
                                     "src0_sel:BYTE_0 src1_sel:BYTE_3");
  CHECK(select.operands[1].select == Selection::byte_0);
  CHECK(select.operands[2].select == Selection::byte_3);
  const Instruction scalar = decoded("v_add_u32_sdwa v0, s1, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 "
                                     "src1_sel:BYTE_0");
  CHECK(scalar.operands[1].select == Selection::word_1);
  CHECK(scalar.operands[2].select == Selection::byte_0);
  const Instruction compare = decoded("v_cmp_eq_u32_sdwa s[4:5], v1, v2 src0_sel:BYTE_1 src1_sel:WORD_1");
  CHECK(compare.operands[0].index == 4);
  CHECK(compare.operands[1].select == Selection::byte_1);
  CHECK(compare.operands[2].select == Selection::word_1);
  CHECK(decoded("v_cvt_f32_fp8_sdwa v0, v1 src0_sel:BYTE_2").operands[1].select == Selection::byte_2);
}

TEST_CASE("packed and mixed modifiers") {
  const Instruction fma = decoded("v_pk_fma_f32 v[0:1], v[2:3], v[4:5], v[6:7] op_sel:[0,1,0] op_sel_hi:[1,0,1] "
                                  "neg_lo:[1,0,0] neg_hi:[0,0,1]");
  CHECK(fma.modifiers.op_sel == 2);
  CHECK(fma.modifiers.op_sel_hi == 5);
  CHECK(fma.modifiers.has_op_sel_hi);
  CHECK(fma.modifiers.neg_lo == 1);
  CHECK(fma.modifiers.neg_hi == 4);
  CHECK(!decoded("v_pk_add_f16 v0, v1, v2").modifiers.has_op_sel_hi);
  CHECK(decoded("v_fma_f16 v0, v1, v2, v3 op_sel:[0,0,0,1]").modifiers.op_sel == 8);
  CHECK(decoded("v_bitop3_b32 v0, v1, v2, v3 bitop3:0x55").modifiers.bitop3 == 0x55);
  CHECK(decoded("v_fma_mix_f32 v0, v1, v2, |v3| op_sel:[1,0,0] op_sel_hi:[1,1,0]").operands[3].absolute);
}

TEST_CASE("matrix instructions") {
  const Instruction mfma =
      decoded("v_mfma_f32_32x32x8_bf16 a[0:15], v[0:1], a[2:3], a[0:15] cbsz:2 abid:1 blgp:3", Target::gfx942);
  CHECK(mfma.operands[0].index == 256);
  CHECK(mfma.operands[0].registers == 16);
  CHECK(mfma.operands[2].index == 258);
  CHECK(mfma.modifiers.cbsz == 2);
  CHECK(mfma.modifiers.abid == 1);
  CHECK(mfma.modifiers.blgp == 3);
  CHECK(decoded("v_mfma_f32_32x32x8_bf16 a[0:15], v[0:1], v[2:3], 0").operands[3].kind ==
        OperandKind::integer_constant);
  CHECK(decoded("v_mfma_f32_4x4x4_16b_f16 v[0:3], a[0:1], v[2:3], 1.0").operands[3].real == 1.0);
  CHECK(decoded("v_mfma_f64_16x16x4_f64 v[0:7], v[0:1], v[2:3], v[0:7] neg:[1,0,1]").modifiers.neg_lo == 5);
  const Instruction scaled = decoded("v_mfma_scale_f32_16x16x128_f8f6f4 v[0:3], v[0:7], v[8:13], v[0:3], v16, v17 "
                                     "op_sel:[1,0,0] op_sel_hi:[0,1,0] blgp:2");
  CHECK(scaled.size == 16);
  CHECK(scaled.operand_count == 6);
  CHECK(scaled.operands[2].registers == 6);
  CHECK(scaled.operands[5].index == 17);
  CHECK(scaled.modifiers.op_sel == 1);
  CHECK(scaled.modifiers.op_sel_hi == 2);
}

TEST_CASE("memory instructions") {
  const Instruction buffer =
      decoded("buffer_load_dwordx4 v[0:3], v[4:5], s[4:7], s8 idxen offen offset:4095 sc0 nt sc1");
  CHECK(buffer.operand_count == 4);
  CHECK(buffer.modifiers.offset == 4095);
  CHECK((buffer.modifiers.idxen && buffer.modifiers.offen && buffer.modifiers.sc0 && buffer.modifiers.nt));
  CHECK(buffer.modifiers.sc1);
  const Instruction to_lds = decoded("buffer_load_dwordx4 v1, s[4:7], s8 offen offset:16 lds");
  CHECK(to_lds.modifiers.lds);
  CHECK(touches(to_lds, true, k_m0));
  CHECK(decoded("buffer_load_dword v0, off, s[4:7], 0").operands[1].kind == OperandKind::off);
  CHECK(decoded("global_load_dword v0, v1, s[2:3] offset:-16").modifiers.offset == -16);
  CHECK(decoded("global_load_dword v0, v[2:3], off").operands[2].kind == OperandKind::off);
  CHECK(decoded("scratch_load_dword v0, off, s3").operands[1].kind == OperandKind::off);
  CHECK(decoded("ds_write_b64 v1, a[2:3] offset:65535").modifiers.offset == 65535);
  CHECK(decoded("ds_write_b64 v1, a[2:3]").operands[1].index == 258);
  const Instruction pair = decoded("ds_read2st64_b64 v[0:3], v1 offset0:1 offset1:255");
  CHECK(pair.modifiers.offset0 == 1);
  CHECK(pair.modifiers.offset1 == 255);
  CHECK(decoded("s_load_dwordx2 vcc, s[0:1], 0x0 glc").modifiers.sc0);
  CHECK(decoded("s_load_dword s4, s[0:1], s5 offset:0x12345").modifiers.offset == 0x12345);
  CHECK(decoded("s_load_dword s4, s[0:1], -0x4").operands[2].integer == -4);
  CHECK(!decoded("s_load_dword s4, s[0:1], 0x10").operands[2].literal);
  CHECK(decoded("buffer_wbl2 sc1").modifiers.sc1);
  CHECK(decoded("buffer_wbl2 sc1").operand_count == 0);
}

TEST_CASE("ds_swizzle patterns are taken from the encoding") {
  // Bit 15: quad permutation; else bits 14:10 xor mask, 9:5 or mask, 4:0 and mask (CDNA3 ISA, DS_SWIZZLE_B32).
  CHECK(decoded("ds_swizzle_b32 v0, v1 offset:swizzle(QUAD_PERM,0,1,2,3)").modifiers.offset == 0x80e4);
  CHECK(decoded("ds_swizzle_b32 v0, v1 offset:swizzle(SWAP,16)").modifiers.offset == 0x401f);
  CHECK(decoded("ds_swizzle_b32 v0, v1 offset:swizzle(BITMASK_PERM,\"01pip\")").modifiers.offset == 0x0907);
  CHECK(decoded("ds_swizzle_b32 v0, v1 offset:swizzle(BROADCAST,4,1)").modifiers.offset == 0x003c);
  CHECK(decoded("ds_swizzle_b32 v0, v1 offset:0xc001").modifiers.offset == 0xc001);
}

TEST_CASE("16-bit immediates come whole from the encoding") {
  CHECK(decoded("s_waitcnt vmcnt(0)").operands[0].integer == 0x0f70);
  CHECK(decoded("s_waitcnt vmcnt(17) lgkmcnt(3)").operands[0].integer == 0x4371);
  CHECK(decoded("s_waitcnt 0").operands[0].integer == 0);
  CHECK(decoded("s_nop 5").operands[0].integer == 5);
  CHECK(decoded("s_sendmsg sendmsg(MSG_INTERRUPT)").operands[0].integer == 1);
  CHECK(decoded("s_getreg_b32 s0, hwreg(HW_REG_MODE, 2, 4)").operands[1].integer == (1 | 2 << 6 | 3 << 11));
  CHECK(decoded("s_setreg_b32 hwreg(HW_REG_MODE), s0").operands[0].integer == (1 | 31 << 11));
  CHECK(decoded("s_set_gpr_idx_on s0, gpr_idx(SRC0,DST)").operands[1].integer == 9);
  CHECK(decoded("s_set_gpr_idx_mode gpr_idx(SRC0)").operands[0].integer == 1);
}

TEST_CASE("literals and inline constants") {
  const Instruction literal = decoded("s_add_u32 s0, s1, 0x12345678");
  CHECK(literal.operands[2].literal);
  CHECK(literal.size == 8);
  CHECK(!decoded("s_movk_i32 s0, 0x8000").operands[1].literal);
  CHECK(decoded("v_fmaak_f32 v0, v1, v2, 0x3f800000").operands[3].integer == 0x3f800000);
  CHECK(decoded("v_fmamk_f32 v0, v1, 0x3f800000, v2").operands[2].integer == 0x3f800000);
  CHECK(decoded("v_mul_f32_e32 v0, 0.15915494, v1").operands[1].kind == OperandKind::float_constant);
  CHECK(decoded("v_add_u16_e64 v0, v1, -5 clamp").operands[2].integer == -5);
}

TEST_CASE("branch targets are indices") {
  OneWave machine(Target::gfx942, 64, 64);
  const Program& program =
      machine.decode("s_branch last\ns_mov_b32 s0, 0x12345678\nback:\ns_nop 0\ns_cbranch_scc1 back\n"
                     "last:\ns_endpgm");
  CHECK(program.instructions[0].branch_target == 4);
  CHECK(program.instructions[3].branch_target == 2);
  CHECK(program.instructions[4].branch_target == -1);
  CHECK(program.index_of(program.instructions[4].offset) == 4);
  CHECK(program.index_of(8) == -1); // inside the literal
  CHECK(program.instructions[2].offset == 12);
}

TEST_CASE("registers that an instruction touches, named or implied") {
  const Instruction mfma = decoded("v_mfma_f32_32x32x8_bf16 a[0:15], v[0:1], v[2:3], a[0:15]");
  CHECK(touches(mfma, false, 256));
  CHECK(touches(mfma, false, 271));
  CHECK(!touches(mfma, false, 272));
  CHECK(touches(mfma, false, 3));
  CHECK(touches(mfma, true, k_exec_lo + 1));
  CHECK(touches(decoded("v_div_fmas_f32 v0, v1, v2, v3"), true, k_vcc_lo));
  CHECK(touches(decoded("v_cndmask_b32_e32 v0, v1, v2, vcc"), true, k_vcc_lo + 1));
  CHECK(touches(decoded("s_cbranch_vccz 0"), true, k_vcc_lo));
  CHECK(touches(decoded("s_cbranch_execz 0"), true, k_exec_lo));
  CHECK(touches(decoded("s_and_saveexec_b64 s[0:1], s[2:3]"), true, k_exec_lo));
  CHECK(touches(decoded("v_mov_b32_e32 v0, src_vccz"), true, k_vcc_lo));
  CHECK(touches(decoded("global_load_lds_dword v[2:3], off"), true, k_m0));
  CHECK(touches(decoded("s_movrels_b32 s0, s1"), true, k_m0));
  CHECK(!touches(decoded("s_add_u32 s0, s1, s2"), true, k_exec_lo));
}

TEST_CASE("what is not understood is refused when it is executed, and says what it was") {
  OneWave machine(Target::gfx942, 64, 64);
  const auto refusal = [&](const char* text) {
    const Instruction instruction = decode_instruction(text, 0, 0, 4, operation_table());
    machine.wave().fault = {};
    instruction.execute(machine.wave(), instruction);
    const Fault fault = machine.wave().fault;
    CHECK(fault.kind == FaultKind::unsupported_operand);
    return fault.explanation;
  };
  CHECK(refusal("s_add_u32 s0, s1, s2 new_modifier:3") == "modifier \"new_modifier:3\" is not understood");
  CHECK(refusal("s_add_u32 s0, s1, s2 shiny") == "modifier \"shiny\" is not understood");
  CHECK(refusal("s_add_u32 s0, s1, x2") == "operand \"x2\" is not understood");
  CHECK(refusal("s_add_u32 s0, s1, s2 cbsz:9") == "modifier \"cbsz:9\" is not understood");
  CHECK(refusal("s_add_u32 s0, s1, s2 op_sel:[2]") == "modifier \"op_sel:[2]\" is not understood");
  CHECK(refusal("s_add_u32 s0, s1, s2 src0_sel:BYTE_4") == "modifier \"src0_sel:BYTE_4\" is not understood");
}

TEST_CASE("instructions of the other target are not decoded") {
  // v_cvt_pk_bf16_f32 v0, v1, v2 exists on gfx950 only.
  const Instruction on_950 = decoded(".long 0xd2680000\n.long 0x00020501", Target::gfx950);
  CHECK(on_950.text == "v_cvt_pk_bf16_f32 v0, v1, v2");
  const Instruction on_942 = decoded(".long 0xd2680000\n.long 0x00020501", Target::gfx942);
  CHECK(on_942.operation == nullptr);
  CHECK(on_942.text == ".long 0xd2680000");
}
