#pragma once
// The 64-byte kernel descriptor, decoded field by field for gfx942 and gfx950 (both follow the gfx90a layout).
// Source: LLVM, "User Guide for AMDGPU Backend", section Kernel Descriptor, tables "Kernel Descriptor",
// "compute_pgm_rsrc1 for GFX6-GFX12", "compute_pgm_rsrc2 for GFX6-GFX12", "compute_pgm_rsrc3 for GFX90A, GFX942".

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/status.h"

namespace hk::codeobj {

inline constexpr std::size_t k_kernel_descriptor_size = 64; // bytes
inline constexpr std::size_t k_kernel_descriptor_alignment = 64;

// Bytes of the compatibility prologue at the entry of a kernel with preloaded arguments: hardware that preloads starts
// behind it, hardware that does not runs it (it loads the same registers from the kernarg segment).
inline constexpr std::uint64_t k_kernarg_preload_prologue_size = 256;

enum class RoundMode : std::uint8_t { nearest_even = 0, plus_infinity = 1, minus_infinity = 2, zero = 3 };
enum class DenormalMode : std::uint8_t { flush_source_and_result = 0, flush_result = 1, flush_source = 2, keep = 3 };
// Which work-item ids the kernel wants. gfx90a and later pack them into v0: x in bits 0-9, y in 10-19, z in 20-29.
enum class WorkItemIds : std::uint8_t { x = 0, xy = 1, xyz = 2, undefined = 3 };

struct KernelDescriptor {
  std::uint32_t group_segment_fixed_size = 0;   // LDS, bytes per workgroup, without dynamic LDS
  std::uint32_t private_segment_fixed_size = 0; // scratch, bytes per work-item
  std::uint32_t kernarg_size = 0;               // bytes; 0 = not stated
  std::int64_t code_entry_offset = 0;           // bytes from the descriptor to the first instruction

  // compute_pgm_rsrc1. Register counts are in registers, undone from their granules.
  std::uint32_t vgpr_count = 0; // unified file: architectural VGPRs and AGPRs together, granule 8
  std::uint32_t sgpr_count = 0; // granule 16; VCC, FLAT_SCRATCH and XNACK_MASK included
  std::uint8_t priority = 0;
  RoundMode round_mode_32 = RoundMode::nearest_even;
  RoundMode round_mode_16_64 = RoundMode::nearest_even;
  DenormalMode denormal_mode_32 = DenormalMode::flush_source_and_result;
  DenormalMode denormal_mode_16_64 = DenormalMode::flush_source_and_result;
  bool enable_dx10_clamp = false;
  bool enable_ieee_mode = false;
  bool fp16_overflow = false; // FP16_OVFL: f16 results clamp to the largest finite value

  // compute_pgm_rsrc2
  bool enable_private_segment = false;
  std::uint8_t user_sgpr_count = 0; // preloaded kernel arguments included
  bool enable_trap_handler = false;
  bool enable_sgpr_workgroup_id_x = false;
  bool enable_sgpr_workgroup_id_y = false;
  bool enable_sgpr_workgroup_id_z = false;
  bool enable_sgpr_workgroup_info = false;
  WorkItemIds work_item_ids = WorkItemIds::x;
  std::uint16_t granulated_lds_size = 0; // must be 0 in the file; the dispatcher sets it
  std::uint8_t exception_mask = 0; // bits 24..30: invalid, denormal, div by zero, overflow, underflow, inexact, int div

  // compute_pgm_rsrc3
  std::uint32_t accumulator_offset = 0; // first AGPR in the unified file, in registers, granule 4
  bool tg_split = false;                // a workgroup may be spread over compute units

  // kernel_code_properties; user SGPRs are laid out in this order, then the preloaded arguments.
  bool enable_sgpr_private_segment_buffer = false; // 4 registers
  bool enable_sgpr_dispatch_ptr = false;           // 2
  bool enable_sgpr_queue_ptr = false;              // 2
  bool enable_sgpr_kernarg_segment_ptr = false;    // 2
  bool enable_sgpr_dispatch_id = false;            // 2
  bool enable_sgpr_flat_scratch_init = false;      // 2
  bool enable_sgpr_private_segment_size = false;   // 1
  bool uses_dynamic_stack = false;

  // kernarg_preload, both in dwords
  std::uint8_t kernarg_preload_length = 0;
  std::uint16_t kernarg_preload_offset = 0;

  // MODE[7:0] at launch: round modes in bits 0-3, denormal modes in bits 4-7.
  [[nodiscard]] std::uint8_t float_mode() const noexcept;
  bool operator==(const KernelDescriptor&) const = default;
};

// Fails with load_failed if fewer than 64 bytes are given, if a reserved bit is set, or if the descriptor asks for
// what gfx942 and gfx950 lack (wave32).
Result<KernelDescriptor> decode_kernel_descriptor(std::span<const std::byte> bytes);

} // namespace hk::codeobj
