#pragma once
// One decoded instruction: an operation, its operands and its modifiers. Made once per loaded code object.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace hk::sim {

struct Operation;
struct Wave;

// Scalar operand numbers of the hardware encoding ("CDNA3 ISA", section "Scalar ALU operands").
constexpr std::uint16_t k_flat_scratch_lo = 102;
constexpr std::uint16_t k_vcc_lo = 106;
constexpr std::uint16_t k_m0 = 124;
constexpr std::uint16_t k_exec_lo = 126;
constexpr std::uint16_t k_scalar_register_count = 128;

// Vector registers v0..v255 have the indices 0..255, accumulation registers a0..a255 the indices 256..511.
constexpr std::uint16_t k_accumulator_base = 256;
constexpr std::uint16_t k_vector_register_count = 512;
constexpr int k_wave_size = 64;

enum class OperandKind : std::uint8_t {
  none,
  vector_register,  // index 0..511 (accumulators from 256)
  scalar_register,  // index = hardware number (s0..s101, vcc 106, ttmp 108.., m0 124, exec 126)
  integer_constant, // inline integer, 32-bit literal or simm16: `integer`
  float_constant,   // inline 0.5, 1.0, 2.0, 4.0, their negatives, 1/(2 pi): `real`; its bits depend on the operand type
  special, // src_shared_base, src_shared_limit, src_private_base, src_private_limit, vccz, execz, scc, hwreg(...)
  off,     // the word "off" of addresses without a register
};

enum class SpecialOperand : std::uint8_t {
  shared_base,
  shared_limit,
  private_base,
  private_limit,
  pops_exiting_wave_id,
  vccz,
  execz,
  scc,
  hardware_register,
};

// SDWA sub-dword selection; `dword` also where the encoding has no selection.
enum class Selection : std::uint8_t { byte_0, byte_1, byte_2, byte_3, word_0, word_1, dword };

struct Operand {
  OperandKind kind = OperandKind::none;
  std::uint8_t registers = 1; // number of 32-bit registers named: v[4:7] -> 4
  std::uint16_t index = 0;    // first register, or SpecialOperand, or hwreg number
  bool literal = false;       // a 32-bit literal follows the instruction (matters to 64-bit operands)
  bool negate = false;
  bool absolute = false;
  bool sign_extend = false; // SDWA sext()
  Selection select = Selection::dword;
  std::int64_t integer = 0;
  double real = 0.0;
};

enum class Encoding : std::uint8_t { plain, e32, e64, dpp, sdwa };

enum class DppControl : std::uint8_t {
  none,
  quad_perm,
  row_shl,
  row_shr,
  row_ror,
  wave_shl,
  wave_rol,
  wave_shr,
  wave_ror,
  row_mirror,
  row_half_mirror,
  row_bcast,
  row_newbcast,
};

struct Modifiers {
  bool clamp = false;
  std::uint8_t output_multiplier = 0; // omod: 0 none, 1 *2, 2 *4, 3 /2
  // VOP3 / VOP3P, one bit per entry of the text's list: bit i is source i; in op_sel the entry behind the last source
  // is the destination (bit 2 with two sources, bit 3 with three). fp8 conversions name a byte in bits 2 and 3.
  std::uint8_t op_sel = 0;
  std::uint8_t op_sel_hi = 0xff; // default all ones where the text names none (VOP3P)
  bool has_op_sel_hi = false;
  std::uint8_t neg_lo = 0;
  std::uint8_t neg_hi = 0;
  // MFMA
  std::uint8_t cbsz = 0, abid = 0, blgp = 0;
  // DPP
  DppControl dpp = DppControl::none;
  std::uint8_t dpp_value = 0; // shift amount, or packed quad_perm (2 bits per lane)
  std::uint8_t row_mask = 0xf;
  std::uint8_t bank_mask = 0xf;
  bool bound_ctrl = false;     // text "bound_ctrl:0" or ":1": out-of-range lanes read 0
  bool fetch_inactive = false; // text "fi:1" of v_permlane*_swap: lanes outside EXEC are read too
  // SDWA
  Selection dst_select = Selection::dword;
  enum class DstUnused : std::uint8_t { pad, sext, preserve } dst_unused = DstUnused::pad;
  // memory
  std::int32_t offset = 0;               // DS, FLAT, GLOBAL, MUBUF, SMEM immediate
  std::uint8_t offset0 = 0, offset1 = 0; // ds_read2/ds_write2
  bool offen = false, idxen = false, sc0 = false, sc1 = false, nt = false, gds = false, lds = false;
  // bitop3 and others: "name:value" pairs that have no field of their own are refused by the decoder.
  std::uint16_t bitop3 = 0;
};

// Registers that an instruction reads or writes, named or implied; what the in-flight check looks at.
struct RegisterRange {
  std::uint16_t first = 0; // vector index 0..511, or scalar hardware number
  std::uint8_t count = 0;
  bool scalar = false;
};

struct Instruction {
  const Operation* operation =
      nullptr; // null: known to the decoder's stream walk, but not implemented; `text` names it
  // No modifier but op_sel, and every operand a register or a constant: decode/prepare_instruction.h.
  bool plain = false;
  // What the wave loop calls: operation->execute or its quick form, or a function that raises unknown_instruction or
  // unsupported_operand.
  void (*execute)(Wave& wave, const Instruction& instruction) = nullptr;
  std::uint64_t offset = 0; // bytes from the start of the code range
  std::uint8_t size = 4;    // bytes
  Encoding encoding = Encoding::plain;
  std::uint8_t operand_count = 0;
  std::array<Operand, 8> operands{};
  Modifiers modifiers{};
  std::int32_t branch_target = -1; // index of the target instruction for direct branches; -1: none starts there
  std::int32_t branch_bytes = 0;   // from this instruction to the target of a direct branch
  bool is_direct_branch = false;   // s_branch, s_cbranch_*, s_call_b64
  std::uint8_t touched_count = 0;
  std::array<RegisterRange, 10> touched{};
  std::string text;    // as disassembled, for reports
  std::string refusal; // why this instruction cannot be executed: an operand or modifier not understood
};

} // namespace hk::sim
