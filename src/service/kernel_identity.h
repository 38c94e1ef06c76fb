#pragma once
// KernelIdentity: a spec as a few numbers, so that finding a loaded kernel compares integers and touches no string.

#include <array>
#include <cstddef>
#include <cstdint>

namespace hk::service {

// The operations decide what the words mean; words[0] names the operation, so two operations never collide.
struct KernelIdentity {
  std::array<std::uint64_t, 4> words{};

  bool operator==(const KernelIdentity&) const = default;

  // Multiplicative mixing (the constant is 2^64 divided by the golden ratio).
  [[nodiscard]] std::size_t hash() const noexcept {
    std::uint64_t mixed = 0;
    for (const std::uint64_t word : words)
      mixed = (mixed ^ word ^ mixed >> 29) * 0x9e3779b97f4a7c15U;
    return static_cast<std::size_t>(mixed ^ mixed >> 32);
  }
};

struct KernelIdentityHash {
  std::size_t operator()(const KernelIdentity& identity) const noexcept { return identity.hash(); }
};

} // namespace hk::service
