#pragma once
// Who am I: lane, wave, workgroup. A wave is a warp, a workgroup a thread block.

#include <hk/arch/sm80/language.h>
#include <hk/tile/coordinate.h>
#include <hk/tile/integers.h>

namespace hk::sm80 {

struct Execution {
  static constexpr int k_lanes = 32;
  static constexpr CacheSharing k_cache_sharing = CacheSharing::contiguous;
  static constexpr uint32 k_all_lanes = 0xffffffffu;

  static constexpr int waves_in_workgroup(int configured) { return configured; }
  static HK_DEVICE int thread() { return static_cast<int>(threadIdx.x); }
  /// thread() in a group of `Waves` waves; with 1, the lane.
  template <int Waves>
  static HK_DEVICE int thread_of() {
    return thread() % (Waves * k_lanes);
  }
  static HK_DEVICE int lane() { return thread() % k_lanes; }
  /// Read from one lane, so that the compiler knows it to be uniform.
  static HK_DEVICE int wave() { return __shfl_sync(k_all_lanes, thread() / k_lanes, 0); }
  static HK_DEVICE int32 workgroup() { return static_cast<int32>(blockIdx.x); }
  /// The same value, of which the compiler knows nothing: what depends on it is computed here and not ahead of a loop.
  static HK_DEVICE int32 opaque(int32 x) {
    asm volatile("" : "+r"(x));
    return x;
  }
  static HK_DEVICE bool any_lane(bool condition) { return __any_sync(k_all_lanes, condition) != 0; }
};

} // namespace hk::sm80
