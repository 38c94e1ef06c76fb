#include "sim/instructions/vector/access/output_modifiers.h"

namespace hk::sim::vector {

namespace {

struct Output {
  double factor = 1.0;
  bool clamp = false;
  bool clamp_nan = false;
  bool flush = false;

  [[nodiscard]] bool changes() const { return factor != 1.0 || clamp || flush; }
  [[nodiscard]] bool only_flushes() const { return flush && factor == 1.0 && !clamp; }
};

Output output_of(const Modifiers& modifiers, const FloatMode& mode, bool flush) {
  constexpr double factors[4] = {1.0, 2.0, 4.0, 0.5};
  Output output;
  output.factor = flush && !mode.ieee ? factors[modifiers.output_multiplier & 3] : 1.0;
  output.clamp = modifiers.clamp;
  output.clamp_nan = mode.clamp_nan_to_zero;
  output.flush = flush;
  return output;
}

// T is a tag with a floating-point Value; smallest is its smallest normal number.
template <typename T>
T::Bits modify(typename T::Bits bits, const Output& output, double smallest, const FloatMode& mode) {
  double value = T::value(bits);
  if (output.factor != 1.0)
    value = T::value(T::bits(typename T::Value(value * output.factor), mode));
  if (output.clamp) {
    if (value != value)
      value = output.clamp_nan ? 0.0 : value;
    else
      value = value > 0.0 ? (value < 1.0 ? value : 1.0) : 0.0;
  }
  if (output.flush && value > -smallest && value < smallest)
    value *= 0.0;
  return T::bits(typename T::Value(value), mode);
}

template <typename T>
void modify_lanes(typename T::Bits* lanes, const Output& output, double smallest, const FloatMode& mode) {
  for (int lane = 0; lane < k_wave_size; ++lane)
    lanes[lane] = modify<T>(lanes[lane], output, smallest, mode);
}

// What modify() does to f32 where nothing but flushing is asked for: subnormals become zero of their sign, and NaNs
// quiet, as any arithmetic makes them.
void flush_lanes(std::uint32_t* lanes) {
  constexpr std::uint32_t infinity = 0x7f800000U;
  for (int lane = 0; lane < k_wave_size; ++lane) {
    const std::uint32_t bits = lanes[lane];
    const std::uint32_t kept = (bits & infinity) == 0 ? 0x80000000U : ~std::uint32_t{0};
    const std::uint32_t quiet = std::int32_t(bits & 0x7fffffffU) > std::int32_t(infinity) ? 0x00400000U : 0U;
    lanes[lane] = (bits & kept) | quiet;
  }
}

} // namespace

void apply_output_modifiers(std::uint32_t* lanes, Kind kind, const Modifiers& modifiers, const FloatMode& mode) {
  const Output output = output_of(modifiers, mode, kind == Kind::f32 ? mode.flush_outputs32 : mode.flush_outputs64);
  if (!output.changes())
    return;
  if (kind == Kind::f32 && output.only_flushes())
    return flush_lanes(lanes);
  if (kind == Kind::f32)
    modify_lanes<F32>(lanes, output, 0x1p-126, mode);
  else
    modify_lanes<F16>(lanes, output, 0x1p-14, mode);
}

void apply_output_modifiers(std::uint64_t* lanes, const Modifiers& modifiers, const FloatMode& mode) {
  const Output output = output_of(modifiers, mode, mode.flush_outputs64);
  if (output.changes())
    modify_lanes<F64>(lanes, output, 0x1p-1022, mode);
}

} // namespace hk::sim::vector
