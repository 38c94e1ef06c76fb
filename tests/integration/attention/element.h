#pragma once
// The 16-bit element types, written here once more so that a mistake in the library's own conversion shows.

#include <cstdint>

#include "hk/hk.h"

namespace hk::test {

// Exact.
double widen(hk_dtype dtype, std::uint16_t bits);

// To nearest, ties to even; overflow gives infinity.
std::uint16_t narrow(hk_dtype dtype, double value);

// Distance of neighbouring numbers of the dtype at this magnitude.
double ulp_at(hk_dtype dtype, double magnitude);

// A NaN of both types that nothing else produces.
inline constexpr std::uint16_t k_nan_bits = 0x7fff;

} // namespace hk::test
