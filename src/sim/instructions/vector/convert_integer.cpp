// Conversions between integers and floating-point numbers. To integer they truncate, saturate, and take NaN to 0.

#include <cmath>
#include <cstdint>
#include <limits>

#include "sim/instructions/vector/access/lane_operation.h"

namespace hk::sim {

using namespace vector;

namespace {

// Every integer type here is exact in double.
template <typename T>
T to_integer(double x) {
  constexpr double lowest = double(std::numeric_limits<T>::min());
  constexpr double highest = double(std::numeric_limits<T>::max());
  const double limited = x > lowest ? (x < highest ? x : highest) : lowest;
  return x == x ? T(limited) : T(0);
}

void register_to_float(OperationTable& table) {
  // Through double, so that f32 is rounded once and by MODE.
  add_lane_operation<F32(I32)>(table, "v_cvt_f32_i32", [](auto a) { return float(double(a)); });
  add_lane_operation<F32(U32)>(table, "v_cvt_f32_u32", [](auto a) { return float(double(a)); });
  add_lane_operation<Exact<F64>(I32)>(table, "v_cvt_f64_i32", [](auto a) { return double(a); });
  add_lane_operation<Exact<F64>(U32)>(table, "v_cvt_f64_u32", [](auto a) { return double(a); });
  add_lane_operation<F16(I16)>(table, "v_cvt_f16_i16", [](auto a) { return float(a); });
  add_lane_operation<F16(U16)>(table, "v_cvt_f16_u16", [](auto a) { return float(a); });
  add_lane_operation<Exact<F32>(U32)>(table, "v_cvt_f32_ubyte0", [](auto a) { return float(a & 0xff); });
  add_lane_operation<Exact<F32>(U32)>(table, "v_cvt_f32_ubyte1", [](auto a) { return float((a >> 8) & 0xff); });
  add_lane_operation<Exact<F32>(U32)>(table, "v_cvt_f32_ubyte2", [](auto a) { return float((a >> 16) & 0xff); });
  add_lane_operation<Exact<F32>(U32)>(table, "v_cvt_f32_ubyte3", [](auto a) { return float(a >> 24); });
  // A signed 4-bit number in sixteenths.
  add_lane_operation<Exact<F32>(U32)>(table, "v_cvt_off_f32_i4",
                                      [](auto a) { return float(std::int32_t(a << 28) >> 28) * 0.0625F; });
}

void register_to_integer(OperationTable& table) {
  add_lane_operation<I32(F32)>(table, "v_cvt_i32_f32", [](float x) { return to_integer<std::int32_t>(x); });
  add_lane_operation<U32(F32)>(table, "v_cvt_u32_f32", [](float x) { return to_integer<std::uint32_t>(x); });
  add_lane_operation<I32(F64)>(table, "v_cvt_i32_f64", [](double x) { return to_integer<std::int32_t>(x); });
  add_lane_operation<U32(F64)>(table, "v_cvt_u32_f64", [](double x) { return to_integer<std::uint32_t>(x); });
  add_lane_operation<I16(F16)>(table, "v_cvt_i16_f16", [](float x) { return to_integer<std::int16_t>(x); });
  add_lane_operation<U16(F16)>(table, "v_cvt_u16_f16", [](float x) { return to_integer<std::uint16_t>(x); });
  // Round half up, and floor.
  add_lane_operation<I32(F32)>(table, "v_cvt_rpi_i32_f32",
                               [](float x) { return to_integer<std::int32_t>(std::floor(double(x) + 0.5)); });
  add_lane_operation<I32(F32)>(table, "v_cvt_flr_i32_f32",
                               [](float x) { return to_integer<std::int32_t>(std::floor(double(x))); });

  const auto insert_byte = [](float x, std::uint32_t byte, std::uint32_t old) {
    const std::uint32_t shift = (byte & 3) * 8;
    return (old & ~(0xffU << shift)) | (std::uint32_t(to_integer<std::uint8_t>(x)) << shift);
  };
  add_lane_operation<U32(F32, U32, U32)>(table, "v_cvt_pk_u8_f32", insert_byte);
  add_lane_operation<U32(F32, U32, Destination<U32>)>(table, "v_cvt_pkaccum_u8_f32", insert_byte);
}

} // namespace

void register_convert_integer(OperationTable& table) {
  register_to_float(table);
  register_to_integer(table);
}

} // namespace hk::sim
