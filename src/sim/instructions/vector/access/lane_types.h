#pragma once
// How an operation sees the bits of one lane. An operation is registered with a signature such as F32(F32, U32): the
// tags below say how each source is fetched and how the result is stored.

#include <bit>
#include <cstdint>
#include <type_traits>

#include "sim/instructions/vector/access/float_mode.h"
#include "sim/instructions/vector/access/narrow_float.h"

namespace hk::sim::vector {

// What the operand layer must know: the width, where the sign is, how constants and denormals are treated.
enum class Kind : std::uint8_t { u16, i16, f16, bf16, u32, i32, f32, u64, i64, f64 };

constexpr bool is_float(Kind kind) {
  return kind == Kind::f16 || kind == Kind::bf16 || kind == Kind::f32 || kind == Kind::f64;
}
constexpr bool is_half_word(Kind kind) {
  return kind == Kind::u16 || kind == Kind::i16 || kind == Kind::f16 || kind == Kind::bf16;
}
constexpr bool is_double_word(Kind kind) {
  return kind == Kind::u64 || kind == Kind::i64 || kind == Kind::f64;
}

// Where a 16-bit result goes. Most 16-bit operations of GFX9 clear the upper half; the newer ones keep the other half
// (LLVM: GCNSubtarget::zeroesHigh16BitsOfDest).
enum class HalfStore : std::uint8_t { clear_high, keep_high, keep_low };

struct ResultTraits {
  Kind kind = Kind::u32;
  HalfStore half_store = HalfStore::clear_high;
  bool rounds = false; // the host's rounding must follow MODE while the lanes are computed
};

template <typename Integer, Kind k>
struct IntegerTag {
  using Bits = std::uint32_t;
  using Value = Integer;
  static constexpr Kind kind = k;
  static constexpr ResultTraits result{k, HalfStore::clear_high, false};
  static Value value(Bits bits) { return Value(bits); }
  static Bits bits(Value value, const FloatMode&) { return std::make_unsigned_t<Integer>(value); }
};

using U16 = IntegerTag<std::uint16_t, Kind::u16>;
using I16 = IntegerTag<std::int16_t, Kind::i16>;
using U32 = IntegerTag<std::uint32_t, Kind::u32>;
using I32 = IntegerTag<std::int32_t, Kind::i32>;

template <typename Integer, Kind k>
struct WideIntegerTag : IntegerTag<Integer, k> {
  using Bits = std::uint64_t;
  static Integer value(Bits bits) { return Integer(bits); }
  static Bits bits(Integer value, const FloatMode&) { return Bits(value); }
};

using U64 = WideIntegerTag<std::uint64_t, Kind::u64>;
using I64 = WideIntegerTag<std::int64_t, Kind::i64>;

struct F32 {
  using Bits = std::uint32_t;
  using Value = float;
  static constexpr Kind kind = Kind::f32;
  static constexpr ResultTraits result{Kind::f32, HalfStore::clear_high, true};
  static Value value(Bits bits) { return std::bit_cast<float>(bits); }
  static Bits bits(Value value, const FloatMode&) { return std::bit_cast<Bits>(value); }
};

struct F64 {
  using Bits = std::uint64_t;
  using Value = double;
  static constexpr Kind kind = Kind::f64;
  static constexpr ResultTraits result{Kind::f64, HalfStore::clear_high, true};
  static Value value(Bits bits) { return std::bit_cast<double>(bits); }
  static Bits bits(Value value, const FloatMode&) { return std::bit_cast<Bits>(value); }
};

// An f16 lane as the float of the same value. f32 has more than twice the digits of f16, so one operation of + - * /
// and square root in f32 followed by the rounding to f16 equals the operation in f16.
struct F16 {
  using Bits = std::uint32_t;
  using Value = float;
  static constexpr Kind kind = Kind::f16;
  static constexpr ResultTraits result{Kind::f16, HalfStore::clear_high, true};
  static Value value(Bits bits) { return half_to_float(bits & 0xffffU); }
  static Bits bits(Value value, const FloatMode& mode) {
    return float_to_half(value, mode.rounding64, mode.overflow_to_max_finite);
  }
};

// F16 under the usual MODE: rounding to nearest.
template <typename T>
struct NearestHalf : T {
  static std::uint32_t bits(float value, const FloatMode& mode) {
    return float_to_half_nearest(value, mode.overflow_to_max_finite);
  }
};

// A bf16 lane as the float of the same value; only sources have this type.
struct BF16 {
  using Bits = std::uint32_t;
  using Value = float;
  static constexpr Kind kind = Kind::bf16;
  static Value value(Bits bits) { return bfloat16_to_float(bits & 0xffffU); }
};

// The raw bits of a floating-point lane: for operations that look at signs, NaN kinds and payloads. Modifiers and
// denormal flushing are applied as for the value.
template <typename T>
struct Raw : T {
  using Value = T::Bits;
  static constexpr ResultTraits result{T::kind, T::result.half_store, false};
  static Value value(T::Bits bits) { return T::kind == Kind::f16 ? bits & 0xffffU : bits; }
  static T::Bits bits(Value value, const FloatMode&) { return value; }
};

// A result that the MODE rounding does not concern: selections and roundings to integer.
template <typename T>
struct Exact : T {
  static constexpr ResultTraits result{T::kind, T::result.half_store, false};
};

// A 16-bit result that leaves the other half of the register as it was.
template <typename T>
struct Low : T {
  static constexpr ResultTraits result{T::kind, HalfStore::keep_high, T::result.rounds};
};
template <typename T>
struct High : T {
  static constexpr ResultTraits result{T::kind, HalfStore::keep_low, T::result.rounds};
};

// Sources that are not named operands.
template <typename T>
struct Destination : T {}; // the old value of operand 0
struct Vcc : U32 {};       // the lane's bit of VCC, 0 or 1
struct LaneNumber : U32 {};
// The lane's bit of a named scalar register pair, 0 or 1.
struct LaneMask : U32 {};

// Whether a source is an operand of the instruction text.
template <typename Tag>
struct IsNamed : std::true_type {};
template <typename T>
struct IsNamed<Destination<T>> : std::false_type {};
template <>
struct IsNamed<Vcc> : std::false_type {};
template <>
struct IsNamed<LaneNumber> : std::false_type {};

} // namespace hk::sim::vector
