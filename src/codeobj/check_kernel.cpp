#include "codeobj/check_kernel.h"

#include <string>

#include "codeobj/cubin.h"

namespace hk::codeobj {
namespace {

Result<KernelResources> check_amd(std::span<const std::byte> file, const TargetId& target, std::string_view symbol,
                                  Scratch scratch) {
  HK_ASSIGN_OR_RETURN(const CodeObject object, check_compiled(file, target, symbol, scratch));
  return resources_of(*object.find_kernel(symbol));
}

Result<KernelResources> check_nvidia(std::span<const std::byte> file, const TargetId& target, std::string_view symbol,
                                     Scratch scratch) {
  HK_ASSIGN_OR_RETURN(const CubinKernel kernel, read_cubin_kernel(file, symbol));
  const Processor* const processor = find_processor(target.processor);
  if (processor == nullptr || kernel.machine != processor->machine)
    return fail(StatusCode::internal, "the compiler was asked for " + target.to_string() + " and built for sm_" +
                                          std::to_string(kernel.machine) + "; check the installed NVRTC");
  if (scratch == Scratch::refused && kernel.resources.scratch_bytes != 0)
    return fail(StatusCode::compile_failed, "kernel '" + std::string(symbol) + "' needs " +
                                                std::to_string(kernel.resources.scratch_bytes) +
                                                " bytes of local memory per thread, for spilled registers or an array "
                                                "that does not fit into them; choose another configuration");
  return kernel.resources;
}

} // namespace

Result<KernelResources> check_kernel(std::span<const std::byte> file, const TargetId& target, std::string_view symbol,
                                     Scratch scratch) {
  return platform_of(target) == Platform::amd ? check_amd(file, target, symbol, scratch)
                                              : check_nvidia(file, target, symbol, scratch);
}

} // namespace hk::codeobj
