#pragma once
// Clang offload bundles: several code objects, one per target, in one file.
// Source: Clang documentation, "Clang Offload Bundler", section Bundled Binary File Layout.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"

namespace hk::codeobj {

struct BundleEntry {
  std::string kind;         // "host", "hip", "hipv4", "openmp"
  std::string target;       // "gfx942:sramecc+:xnack-" for AMD GPUs, the triple for the host entry
  std::uint64_t offset = 0; // bytes into the bundle
  std::uint64_t size = 0;   // bytes

  [[nodiscard]] bool is_amdgpu() const noexcept { return target.starts_with("gfx"); }
};

[[nodiscard]] bool is_offload_bundle(std::span<const std::byte> bytes);

// Fails with load_failed for damaged bundles, with unsupported for compressed ones ("CCOB").
Result<std::vector<BundleEntry>> parse_offload_bundle(std::span<const std::byte> bytes);

} // namespace hk::codeobj
