#include "codeobj/kernel_descriptor.h"

#include <array>

#include "codeobj/code_object.h"
#include "fixture.h"

using namespace hk;
using namespace hk::codeobj;

TEST_SUITE_BEGIN("kernel_descriptor");

// Expected values: the directives of data/descriptor_fields.s.
TEST_CASE("Every field that the assembler can set") {
  for (const char* name : {"descriptor_fields_gfx942.co", "descriptor_fields_gfx950.co"}) {
    CAPTURE(std::string(name));
    const auto object = parse_code_object(load_fixture(name));
    REQUIRE(object.has_value());
    const Kernel* kernel = object->find_kernel("every_field");
    REQUIRE(kernel != nullptr);
    const KernelDescriptor& descriptor = kernel->descriptor;
    CHECK(descriptor.group_segment_fixed_size == 4096);
    CHECK(descriptor.private_segment_fixed_size == 48);
    CHECK(descriptor.kernarg_size == 96);
    CHECK(descriptor.code_entry_offset == 0x1700 - 0x600);
    CHECK(descriptor.vgpr_count == 304); // 300 in granules of 8
    CHECK(descriptor.sgpr_count == 80);  // 60 and VCC, FLAT_SCRATCH, XNACK_MASK: 66, in granules of 16
    CHECK(descriptor.accumulator_offset == 252);
    CHECK(descriptor.round_mode_32 == RoundMode::plus_infinity);
    CHECK(descriptor.round_mode_16_64 == RoundMode::minus_infinity);
    CHECK(descriptor.denormal_mode_32 == DenormalMode::flush_result);
    CHECK(descriptor.denormal_mode_16_64 == DenormalMode::flush_source);
    CHECK(descriptor.float_mode() == 0b10'01'10'01);
    CHECK(descriptor.enable_dx10_clamp);
    CHECK_FALSE(descriptor.enable_ieee_mode);
    CHECK(descriptor.fp16_overflow);
    CHECK(descriptor.enable_private_segment);
    CHECK(descriptor.user_sgpr_count == 15);
    CHECK(descriptor.enable_sgpr_workgroup_id_x);
    CHECK(descriptor.enable_sgpr_workgroup_id_y);
    CHECK(descriptor.enable_sgpr_workgroup_id_z);
    CHECK(descriptor.enable_sgpr_workgroup_info);
    CHECK(descriptor.work_item_ids == WorkItemIds::xyz);
    CHECK(descriptor.exception_mask == 0b1000101); // invalid, division by zero, integer division by zero
    CHECK(descriptor.tg_split);
    CHECK_FALSE(descriptor.enable_sgpr_private_segment_buffer);
    CHECK(descriptor.enable_sgpr_dispatch_ptr);
    CHECK(descriptor.enable_sgpr_queue_ptr);
    CHECK(descriptor.enable_sgpr_kernarg_segment_ptr);
    CHECK(descriptor.enable_sgpr_dispatch_id);
    CHECK_FALSE(descriptor.enable_sgpr_flat_scratch_init);
    CHECK(descriptor.enable_sgpr_private_segment_size);
    CHECK(descriptor.uses_dynamic_stack);
    CHECK(descriptor.kernarg_preload_length == 5);
    CHECK(descriptor.kernarg_preload_offset == 2);
    CHECK(kernel->descriptor_address == 0x600);
    CHECK(kernel->entry_address == 0x1700);
  }
}

TEST_CASE("The assembler's defaults") {
  const auto object = parse_code_object(load_fixture("descriptor_fields_gfx942.co"));
  REQUIRE(object.has_value());
  const Kernel* kernel = object->find_kernel("defaults");
  REQUIRE(kernel != nullptr);
  // Defaults of the directives, table "AMDHSA Kernel Assembler Directives".
  KernelDescriptor expected;
  expected.code_entry_offset = 0x1900 - 0x640;
  expected.vgpr_count = 8;
  expected.sgpr_count = 16;
  expected.accumulator_offset = 4;
  expected.denormal_mode_16_64 = DenormalMode::keep;
  expected.enable_dx10_clamp = true;
  expected.enable_ieee_mode = true;
  expected.enable_sgpr_workgroup_id_x = true;
  CHECK(kernel->descriptor == expected);
}

TEST_CASE("A descriptor put together by hand") {
  std::array<std::byte, k_kernel_descriptor_size> bytes{};
  const auto set = [&bytes](std::size_t offset, std::uint32_t word) {
    for (std::size_t i = 0; i < 4; ++i)
      bytes[offset + i] = static_cast<std::byte>(word >> (8 * i));
  };
  set(0, 65536);
  set(16, 0xffffff00); // entry 256 bytes before the descriptor
  set(20, 0xffffffff);
  set(44, 63);                                   // accumulator offset 256
  set(48, 63 | 12 << 6 | 0xfu << 16 | 3u << 10); // 512 VGPRs, 112 SGPRs, denormals kept, priority 3
  set(52, 31 << 1 | 1 << 6 | 1 << 11 | 0x1ff << 15);
  set(56, 0x3f);
  const auto descriptor = decode_kernel_descriptor(bytes);
  REQUIRE(descriptor.has_value());
  CHECK(descriptor->group_segment_fixed_size == 65536);
  CHECK(descriptor->code_entry_offset == -256);
  CHECK(descriptor->accumulator_offset == 256);
  CHECK(descriptor->vgpr_count == 512);
  CHECK(descriptor->sgpr_count == 112);
  CHECK(descriptor->priority == 3);
  CHECK(descriptor->float_mode() == 0xf0);
  CHECK(descriptor->user_sgpr_count == 31);
  CHECK(descriptor->enable_trap_handler);
  CHECK(descriptor->work_item_ids == WorkItemIds::xy);
  CHECK(descriptor->granulated_lds_size == 511);
  CHECK(descriptor->enable_sgpr_private_segment_buffer);
  CHECK(descriptor->enable_sgpr_flat_scratch_init);
  CHECK_FALSE(descriptor->enable_sgpr_private_segment_size);
}

TEST_CASE("Reserved bits, wave32 and missing bytes are refused") {
  struct Bad {
    std::size_t offset;
    int bit;
  };
  // Reserved words; PRIV, DEBUG_MODE and bit 31 of rsrc1; bit 31 of rsrc2; bits 6 and 17 of rsrc3; properties 7, 12
  // and 10 (wave32).
  for (const Bad bad : {Bad{12, 0}, Bad{24, 5}, Bad{43, 7}, Bad{60, 0}, Bad{63, 7}, Bad{50, 4}, Bad{50, 6}, Bad{51, 7},
                        Bad{55, 7}, Bad{44, 6}, Bad{46, 1}, Bad{56, 7}, Bad{57, 4}, Bad{57, 2}}) {
    CAPTURE(bad.offset);
    CAPTURE(bad.bit);
    std::array<std::byte, k_kernel_descriptor_size> bytes{};
    REQUIRE(decode_kernel_descriptor(bytes).has_value());
    bytes[bad.offset] = static_cast<std::byte>(1 << bad.bit);
    const auto descriptor = decode_kernel_descriptor(bytes);
    REQUIRE_FALSE(descriptor.has_value());
    CHECK(descriptor.error().code == StatusCode::load_failed);
  }
  CHECK_FALSE(decode_kernel_descriptor(std::array<std::byte, 63>{}).has_value());
}

TEST_SUITE_END();
