#pragma once
// Waits and barriers.

#include <hk/arch/gfx950/language.h>

namespace hk::gfx950 {

struct Synchronization {
  /// Loads straight into LDS have no destination register for which the compiler could wait; vmcnt counts them.
  template <int Instructions>
  static HK_DEVICE void wait_until_at_most() {
    static_assert(Instructions < 64, "vmcnt has 6 bits");
    // s_waitcnt: vmcnt in bits 3:0 and 15:14, expcnt in 6:4, lgkmcnt in 11:8; all ones do not wait.
    __builtin_amdgcn_s_waitcnt((Instructions & 15) | (Instructions >> 4 << 14) | 0x0f70);
  }

  /// The barrier instruction alone orders nothing: this wave's reads of LDS must have returned before another wave
  /// loads over what they read, and the fences keep the compiler from moving any access across. They name LDS only.
  static HK_DEVICE void synchronize_waves() {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup", "local");
    __builtin_amdgcn_s_waitcnt(0xc07f); // lgkmcnt(0)
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup", "local");
  }
};

} // namespace hk::gfx950
