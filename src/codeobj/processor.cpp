#include "codeobj/processor.h"

#include <algorithm>
#include <array>

namespace hk::codeobj {
namespace {

// sm_90a: code for exactly compute capability 9.0, which may use all that it has.
constexpr std::array<Processor, 6> k_processors = {{
    {"gfx942", Platform::amd, "gfx942", "gfx942", 0x4c, 64},
    {"gfx950", Platform::amd, "gfx950", "gfx950", 0x4f, 64},
    {"sm_80", Platform::nvidia, "sm80", "sm_80", 80, 32},
    {"sm_86", Platform::nvidia, "sm80", "sm_86", 86, 32},
    {"sm_89", Platform::nvidia, "sm80", "sm_89", 89, 32},
    {"sm_90", Platform::nvidia, "sm80", "sm_90a", 90, 32},
}};

} // namespace

std::span<const Processor> processors() {
  return k_processors;
}

const Processor* find_processor(std::string_view name) {
  const auto* const found = std::find_if(k_processors.begin(), k_processors.end(),
                                         [name](const Processor& processor) { return processor.name == name; });
  return found == k_processors.end() ? nullptr : found;
}

} // namespace hk::codeobj
