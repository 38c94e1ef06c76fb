#pragma once
// Processors: what the project compiles for, one row each. Whoever has to know which compiler, which kernel sources or
// how wide a wave is asks here; a new processor is a new row.

#include <cstdint>
#include <span>
#include <string_view>

namespace hk::codeobj {

// Whose tools make and load the code.
enum class Platform : std::uint8_t {
  amd,    // hipRTC, AMDGPU code objects, HIP
  nvidia, // NVRTC, cubins, the CUDA driver API
};

struct Processor {
  std::string_view name;         // "gfx942", "sm_90"
  Platform platform;             // its code objects are of this kind
  std::string_view sources;      // the folder of kernel_sources/hk/arch that is written for it
  std::string_view architecture; // as the compiler calls it
  // amd: EF_AMDGPU_MACH. nvidia: compute capability, ten times the major number plus the minor one.
  std::uint32_t machine;
  std::uint32_t wave_size; // work-items
};

std::span<const Processor> processors();

// Null if it is not listed.
[[nodiscard]] const Processor* find_processor(std::string_view name);

} // namespace hk::codeobj
