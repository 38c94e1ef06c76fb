#pragma once
// Dynamic relocations of a code object, applied to its copy in device memory.

#include <cstddef>
#include <cstdint>
#include <span>

#include "codeobj/elf.h"
#include "sim/runtime/error.h"

namespace hk::sim {

// `image`: the loaded bytes, virtual address 0 first; `base`: device address of virtual address 0.
// Source of the calculations: LLVM, "User Guide for AMDGPU Backend", table "AMDGPU ELF Relocation Records".
// Fails with invalid_image, naming the relocation, if its type or symbol cannot be resolved.
Error apply_relocations(const codeobj::ElfImage& elf, std::span<std::byte> image, std::uint64_t base);

} // namespace hk::sim
