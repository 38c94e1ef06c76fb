#pragma once
// The loop over 64 lanes around a lane function, compiled for the baseline x86-64 and for AVX2 with FMA, and for
// AVX-512 where the function is long (Widest); the processor decides once which one runs. All give the same bits: lane
// functions use no contraction and no reordering.

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "sim/instructions/vector/access/lane_access.h"
#include "sim/machine/host_vectors.h"

namespace hk::sim::vector {

#if defined(__x86_64__)
#define HK_SIM_WIDE_LANES __attribute__((target("avx2,fma"), flatten))
#if defined(__clang__)
#define HK_SIM_WIDEST_LANES __attribute__((target("avx512f,avx512vl,avx512dq,avx512bw,avx2,fma"), flatten))
#else
#define HK_SIM_WIDEST_LANES                                                                                            \
  __attribute__((target("avx512f,avx512vl,avx512dq,avx512bw,avx2,fma,prefer-vector-width=512"), flatten))
#endif
#else
#define HK_SIM_WIDE_LANES __attribute__((flatten))
#define HK_SIM_WIDEST_LANES __attribute__((flatten))
#endif
inline bool has_wide_lanes() {
  return k_host_vectors != HostVectors::baseline;
}

// A lane function that is long enough for vectors of 512 bits to pay.
template <typename Function>
struct Widest : Function {};
template <typename Function>
constexpr bool k_is_widest = false;
template <typename Function>
constexpr bool k_is_widest<Widest<Function>> = true;

struct LoopArguments {
  const void* source[5] = {};
  void* result = nullptr;
  std::uint32_t* flags = nullptr; // a second result of 0 or 1 per lane: carries and compares
  FloatMode mode;
};

// A lane function takes the values of its sources; before them a FloatMode and behind them a `std::uint32_t& flag`
// where it asks for these.
template <typename Function, typename... Values>
[[gnu::always_inline]] inline auto call_lane(Function function, const FloatMode& mode, std::uint32_t& flag,
                                             Values... values) {
  if constexpr (std::is_invocable_v<Function, const FloatMode&, Values..., std::uint32_t&>)
    return function(mode, values..., flag);
  else if constexpr (std::is_invocable_v<Function, Values..., std::uint32_t&>)
    return function(values..., flag);
  else if constexpr (std::is_invocable_v<Function, const FloatMode&, Values...>)
    return function(mode, values...);
  else
    return function(values...);
}

template <typename Function, typename Result, typename... Sources>
struct LaneLoop {
  template <std::size_t... n>
  [[gnu::always_inline]] static void body(const LoopArguments& arguments, std::index_sequence<n...>) {
    const FloatMode mode = arguments.mode;
    auto* __restrict__ result = static_cast<Result::Bits*>(arguments.result);
    std::uint32_t* __restrict__ flags = arguments.flags;
    for (int lane = 0; lane < k_wave_size; ++lane) {
      std::uint32_t flag = 0;
      result[lane] =
          Result::bits(call_lane(Function{}, mode, flag,
                                 Sources::value(static_cast<const Sources::Bits*>(arguments.source[n])[lane])...),
                       mode);
      if constexpr (k_flags)
        flags[lane] = flag;
    }
  }

  static void baseline(const LoopArguments& arguments) {
    body(arguments, std::make_index_sequence<sizeof...(Sources)>());
  }
  HK_SIM_WIDE_LANES static void wide(const LoopArguments& arguments) {
    body(arguments, std::make_index_sequence<sizeof...(Sources)>());
  }

  HK_SIM_WIDEST_LANES static void widest(const LoopArguments& arguments) {
    body(arguments, std::make_index_sequence<sizeof...(Sources)>());
  }

  static void run(const LoopArguments& arguments) {
    if constexpr (std::is_same_v<typename Result::Value, float> && Result::kind == Kind::f16) {
      if (arguments.mode.rounding64 == Rounding::nearest_even) {
        LaneLoop<Function, NearestHalf<Result>, Sources...>::run_any_rounding(arguments);
        return;
      }
    }
    run_any_rounding(arguments);
  }

  static void run_any_rounding(const LoopArguments& arguments) {
    if constexpr (k_is_widest<Function>) {
      if (k_host_vectors == HostVectors::avx512)
        return widest(arguments);
    }
    if (has_wide_lanes())
      wide(arguments);
    else
      baseline(arguments);
  }

  static constexpr bool k_flags =
      std::is_invocable_v<Function, const FloatMode&, typename Sources::Value..., std::uint32_t&> ||
      std::is_invocable_v<Function, typename Sources::Value..., std::uint32_t&>;
};

} // namespace hk::sim::vector
