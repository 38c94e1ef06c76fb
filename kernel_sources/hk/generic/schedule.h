#pragma once
// The order in which a workgroup streams tiles through shared memory.

#include <hk/tile/staging.h>

namespace hk {

/// Runs `steps` steps of a loop whose step i loads Slot i and computes on it, then the epilogue. All waves of the
/// workgroup call it with the same `steps`.
///
///   load.prefetch(step, slot) -> pending     starts to fill the slot
///   load.deposit(pending, slot)              completes it (see hk/tile/staging.h for what the two may assume)
///   compute(step, slot)                      reads the slot; may do nothing
///   epilogue()                               runs after the last step
///
/// The load of step i + 1 is in flight during the computation of step i. With two slots that costs one barrier per
/// step: publishing step i also proves that everyone has finished step i - 1, whose slot is the one prefetched next.
/// With one slot the loaded data wait in registers, and a second barrier frees the slot.
///
/// The two slots are two variables and the loop is unrolled over them. One array indexed by step % 2 would be less
/// text, but the compiler could no longer tell the slot being written from the one being read and would drain every
/// load. They are the first Slots * sizeof(Slot) bytes of shared memory.
template <int Slots, class Slot, class Load, class Compute, class Epilogue>
HK_DEVICE void run_schedule(int32 steps, const Load& load, const Compute& compute, const Epilogue& epilogue) {
  static_assert(Slots == 1 || Slots == 2, "one slot or two");
  if (steps > 0) {
    HK_SHARED(Slot, even, 0);
    auto pending = load.prefetch(0, even);
    if constexpr (Slots == 1) {
      for (int32 step = 0; step < steps; ++step) {
        load.deposit(pending, even);
        publish();
        if (step + 1 < steps)
          pending = load.prefetch(step + 1, even);
        compute(step, even);
        release();
      }
    } else {
      HK_SHARED(Slot, odd, sizeof(Slot));
      const auto advance = [&](int32 step, Slot& current, Slot& next) HK_INLINE {
        load.deposit(pending, current);
        publish();
        if (step + 1 < steps)
          pending = load.prefetch(step + 1, next);
        compute(step, current);
      };
      for (int32 step = 0; step < steps; step += 2) {
        advance(step, even, odd);
        if (step + 1 < steps)
          advance(step + 1, odd, even);
      }
    }
  }
  epilogue();
}

} // namespace hk
