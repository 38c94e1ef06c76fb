#pragma once
// Reading and writing of numbers of 4 to 32 bits, for the conversions that scale, saturate or round stochastically.

#include <cstdint>

namespace hk::sim::vector {

enum class Special : std::uint8_t {
  ieee,       // infinities and NaNs
  all_ones,   // no infinity; the code with all ones is NaN (OCP E4M3)
  minus_zero, // no infinity, no -0; its code is NaN (FNUZ)
  none,       // every code is a number (OCP fp6, fp4)
};

struct NumberFormat {
  unsigned exponent_bits;
  unsigned mantissa_bits;
  int bias;
  Special special;

  [[nodiscard]] constexpr unsigned bits() const { return 1 + exponent_bits + mantissa_bits; }
};

constexpr NumberFormat k_f32{8, 23, 127, Special::ieee};
constexpr NumberFormat k_f16{5, 10, 15, Special::ieee};
constexpr NumberFormat k_bf16{8, 7, 127, Special::ieee};
constexpr NumberFormat k_fp8{4, 3, 7, Special::all_ones};         // OCP E4M3, gfx950
constexpr NumberFormat k_bf8{5, 2, 15, Special::ieee};            // OCP E5M2, gfx950
constexpr NumberFormat k_fp8_fnuz{4, 3, 8, Special::minus_zero};  // gfx942
constexpr NumberFormat k_bf8_fnuz{5, 2, 16, Special::minus_zero}; // gfx942
constexpr NumberFormat k_fp6{2, 3, 1, Special::none};             // OCP E2M3
constexpr NumberFormat k_bf6{3, 2, 3, Special::none};             // OCP E3M2
constexpr NumberFormat k_fp4{2, 1, 1, Special::none};             // OCP E2M1

// The value of a code; exact.
double read_number(const NumberFormat& format, std::uint32_t code);

struct WriteOptions {
  bool saturate = false;    // overflow of a finite value gives the largest finite one instead of infinity or NaN
  bool stochastic = false;  // add random bits below the last place and truncate, instead of nearest even
  std::uint32_t random = 0; // its uppermost bits are used, as many as
  unsigned random_bits = 0; // this says
};

// The code for a value. Formats without NaN turn it into their largest magnitude, and always saturate.
std::uint32_t write_number(const NumberFormat& format, double value, const WriteOptions& options);

} // namespace hk::sim::vector
