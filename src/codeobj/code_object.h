#pragma once
// CodeObject: everything that a loader, a simulator or a check wants to know about one AMDGPU code object.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "codeobj/elf.h"
#include "codeobj/kernel_descriptor.h"
#include "codeobj/metadata.h"
#include "codeobj/target_id.h"

namespace hk::codeobj {

struct Kernel {
  KernelMetadata metadata;
  KernelDescriptor descriptor;
  std::uint64_t descriptor_address = 0; // virtual address in the loaded image
  std::uint64_t entry_address = 0;      // of the first instruction; inside an executable segment
};

struct CodeObject {
  std::vector<std::byte> image; // the ELF file; offsets in `elf` count from its start
  ElfImage elf;
  TargetId target;             // from the ELF flags; the metadata, where it names a target, says the same
  int version = 0;             // code-object version: 4, 5 or 6
  Metadata metadata;           // metadata.kernels is empty: its elements were moved into `kernels`
  std::vector<Kernel> kernels; // in metadata order

  // The kernel of that name (with or without ".kd"), or null.
  [[nodiscard]] const Kernel* find_kernel(std::string_view name) const noexcept;
  // A defined dynamic symbol (device global or kernel descriptor), or null.
  [[nodiscard]] const ElfSymbol* find_symbol(std::string_view name) const noexcept;
  // Bytes of the file behind a program header.
  [[nodiscard]] std::span<const std::byte> segment_bytes(const ElfSegment& segment) const noexcept;
};

// A plain ELF, or an offload bundle with exactly one AMD GPU entry. Never crashes, whatever the bytes.
// Fails with load_failed (damaged, or not a loadable V4, V5 or V6 code object) or unsupported (another processor).
Result<CodeObject> parse_code_object(std::span<const std::byte> file);

// The same, but of a bundle the entry that runs on `device` is taken, the most specific one if several do; a plain
// ELF for another target fails with load_failed naming both.
Result<CodeObject> parse_code_object_for(std::span<const std::byte> file, const TargetId& device);

} // namespace hk::codeobj
