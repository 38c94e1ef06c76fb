#pragma once
// The NT_AMDGPU_METADATA note: what the compiler says about each kernel of a code object.
// Source: LLVM, "User Guide for AMDGPU Backend", section Code Object Metadata, V3 to V6 (MessagePack).

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace hk::codeobj {

// How the launcher fills an argument; the hidden ones follow the explicit ones and are filled by the runtime.
enum class ArgumentKind : std::uint8_t {
  by_value,
  global_buffer,
  dynamic_shared_pointer,
  sampler,
  image,
  pipe,
  queue,
  hidden_none,
  hidden_block_count_x, // workgroups in the grid, uint32
  hidden_block_count_y,
  hidden_block_count_z,
  hidden_group_size_x, // work-items in a full workgroup, uint16
  hidden_group_size_y,
  hidden_group_size_z,
  hidden_remainder_x, // work-items in the last, partial workgroup, uint16
  hidden_remainder_y,
  hidden_remainder_z,
  hidden_grid_dims, // 1, 2 or 3, uint16
  hidden_global_offset_x,
  hidden_global_offset_y,
  hidden_global_offset_z,
  hidden_dynamic_lds_size, // bytes, uint32
  hidden_printf_buffer,
  hidden_hostcall_buffer,
  hidden_default_queue,
  hidden_completion_action,
  hidden_multigrid_sync_arg,
  hidden_heap_v1,
  hidden_private_base,
  hidden_shared_base,
  hidden_queue_ptr,
  unknown, // see KernelArgument::kind_text
};

struct KernelArgument {
  std::string name;         // empty when the compiler does not say
  std::uint64_t offset = 0; // bytes into the kernarg segment
  std::uint64_t size = 0;   // bytes
  ArgumentKind kind = ArgumentKind::unknown;
  std::string kind_text;     // ".value_kind" as written
  std::string address_space; // "global", "local", ... for pointers

  [[nodiscard]] bool is_hidden() const noexcept { return kind_text.starts_with("hidden_"); }
};

struct KernelMetadata {
  std::string name;                        // "vector_add"
  std::string symbol;                      // of the kernel descriptor: "vector_add.kd"
  std::uint64_t kernarg_segment_size = 0;  // bytes
  std::uint64_t kernarg_segment_align = 1; // bytes
  std::vector<KernelArgument> arguments;
  std::uint64_t group_segment_fixed_size = 0;   // static LDS, bytes per workgroup
  std::uint64_t private_segment_fixed_size = 0; // scratch, bytes per work-item
  std::uint32_t wavefront_size = 0;
  std::uint32_t max_flat_workgroup_size = 0;
  std::uint32_t sgpr_count = 0;
  std::uint32_t vgpr_count = 0;            // total in the unified file, AGPRs included
  std::optional<std::uint32_t> agpr_count; // older compilers do not say
  std::uint32_t sgpr_spill_count = 0;
  std::uint32_t vgpr_spill_count = 0;
  std::optional<std::array<std::uint32_t, 3>> required_workgroup_size;
  bool uniform_workgroup_size = false;
  bool uses_dynamic_stack = false;
};

struct Metadata {
  std::uint32_t version_major = 0;
  std::uint32_t version_minor = 0;
  std::string target; // "amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-"; empty in hand-written objects
  std::vector<KernelMetadata> kernels;
};

// The descriptor bytes of the note (owner "AMDGPU", type 32). Fails with load_failed, naming the kernel and the key,
// if a required key is missing, has another type, or an argument lies outside its kernarg segment.
Result<Metadata> parse_metadata(std::span<const std::byte> note);

inline constexpr std::uint32_t k_note_type_metadata = 32; // NT_AMDGPU_METADATA

} // namespace hk::codeobj
