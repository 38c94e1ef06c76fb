#pragma once
// Waits and barriers.

#include <hk/arch/sm80/language.h>

namespace hk::sm80 {

struct Synchronization {
  /// Waits until at most `Groups` of the cp.async groups that this thread has committed are unfinished; the oldest
  /// finish first.
  template <int Groups>
  static HK_DEVICE void wait_until_at_most() {
    asm volatile("cp.async.wait_group %0;" ::"n"(Groups) : "memory");
  }

  /// The barrier orders all accesses to shared memory of its threads, those of cp.async once they have been waited for.
  static HK_DEVICE void synchronize_waves() { __syncthreads(); }
};

} // namespace hk::sm80
