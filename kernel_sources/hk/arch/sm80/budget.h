#pragma once
// What a workgroup may use.

namespace hk::sm80 {

struct Budget {
  /// Of an A100's 164 KiB one is the system's. sm_90 has 227, of which this is a part.
  static constexpr int k_shared_bytes = 163 * 1024;

  /// Slots of `slot_bytes` through which a workgroup of `waves` waves streams its tiles. A load goes straight into its
  /// slot, so the next tile always needs one of its own while this one is read.
  static constexpr int shared_slots(int /*slot_bytes*/, int /*waves*/) { return 2; }

  /// Whether a wave keeps `major` x `depth` elements in registers all through the kernel: if they take no more than 32
  /// of a lane's 255.
  static constexpr bool holds_in_registers(int major, int depth) { return major * depth / 2 / 32 <= 32; }
};

} // namespace hk::sm80
