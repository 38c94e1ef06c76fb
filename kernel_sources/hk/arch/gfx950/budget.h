#pragma once
// What a workgroup may use.

namespace hk::gfx950 {

struct Budget {
  static constexpr int k_shared_bytes = 160 * 1024;

  /// Slots of `slot_bytes` through which a workgroup of `waves` waves streams its tiles. A load goes straight into its
  /// slot, so the next tile always needs one of its own while this one is read.
  static constexpr int shared_slots(int /*slot_bytes*/, int /*waves*/) { return 2; }

  /// An operand that a wave needs all through the kernel has room in its registers.
  static constexpr bool holds_in_registers(int /*major*/, int /*depth*/) { return true; }
};

} // namespace hk::gfx950
