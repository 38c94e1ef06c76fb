#pragma once
// Target ids: which processor and which of its modes a code object is for, e.g. "gfx942:sramecc+:xnack-". NVIDIA's
// have no modes: "sm_90".
// Source of the syntax and of the ELF flag values: LLVM, "User Guide for AMDGPU Backend", sections Target ID and
// ELF Code Object, table "AMDGPU ELF Header e_flags for Code Object V4 and After".

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"
#include "codeobj/processor.h"

namespace hk::codeobj {

// Numbers are those of the two-bit e_flags fields minus one.
enum class FeatureSetting : std::uint8_t {
  any = 0, // not written in the id: the code runs under either setting
  off = 1, // "-"
  on = 2,  // "+"
};

struct TargetId {
  std::string processor; // "gfx942"
  FeatureSetting sramecc = FeatureSetting::any;
  FeatureSetting xnack = FeatureSetting::any;

  // Canonical form: features in alphabetical order, those with setting `any` left out.
  [[nodiscard]] std::string to_string() const;
  bool operator==(const TargetId&) const = default;
};

// Parses "sm_90", "gfx942", "gfx942:sramecc+:xnack-" (features in any order, each at most once), also behind the triple
// "amdgcn-amd-amdhsa--" that metadata and bundle entries carry. Fails with invalid_argument.
Result<TargetId> parse_target_id(std::string_view text);

// Processors that the project compiles for; others are refused before a compiler sees them, because compilers have
// crashed on processors they do not know.
[[nodiscard]] bool is_supported_processor(std::string_view processor);

// parse_target_id, then UNSUPPORTED (naming what is supported) if the processor is not on the list.
Result<TargetId> parse_supported_target_id(std::string_view text);

// Of any target, listed or not.
[[nodiscard]] Platform platform_of(const TargetId& target);

// e_flags of a code object V4, V5 or V6 for this target. Fails with unsupported for a processor
// that is not listed or not AMD's.
Result<std::uint32_t> elf_flags(const TargetId& target);
// Inverse of elf_flags; the generic-version byte of V6 must be zero.
Result<TargetId> target_id_from_elf_flags(std::uint32_t flags);

// Whether code built for `object` may run on a device whose id is `device`: same processor, and every feature that
// the code fixes has the device's setting.
[[nodiscard]] bool runs_on(const TargetId& object, const TargetId& device);

} // namespace hk::codeobj
