#pragma once
// What a workgroup may use.

namespace hk::reference {

struct Budget {
  static constexpr int k_shared_bytes = 1 << 20;

  /// Slots of `slot_bytes` through which a workgroup streams its tiles. Two, so that the slots really alternate.
  static constexpr int shared_slots(int /*slot_bytes*/, int /*waves*/) { return 2; }

  /// An operand that a wave needs all through the kernel has room in its registers.
  static constexpr bool holds_in_registers(int /*major*/, int /*depth*/) { return true; }
};

} // namespace hk::reference
