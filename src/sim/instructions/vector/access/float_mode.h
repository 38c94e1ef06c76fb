#pragma once
// What the MODE register says about floating-point arithmetic ("CDNA3 ISA", section "Mode register").

#include <cfenv>
#include <cstdint>

namespace hk::sim::vector {

enum class Rounding : std::uint8_t { nearest_even, toward_positive, toward_negative, toward_zero };

struct FloatMode {
  Rounding rounding32 = Rounding::nearest_even; // f32
  Rounding rounding64 = Rounding::nearest_even; // f16 and f64
  bool flush_inputs32 = false;
  bool flush_outputs32 = false;
  bool flush_inputs64 = false; // f16 and f64
  bool flush_outputs64 = false;
  bool ieee = true;
  bool clamp_nan_to_zero = true;       // DX10_CLAMP
  bool overflow_to_max_finite = false; // FP16_OVFL: conversions to f16 and fp8
  bool gpr_index = false;              // s_set_gpr_idx_on: M0 offsets vector register numbers
};

constexpr FloatMode float_mode(std::uint32_t mode_register) {
  FloatMode mode;
  mode.rounding32 = Rounding(mode_register & 3);
  mode.rounding64 = Rounding((mode_register >> 2) & 3);
  mode.flush_inputs32 = (mode_register & (1U << 4)) == 0;
  mode.flush_outputs32 = (mode_register & (1U << 5)) == 0;
  mode.flush_inputs64 = (mode_register & (1U << 6)) == 0;
  mode.flush_outputs64 = (mode_register & (1U << 7)) == 0;
  mode.clamp_nan_to_zero = (mode_register & (1U << 8)) != 0;
  mode.ieee = (mode_register & (1U << 9)) != 0;
  mode.overflow_to_max_finite = (mode_register & (1U << 23)) != 0;
  mode.gpr_index = (mode_register & (1U << 27)) != 0;
  return mode;
}

// Switches the host's rounding for one instruction and back. Only the directed modes, which kernels hardly ever use,
// take this path: the lane loop between construction and destruction is a call through a pointer, so no arithmetic
// moves across it, and nothing outlives the scope.
class ScopedRounding {
 public:
  explicit ScopedRounding(Rounding rounding) : m_previous(std::fegetround()) {
    std::fesetround(host_rounding(rounding));
  }
  ~ScopedRounding() { std::fesetround(m_previous); }
  ScopedRounding(const ScopedRounding&) = delete;
  ScopedRounding& operator=(const ScopedRounding&) = delete;

 private:
  static int host_rounding(Rounding rounding) {
    switch (rounding) {
    case Rounding::toward_positive:
      return FE_UPWARD;
    case Rounding::toward_negative:
      return FE_DOWNWARD;
    case Rounding::toward_zero:
      return FE_TOWARDZERO;
    case Rounding::nearest_even:
      break;
    }
    return FE_TONEAREST;
  }

  int m_previous;
};

} // namespace hk::sim::vector
