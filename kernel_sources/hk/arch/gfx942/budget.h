#pragma once
// What a workgroup may use.

namespace hk::gfx942 {

struct Budget {
  static constexpr int k_shared_bytes = 64 * 1024;

  /// Slots of `slot_bytes` through which a workgroup of `waves` waves streams its tiles: two if that still leaves eight
  /// waves (two per SIMD) on a compute unit, as one workgroup of eight waves or two of fewer.
  static constexpr int shared_slots(int slot_bytes, int waves) {
    const int workgroups = waves >= 8 ? 1 : 2;
    return 2 * slot_bytes * workgroups <= k_shared_bytes ? 2 : 1;
  }

  /// An operand that a wave needs all through the kernel has room in its registers.
  static constexpr bool holds_in_registers(int /*major*/, int /*depth*/) { return true; }
};

} // namespace hk::gfx942
