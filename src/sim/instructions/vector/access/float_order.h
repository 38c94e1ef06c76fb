#pragma once
// Minimum and maximum of floating-point bits as the hardware orders them, NaN kinds and signed zeros included.

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace hk::sim::vector {

// Layout of an IEEE format stored in the low bits of `Bits`.
template <typename BitsType, BitsType sign_bit, BitsType infinity_bits, BitsType quiet_bit>
struct FloatLayout {
  using Bits = BitsType;
  static constexpr Bits sign = sign_bit;
  static constexpr Bits infinity = infinity_bits;
  static constexpr Bits quiet = quiet_bit;

  static bool is_nan(Bits a) { return (a & ~sign) > infinity; }
  static bool is_signalling(Bits a) { return is_nan(a) && (a & quiet) == 0; }
  // The same as all ones or zero.
  static Bits nan_mask(Bits a) {
    return Bits(std::make_signed_t<Bits>(infinity - (a & ~sign)) >> (std::numeric_limits<Bits>::digits - 1));
  }
  static Bits signalling_mask(Bits a) { return nan_mask(a) & (((a / quiet) & 1) - 1); }
  static bool is_zero(Bits a) { return (a & ~sign) == 0; }
  // Integers that compare like the numbers, with -0 below +0.
  static std::make_signed_t<Bits> order(Bits a) {
    using Signed = std::make_signed_t<Bits>;
    const Signed top = Signed(a << std::countl_zero(sign));
    return top ^ Signed(Bits(top >> (std::numeric_limits<Bits>::digits - 1)) >> 1);
  }
};

using HalfLayout = FloatLayout<std::uint32_t, 0x8000U, 0x7c00U, 0x0200U>;
using FloatLayout32 = FloatLayout<std::uint32_t, 0x80000000U, 0x7f800000U, 0x00400000U>;
using FloatLayout64 =
    FloatLayout<std::uint64_t, std::uint64_t{1} << 63, std::uint64_t{0x7ff} << 52, std::uint64_t{1} << 51>;

// mask ? a : b for masks of all ones or zero. As a chain of ?: these selections become branches in GCC, and the lane
// loop around them is then no vector code.
template <typename Bits>
Bits pick(Bits mask, Bits a, Bits b) {
  return (a & mask) | (b & ~mask);
}

// V_MIN and V_MAX: a NaN gives way to a number; under MODE.IEEE a signalling NaN wins and becomes quiet; -0 < +0.
template <typename Layout, bool maximum>
Layout::Bits select_number(bool ieee, typename Layout::Bits a, typename Layout::Bits b) {
  using Bits = Layout::Bits;
  const bool a_first = maximum ? Layout::order(a) >= Layout::order(b) : Layout::order(a) < Layout::order(b);
  const Bits ieee_mask = Bits(0) - Bits(ieee);
  Bits result = a_first ? a : b;
  result = pick<Bits>(Layout::nan_mask(b), a, result);
  result = pick<Bits>(Layout::nan_mask(a), b, result);
  result = pick<Bits>(ieee_mask & Layout::signalling_mask(b), b | Layout::quiet, result);
  return pick<Bits>(ieee_mask & Layout::signalling_mask(a), a | Layout::quiet, result);
}

// V_MINIMUM and V_MAXIMUM (IEEE 754-2019): a NaN wins; -0 < +0.
template <typename Layout, bool maximum>
Layout::Bits select_or_nan(typename Layout::Bits a, typename Layout::Bits b) {
  using Bits = Layout::Bits;
  const bool a_first = maximum ? Layout::order(a) >= Layout::order(b) : Layout::order(a) < Layout::order(b);
  const Bits result = pick<Bits>(Layout::nan_mask(b), b | Layout::quiet, a_first ? a : b);
  return pick<Bits>(Layout::nan_mask(a), a | Layout::quiet, result);
}

// V_MED3: the smallest of the three if one is NaN; else the largest of the two that remain without the largest.
template <typename Layout>
Layout::Bits select_middle(bool ieee, typename Layout::Bits a, typename Layout::Bits b, typename Layout::Bits c) {
  const auto smaller = [ieee](auto x, auto y) { return select_number<Layout, false>(ieee, x, y); };
  const auto larger = [ieee](auto x, auto y) { return select_number<Layout, true>(ieee, x, y); };
  const auto equal = [](auto x, auto y) { return x == y || (Layout::is_zero(x) && Layout::is_zero(y)); };
  const auto largest = larger(larger(a, b), c);
  const auto without_largest = equal(largest, a) ? larger(b, c) : equal(largest, b) ? larger(a, c) : larger(a, b);
  const bool any_nan = Layout::is_nan(a) || Layout::is_nan(b) || Layout::is_nan(c);
  return any_nan ? smaller(smaller(a, b), c) : without_largest;
}

} // namespace hk::sim::vector
