#pragma once
// How this target spells what the language leaves to it.

#define HK_DEVICE __attribute__((device)) inline __attribute__((always_inline))
#define HK_INLINE __attribute__((always_inline))
#define HK_UNROLL _Pragma("unroll")
#define HK_SHARED __attribute__((shared))

/// Two waves per SIMD share its 512 vector registers, so a wave may use 256. With that bound the compiler keeps
/// accumulators in ordinary registers, where vector arithmetic can reach them.
#define HK_LAUNCH_BOUNDS(Config)                                                                                       \
  __attribute__((amdgpu_flat_work_group_size(64 * Config::waves, 64 * Config::waves), amdgpu_waves_per_eu(2)))
