#pragma once
// Waits and barriers.

#include <hk/arch/gfx942/language.h>

namespace hk::gfx942 {

struct Synchronization {
  /// Prefetched data are in registers, for which the compiler counts and waits.
  template <int Instructions>
  static HK_DEVICE void wait_until_at_most() {}

  /// The barrier instruction alone orders nothing: the fences make this wave's LDS accesses complete before it and keep
  /// the compiler from moving any across it. They name LDS only, so that loads from global memory stay in flight.
  static HK_DEVICE void synchronize_waves() {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup", "local");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup", "local");
  }
};

} // namespace hk::gfx942
