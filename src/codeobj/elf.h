#pragma once
// A read-only, bounds-checked picture of an ELF64 file for a GPU: an AMDGPU code object or a cubin. Every offset and
// size in an ElfImage lies inside the file (or inside the loaded image, where said), so users may index without checks
// of their own. Source: LLVM, "User Guide for AMDGPU Backend", section ELF Code Object.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"

namespace hk::codeobj {

struct ElfSection {
  std::string name;
  std::uint32_t type = 0; // SHT_*
  std::uint64_t flags = 0;
  std::uint64_t address = 0;
  std::uint64_t offset = 0; // bytes into the file
  std::uint64_t size = 0;   // bytes; SHT_NOBITS occupies none of the file
  std::uint32_t link = 0;
  std::uint32_t info = 0;
  std::uint64_t entry_size = 0;
};

// One program header. For PT_LOAD: file_size <= memory_size, and virtual_address + memory_size <= k_max_loaded_size.
struct ElfSegment {
  std::uint32_t type = 0;  // PT_*
  std::uint32_t flags = 0; // PF_R, PF_W, PF_X
  std::uint64_t offset = 0;
  std::uint64_t virtual_address = 0;
  std::uint64_t file_size = 0;
  std::uint64_t memory_size = 0;
  std::uint64_t alignment = 0;
};

struct ElfSymbol {
  std::string name;
  std::uint64_t value = 0; // virtual address, not yet checked against the segments
  std::uint64_t size = 0;  // bytes
  std::uint8_t type = 0;   // STT_*
  std::uint8_t binding = 0;
  std::uint8_t visibility = 0;
  std::uint16_t section_index = 0;

  [[nodiscard]] bool is_defined() const noexcept { return section_index != 0; }
};

// R_AMDGPU_*: table "AMDGPU ELF Relocation Records".
enum class RelocationType : std::uint32_t {
  none = 0,
  abs32_low = 1,
  abs32_high = 2,
  abs64 = 3,
  rel32 = 4,
  rel64 = 5,
  abs32 = 6,
  gotpcrel = 7,
  gotpcrel32_low = 8,
  gotpcrel32_high = 9,
  rel32_low = 10,
  rel32_high = 11,
  relative64 = 13,
  rel16 = 14,
};

// A dynamic relocation: applied by the loader to the word at virtual address `address`.
struct ElfRelocation {
  std::uint64_t address = 0;
  RelocationType type = RelocationType::none; // may hold a number that the enumeration does not name
  std::uint32_t symbol_index = 0;             // into ElfImage::dynamic_symbols; 0 = none
  std::int64_t addend = 0;
};

struct ElfNote {
  std::string owner; // "AMDGPU"
  std::uint32_t type = 0;
  std::uint64_t offset = 0; // of the descriptor, bytes into the file
  std::uint64_t size = 0;
};

struct ElfImage {
  std::uint8_t os_abi = 0;
  std::uint8_t abi_version = 0;
  std::uint16_t type = 0; // ET_DYN for what a loader takes
  std::uint32_t flags = 0;
  std::vector<ElfSegment> segments;
  std::vector<ElfSection> sections;
  std::vector<ElfSymbol> dynamic_symbols; // .dynsym, index 0 is the null symbol
  std::vector<ElfSymbol> symbols;         // .symtab, empty when stripped
  std::vector<ElfRelocation> relocations; // of allocated SHT_RELA sections
  std::vector<ElfNote> notes;             // of PT_NOTE segments

  // Size of the loaded image: the end of the highest PT_LOAD, in bytes from address 0.
  [[nodiscard]] std::uint64_t loaded_size() const noexcept;
  // The PT_LOAD segment that holds [address, address + size) in memory, or null.
  [[nodiscard]] const ElfSegment* segment_of(std::uint64_t address, std::uint64_t size) const noexcept;
  // File offset of [address, address + size), nothing unless all of it is backed by the file.
  [[nodiscard]] std::optional<std::uint64_t> file_offset_of(std::uint64_t address, std::uint64_t size) const noexcept;
};

// No kernel comes near; a header that asks for more is damaged, and refusing it keeps loaders from huge allocations.
inline constexpr std::uint64_t k_max_loaded_size = std::uint64_t{1} << 32;

inline constexpr std::uint8_t k_os_abi_amdgpu_hsa = 64;
// ELFABIVERSION_AMDGPU_HSA_V4; V5 is 3, V6 is 4.
inline constexpr std::uint8_t k_abi_version_v4 = 2;

inline constexpr std::uint16_t k_machine_amdgpu = 224; // EM_AMDGPU
inline constexpr std::uint16_t k_machine_cuda = 190;   // EM_CUDA

// Fails with load_failed and a sentence that says which part of the file is damaged, or that it is for another machine.
Result<ElfImage> parse_elf(std::span<const std::byte> file, std::uint16_t machine = k_machine_amdgpu);

} // namespace hk::codeobj
