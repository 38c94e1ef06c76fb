// Conversions to normalised integers (-1..1 and 0..1 as the full range of 16 bits) and packing of saturated integers.

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "sim/instructions/vector/access/lane_operation.h"
#include "sim/instructions/vector/access/saturate.h"

namespace hk::sim {

using namespace vector;

namespace {

// NaN becomes 0; the product is rounded to nearest even.
std::uint32_t signed_normal(float x) {
  const double limited = x == x ? std::clamp(double(x), -1.0, 1.0) : 0.0;
  return std::uint32_t(std::int32_t(std::nearbyint(limited * 32767.0))) & 0xffffU;
}
std::uint32_t unsigned_normal(float x) {
  const double limited = x == x ? std::clamp(double(x), 0.0, 1.0) : 0.0;
  return std::uint32_t(std::nearbyint(limited * 65535.0));
}

template <typename Source>
void add_packed_normals(OperationTable& table, const std::string& type) {
  add_lane_operation<U32(Source, Source)>(table, "v_cvt_pknorm_i16_" + type,
                                          [](float a, float b) { return signed_normal(a) | (signed_normal(b) << 16); });
  add_lane_operation<U32(Source, Source)>(table, "v_cvt_pknorm_u16_" + type, [](float a, float b) {
    return unsigned_normal(a) | (unsigned_normal(b) << 16);
  });
}

} // namespace

void register_convert_normalized(OperationTable& table) {
  add_packed_normals<F32>(table, "f32");
  add_packed_normals<F16>(table, "f16");
  add_lane_operation<U16(F16)>(table, "v_cvt_norm_i16_f16", [](float x) { return std::uint16_t(signed_normal(x)); });
  add_lane_operation<U16(F16)>(table, "v_cvt_norm_u16_f16", [](float x) { return std::uint16_t(unsigned_normal(x)); });

  add_lane_operation<U32(I32, I32)>(table, "v_cvt_pk_i16_i32", [](auto a, auto b) {
    return std::uint32_t(std::uint16_t(saturate<std::int16_t>(a))) |
           (std::uint32_t(std::uint16_t(saturate<std::int16_t>(b))) << 16);
  });
  add_lane_operation<U32(U32, U32)>(table, "v_cvt_pk_u16_u32", [](auto a, auto b) {
    return std::uint32_t(saturate<std::uint16_t>(a)) | (std::uint32_t(saturate<std::uint16_t>(b)) << 16);
  });
  add_lane_operation<U16(U32)>(table, "v_sat_pk_u8_i16", [](auto a) {
    const std::uint32_t low = saturate<std::uint8_t>(std::int16_t(a & 0xffff));
    const std::uint32_t high = saturate<std::uint8_t>(std::int16_t(a >> 16));
    return std::uint16_t(low | (high << 8));
  });
}

} // namespace hk::sim
