// The instruction sets of the host that the simulator's vector code is compiled for, and the one that this host has.
//
// Code written with Highway includes this header before any of Highway's, then is compiled once for each of them
// (foreach_target.h) and chosen by HK_SIM_HOST_FUNCTION. Only Highway's headers are used: libhksim needs no further
// library, and the choice is the same one that the lane loops make.
#pragma once

#include <cstdint>

#define HWY_HEADER_ONLY
#if defined(__x86_64__)
// Three are enough: what every x86-64 has, AVX2 with FMA, and AVX-512.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL | HWY_AVX3_ZEN4 | HWY_AVX3_SPR | HWY_AVX10_2)
#endif

namespace hk::sim {

enum class HostVectors : std::uint8_t { baseline, avx2, avx512 };

inline HostVectors detect_host_vectors() {
#if defined(__x86_64__)
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
                    __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("f16c") &&
                    __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("aes");
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
                      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512bw");
  if (avx2)
    return avx512 ? HostVectors::avx512 : HostVectors::avx2;
#endif
  return HostVectors::baseline;
}

// Asked for by every vector instruction: read it, do not detect again.
inline const HostVectors k_host_vectors = detect_host_vectors();

} // namespace hk::sim

// The address of the version of `function` for this host; to be used in the HWY_ONCE part of a file, in namespace
// hk::sim.
#if defined(__x86_64__)
#define HK_SIM_HOST_FUNCTION(function)                                                                                 \
  (k_host_vectors == HostVectors::avx512 ? &N_AVX3::function                                                           \
   : k_host_vectors == HostVectors::avx2 ? &N_AVX2::function                                                           \
                                         : &HWY_STATIC_DISPATCH(function))
#else
#define HK_SIM_HOST_FUNCTION(function) (&HWY_STATIC_DISPATCH(function))
#endif
