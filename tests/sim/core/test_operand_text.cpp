// Every operand syntax of gfx942 and gfx950.
#include <bit>

#include <doctest/doctest.h>

#include "sim/decode/operand_text.h"

using namespace hk::sim;

namespace {

Operand parsed(std::string_view text, bool may_hold_literal = false) {
  Operand operand;
  REQUIRE_MESSAGE(parse_operand(text, may_hold_literal, operand), std::string(text));
  return operand;
}

bool refused(std::string_view text) {
  Operand operand;
  return !parse_operand(text, false, operand);
}

} // namespace

TEST_CASE("vector and accumulation registers") {
  CHECK(parsed("v0").kind == OperandKind::vector_register);
  CHECK(parsed("v255").index == 255);
  CHECK(parsed("v[4:7]").index == 4);
  CHECK(parsed("v[4:7]").registers == 4);
  CHECK(parsed("v[0:31]").registers == 32);
  CHECK(parsed("a0").index == 256);
  CHECK(parsed("a[16:31]").index == 272);
  CHECK(parsed("a[16:31]").registers == 16);
  CHECK(parsed("v[3]").index == 3);
}

TEST_CASE("scalar registers have the numbers of the encoding") {
  CHECK(parsed("s101").index == 101);
  CHECK(parsed("s[8:15]").registers == 8);
  CHECK(parsed("flat_scratch").index == 102);
  CHECK(parsed("flat_scratch_hi").index == 103);
  CHECK(parsed("xnack_mask").index == 104);
  CHECK(parsed("vcc").index == 106);
  CHECK(parsed("vcc").registers == 2);
  CHECK(parsed("vcc_hi").index == 107);
  CHECK(parsed("vcc_hi").registers == 1);
  CHECK(parsed("ttmp0").index == 108);
  CHECK(parsed("ttmp[4:5]").index == 112);
  CHECK(parsed("m0").index == 124);
  CHECK(parsed("exec").index == 126);
  CHECK(parsed("exec_hi").index == 127);
}

TEST_CASE("source modifiers") {
  CHECK(parsed("-v1").negate);
  CHECK(!parsed("-v1").absolute);
  CHECK(parsed("|v1|").absolute);
  CHECK(parsed("-|v1|").negate);
  CHECK(parsed("-|v1|").absolute);
  CHECK(parsed("-|v1|").index == 1);
  CHECK(parsed("abs(s3)").absolute);
  CHECK(parsed("neg(v[2:3])").negate);
  CHECK(parsed("neg(v[2:3])").registers == 2);
  CHECK(parsed("sext(v9)").sign_extend);
  CHECK(parsed("sext(v9)").index == 9);
  CHECK(parsed("-|1.0|").absolute);
}

TEST_CASE("constants") {
  CHECK(parsed("-16").integer == -16);
  CHECK(parsed("64").integer == 64);
  CHECK(!parsed("64", true).literal);
  CHECK(parsed("0x12345678", true).literal);
  CHECK(parsed("0xffffffff", true).integer == 0xffffffffLL);
  CHECK(!parsed("0x8000").literal);
  CHECK(parsed("-0x4").integer == -4);
  CHECK(parsed("0.5").kind == OperandKind::float_constant);
  CHECK(parsed("-4.0").real == -4.0);
  // CDNA3 ISA, table of scalar operand numbers: 248 is 0x3fc45f306dc9c882 as a double, 0x3e22f983 as a float.
  CHECK(std::bit_cast<std::uint64_t>(parsed("0.15915494").real) == 0x3fc45f306dc9c882);
  CHECK(std::bit_cast<std::uint64_t>(parsed("0.15915494309189532").real) == 0x3fc45f306dc9c882);
  CHECK(std::bit_cast<std::uint32_t>(float(parsed("0.15915494").real)) == 0x3e22f983);
}

TEST_CASE("values that are no register") {
  CHECK(parsed("off").kind == OperandKind::off);
  CHECK(parsed("src_shared_base").index == unsigned(SpecialOperand::shared_base));
  CHECK(parsed("src_private_limit").index == unsigned(SpecialOperand::private_limit));
  CHECK(parsed("src_scc").index == unsigned(SpecialOperand::scc));
  CHECK(parsed("src_vccz").index == unsigned(SpecialOperand::vccz));
  CHECK(parsed("src_execz").index == unsigned(SpecialOperand::execz));
}

TEST_CASE("what is not an operand is refused") {
  CHECK(refused("v256"));
  CHECK(refused("v[250:257]"));
  CHECK(refused("s104"));
  CHECK(refused("v[3:2]"));
  CHECK(refused("attr0.x"));
  CHECK(refused("lds_direct"));
  CHECK(refused(""));
  CHECK(refused("12x"));
  CHECK(refused("|v1"));
}
