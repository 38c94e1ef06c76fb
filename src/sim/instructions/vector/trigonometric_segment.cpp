// v_trig_preop_f64: a segment of 2/pi for the reduction of large angles.

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "sim/instructions/vector/access/lane_operation.h"

namespace hk::sim {

using namespace vector;

namespace {

// The 1201 bits of 2/pi behind the binary point that the hardware holds, the highest first; the last 15 are padding.
constexpr unsigned k_bits = 1201;
constexpr std::array<std::uint32_t, 38> k_two_over_pi = {
    0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561,
    0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484,
    0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f,
    0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b,
    0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b0000};

std::uint64_t bit_at(unsigned position) {
  return position < k_bits ? (k_two_over_pi[position / 32] >> (31 - position % 32)) & 1U : 0U;
}

// 53 bits of 2/pi from bit 53 * segment on, moved along for angles whose own bits start above that, with their weight.
// Angles of 2^945 and more give a segment scaled by 2^128, so that it does not become denormal.
double two_over_pi_segment(double angle, std::uint32_t segment) {
  const int exponent = int((std::bit_cast<std::uint64_t>(angle) >> 52) & 0x7ff);
  unsigned shift = (segment & 31) * 53;
  if (exponent > 1077)
    shift += unsigned(exponent - 1077);
  std::uint64_t bits = 0;
  for (unsigned i = 0; i < 53; ++i)
    bits = (bits << 1) | bit_at(shift + i);
  return std::ldexp(double(bits), -53 - int(shift) + (exponent >= 1968 ? 128 : 0));
}

} // namespace

void register_trigonometric_segment(OperationTable& table) {
  add_lane_operation<Exact<F64>(F64, U32)>(
      table, "v_trig_preop_f64", [](double angle, auto segment) { return two_over_pi_segment(angle, segment); });
}

} // namespace hk::sim
