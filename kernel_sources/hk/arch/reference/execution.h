#pragma once
// Who am I: lane, wave, workgroup. On the reference target a workgroup is one wave of one lane.

#include <hk/arch/reference/language.h>
#include <hk/tile/coordinate.h>
#include <hk/tile/integers.h>

namespace hk::reference {

inline thread_local int32 t_workgroup = 0;

/// Calls `kernel` once per workgroup.
template <class Kernel>
void run_workgroups(int32 count, const Kernel& kernel) {
  for (t_workgroup = 0; t_workgroup < count; ++t_workgroup)
    kernel();
}

struct Execution {
  static constexpr int k_lanes = 1;
  /// The other order than AMD's, so that generic code is exercised in both.
  static constexpr CacheSharing k_cache_sharing = CacheSharing::contiguous;

  /// Waves that a workgroup configured for `configured` waves really has.
  static constexpr int waves_in_workgroup(int /*configured*/) { return 1; }
  static int lane() { return 0; }
  static int wave() { return 0; }
  static int32 workgroup() { return t_workgroup; }
  static int32 opaque(int32 x) { return x; }
  static bool any_lane(bool condition) { return condition; }
};

} // namespace hk::reference
