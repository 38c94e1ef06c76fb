#include "codeobj/inspect.h"

#include <algorithm>
#include <string>

namespace hk::codeobj {

KernelResources resources_of(const Kernel& kernel) {
  const KernelMetadata& metadata = kernel.metadata;
  KernelResources resources;
  // The metadata's vgpr_count covers both kinds; where it does not say how many are AGPRs, the descriptor tells where
  // they start.
  const std::uint32_t start = kernel.descriptor.accumulator_offset;
  resources.agprs = metadata.agpr_count.value_or(metadata.vgpr_count > start ? metadata.vgpr_count - start : 0);
  resources.vgprs = resources.agprs == 0 ? metadata.vgpr_count : std::min(metadata.vgpr_count, start);
  resources.sgprs = metadata.sgpr_count;
  resources.lds_bytes = metadata.group_segment_fixed_size;
  resources.scratch_bytes = metadata.private_segment_fixed_size;
  resources.spilled_vgprs = metadata.vgpr_spill_count;
  resources.spilled_sgprs = metadata.sgpr_spill_count;
  resources.max_workgroup_size = metadata.max_flat_workgroup_size;
  return resources;
}

Result<CodeObject> check_compiled(std::span<const std::byte> file, const TargetId& target, std::string_view symbol,
                                  Scratch scratch) {
  HK_ASSIGN_OR_RETURN(CodeObject object, parse_code_object(file));
  if (object.target != target)
    return fail(StatusCode::internal, "the compiler was asked for " + target.to_string() + " and built for " +
                                          object.target.to_string() + "; check the installed hipRTC");
  const Kernel* kernel = object.find_kernel(symbol);
  if (kernel == nullptr)
    return fail(StatusCode::internal,
                "the compiled object does not hold the kernel '" + std::string(symbol) + "'; report this as a bug");
  const KernelResources resources = resources_of(*kernel);
  const bool has_scratch = resources.scratch_bytes != 0 || kernel->descriptor.private_segment_fixed_size != 0 ||
                           kernel->descriptor.enable_private_segment || kernel->descriptor.uses_dynamic_stack;
  if (scratch == Scratch::refused && (has_scratch || resources.spilled_vgprs != 0))
    return fail(StatusCode::compile_failed,
                "kernel '" + std::string(symbol) + "' needs " + std::to_string(resources.scratch_bytes) +
                    " bytes of scratch and spills " + std::to_string(resources.spilled_vgprs) +
                    " vector registers, which its counted waits do not allow; choose another configuration");
  return object;
}

} // namespace hk::codeobj
