#pragma once
// Assembles text for gfx942 and gfx950 inside the process, by amd_comgr.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "sim/machine/target.h"

namespace hk::sim::testing {

// The bytes of section .text. Fails with the assembler's messages as detail.
Result<std::vector<std::byte>> assemble(Target target, std::string_view text);

// A loadable code object (ELF), from text with .amdhsa_kernel directives.
Result<std::vector<std::byte>> assemble_code_object(Target target, std::string_view text);

} // namespace hk::sim::testing
