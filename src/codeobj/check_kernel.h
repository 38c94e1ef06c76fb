#pragma once
// The gate between compiler and cache, and between cache and device, for code objects of every platform.

#include <cstddef>
#include <span>
#include <string_view>

#include "base/status.h"
#include "codeobj/inspect.h"
#include "codeobj/target_id.h"

namespace hk::codeobj {

// `file` is code for exactly `target`, holds the kernel `symbol`, and unless scratch (NVIDIA: local memory) is allowed
// that kernel uses none. Gives what the kernel needs. Fails with load_failed for a damaged file, with internal for a
// wrong target or a missing symbol, with compile_failed for scratch or spills.
Result<KernelResources> check_kernel(std::span<const std::byte> file, const TargetId& target, std::string_view symbol,
                                     Scratch scratch = Scratch::refused);

} // namespace hk::codeobj
