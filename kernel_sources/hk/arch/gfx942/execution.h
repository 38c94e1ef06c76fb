#pragma once
// Who am I: lane, wave, workgroup.

#include <hk/arch/gfx942/language.h>
#include <hk/tile/coordinate.h>
#include <hk/tile/integers.h>

namespace hk::gfx942 {

struct Execution {
  static constexpr int k_lanes = 64;
  /// Workgroups are handed to the compute dies (XCDs) in turn, and each has its own L2.
  static constexpr CacheSharing k_cache_sharing = CacheSharing::strided;

  static constexpr int waves_in_workgroup(int configured) { return configured; }
  static HK_DEVICE int thread() { return static_cast<int>(__builtin_amdgcn_workitem_id_x()); }
  /// thread() in a workgroup of `Waves` waves. The remainder says so to the compiler, which HK_LAUNCH_BOUNDS may have
  /// told of larger workgroups, and addresses of whole tiles become sums of disjoint bits.
  template <int Waves>
  static HK_DEVICE int thread_of() {
    return thread() % (Waves * k_lanes);
  }
  static HK_DEVICE int lane() { return thread() % k_lanes; }
  /// Read from one lane, so that the compiler knows it to be uniform and keeps what depends on it in scalar registers.
  static HK_DEVICE int wave() { return __builtin_amdgcn_readfirstlane(thread() / k_lanes); }
  static HK_DEVICE int32 workgroup() { return static_cast<int32>(__builtin_amdgcn_workgroup_id_x()); }
  /// The same value, of which the compiler knows nothing: what depends on it is computed here and not ahead of a loop.
  static HK_DEVICE int32 opaque(int32 x) {
    asm volatile("" : "+v"(x));
    return x;
  }
  static HK_DEVICE bool any_lane(bool condition) { return __builtin_amdgcn_ballot_w64(condition) != 0; }
};

} // namespace hk::gfx942
