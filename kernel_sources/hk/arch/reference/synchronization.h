#pragma once
// Waits and barriers: there is nothing to wait for.

namespace hk::reference {

struct Synchronization {
  template <int Instructions>
  static void wait_until_at_most() {}
  static void synchronize_waves() {}
};

} // namespace hk::reference
