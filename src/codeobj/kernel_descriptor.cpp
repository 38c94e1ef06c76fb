#include "codeobj/kernel_descriptor.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "codeobj/file_view.h"

namespace hk::codeobj {
namespace {

// The descriptor as it lies in the file.
struct RawDescriptor {
  std::uint32_t group_segment_fixed_size;
  std::uint32_t private_segment_fixed_size;
  std::uint32_t kernarg_size;
  std::uint32_t reserved0;
  std::int64_t code_entry_offset;
  std::array<std::uint32_t, 5> reserved1;
  std::uint32_t rsrc3;
  std::uint32_t rsrc1;
  std::uint32_t rsrc2;
  std::uint16_t code_properties;
  std::uint16_t kernarg_preload;
  std::uint32_t reserved2;
};
static_assert(sizeof(RawDescriptor) == k_kernel_descriptor_size && offsetof(RawDescriptor, rsrc3) == 44);

// Bits that have no meaning on gfx942 and gfx950, or must be zero in the file.
constexpr std::uint32_t k_rsrc1_reserved = 1u << 20 | 1u << 22 | 0x1fu << 27; // PRIV, DEBUG_MODE, 27-31
constexpr std::uint32_t k_rsrc2_reserved = 1u << 31;
constexpr std::uint32_t k_rsrc3_reserved = 0x3ffu << 6 | 0x7fffu << 17;
constexpr std::uint16_t k_code_properties_reserved = 0x7u << 7 | 0xfu << 12;
constexpr std::uint16_t k_wavefront_size_32 = 1u << 10;

constexpr std::uint32_t field(std::uint32_t word, int shift, int width) {
  return word >> shift & ((1u << width) - 1);
}

constexpr bool bit(std::uint32_t word, int position) {
  return (word >> position & 1) != 0;
}

void decode_rsrc1(std::uint32_t word, KernelDescriptor& descriptor) {
  descriptor.vgpr_count = (field(word, 0, 6) + 1) * 8;
  // GFX9 counts granules of 8 but allocates 16: the field is 2 * (allocated / 16 - 1).
  descriptor.sgpr_count = (field(word, 6, 4) / 2 + 1) * 16;
  descriptor.priority = static_cast<std::uint8_t>(field(word, 10, 2));
  descriptor.round_mode_32 = static_cast<RoundMode>(field(word, 12, 2));
  descriptor.round_mode_16_64 = static_cast<RoundMode>(field(word, 14, 2));
  descriptor.denormal_mode_32 = static_cast<DenormalMode>(field(word, 16, 2));
  descriptor.denormal_mode_16_64 = static_cast<DenormalMode>(field(word, 18, 2));
  descriptor.enable_dx10_clamp = bit(word, 21);
  descriptor.enable_ieee_mode = bit(word, 23);
  descriptor.fp16_overflow = bit(word, 26);
}

void decode_rsrc2(std::uint32_t word, KernelDescriptor& descriptor) {
  descriptor.enable_private_segment = bit(word, 0);
  descriptor.user_sgpr_count = static_cast<std::uint8_t>(field(word, 1, 5));
  descriptor.enable_trap_handler = bit(word, 6);
  descriptor.enable_sgpr_workgroup_id_x = bit(word, 7);
  descriptor.enable_sgpr_workgroup_id_y = bit(word, 8);
  descriptor.enable_sgpr_workgroup_id_z = bit(word, 9);
  descriptor.enable_sgpr_workgroup_info = bit(word, 10);
  descriptor.work_item_ids = static_cast<WorkItemIds>(field(word, 11, 2));
  descriptor.granulated_lds_size = static_cast<std::uint16_t>(field(word, 15, 9));
  descriptor.exception_mask = static_cast<std::uint8_t>(field(word, 24, 7));
}

void decode_code_properties(std::uint32_t word, KernelDescriptor& descriptor) {
  descriptor.enable_sgpr_private_segment_buffer = bit(word, 0);
  descriptor.enable_sgpr_dispatch_ptr = bit(word, 1);
  descriptor.enable_sgpr_queue_ptr = bit(word, 2);
  descriptor.enable_sgpr_kernarg_segment_ptr = bit(word, 3);
  descriptor.enable_sgpr_dispatch_id = bit(word, 4);
  descriptor.enable_sgpr_flat_scratch_init = bit(word, 5);
  descriptor.enable_sgpr_private_segment_size = bit(word, 6);
  descriptor.uses_dynamic_stack = bit(word, 11);
}

bool has_reserved_bits(const RawDescriptor& raw) {
  const bool words =
      std::any_of(raw.reserved1.begin(), raw.reserved1.end(), [](std::uint32_t word) { return word != 0; });
  return words || raw.reserved0 != 0 || raw.reserved2 != 0 || (raw.rsrc1 & k_rsrc1_reserved) != 0 ||
         (raw.rsrc2 & k_rsrc2_reserved) != 0 || (raw.rsrc3 & k_rsrc3_reserved) != 0 ||
         (raw.code_properties & k_code_properties_reserved) != 0;
}

} // namespace

std::uint8_t KernelDescriptor::float_mode() const noexcept {
  return static_cast<std::uint8_t>(static_cast<unsigned>(round_mode_32) | static_cast<unsigned>(round_mode_16_64) << 2 |
                                   static_cast<unsigned>(denormal_mode_32) << 4 |
                                   static_cast<unsigned>(denormal_mode_16_64) << 6);
}

Result<KernelDescriptor> decode_kernel_descriptor(std::span<const std::byte> bytes) {
  const auto raw = FileView(bytes).read<RawDescriptor>(0);
  if (!raw)
    return fail(StatusCode::load_failed, "the kernel descriptor is damaged: it has " + std::to_string(bytes.size()) +
                                             " of 64 bytes; recompile the code object");
  if (has_reserved_bits(*raw))
    return fail(StatusCode::load_failed,
                "the kernel descriptor has a reserved bit set: it is damaged or from a newer compiler");
  if ((raw->code_properties & k_wavefront_size_32) != 0)
    return fail(StatusCode::load_failed, "the kernel descriptor asks for waves of 32 lanes, which gfx942 and gfx950 "
                                         "do not have; recompile for the right target");
  KernelDescriptor descriptor;
  descriptor.group_segment_fixed_size = raw->group_segment_fixed_size;
  descriptor.private_segment_fixed_size = raw->private_segment_fixed_size;
  descriptor.kernarg_size = raw->kernarg_size;
  descriptor.code_entry_offset = raw->code_entry_offset;
  decode_rsrc1(raw->rsrc1, descriptor);
  decode_rsrc2(raw->rsrc2, descriptor);
  descriptor.accumulator_offset = (field(raw->rsrc3, 0, 6) + 1) * 4;
  descriptor.tg_split = bit(raw->rsrc3, 16);
  decode_code_properties(raw->code_properties, descriptor);
  descriptor.kernarg_preload_length = static_cast<std::uint8_t>(field(raw->kernarg_preload, 0, 7));
  descriptor.kernarg_preload_offset = static_cast<std::uint16_t>(field(raw->kernarg_preload, 7, 9));
  return descriptor;
}

} // namespace hk::codeobj
