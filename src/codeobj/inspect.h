#pragma once
// Facts and checks about compiled kernels that the service reports and relies on.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/status.h"
#include "codeobj/code_object.h"

namespace hk::codeobj {

struct KernelResources {
  std::uint32_t vgprs = 0;         // architectural registers per lane
  std::uint32_t agprs = 0;         // accumulation registers per lane
  std::uint32_t sgprs = 0;         // per wave
  std::uint64_t lds_bytes = 0;     // per workgroup; what its launch asks for (dynamic_lds_bytes) is a part of it
  std::uint64_t scratch_bytes = 0; // per work-item
  std::uint32_t dynamic_lds_bytes = 0;
  std::uint32_t spilled_vgprs = 0;
  std::uint32_t spilled_sgprs = 0;
  std::uint32_t max_workgroup_size = 0; // work-items
};

KernelResources resources_of(const Kernel& kernel);

enum class Scratch { refused, allowed };

// The gate between compiler and cache: `file` is a code object for exactly `target`, holds the kernel `symbol`, and
// unless scratch is allowed that kernel uses none and spills no vector register. (Kernels count memory instructions to
// know what has arrived; the traffic of a spill upsets the count and with it the results.) Spilled scalar registers are
// fine as long as they need no scratch: they live in lanes of a vector register.
// Fails with internal for a wrong target or a missing symbol, with compile_failed for scratch or spills.
Result<CodeObject> check_compiled(std::span<const std::byte> file, const TargetId& target, std::string_view symbol,
                                  Scratch scratch = Scratch::refused);

} // namespace hk::codeobj
