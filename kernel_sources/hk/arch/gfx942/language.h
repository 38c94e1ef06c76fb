#pragma once
// How this target spells what the language leaves to it.

#define HK_DEVICE __attribute__((device)) inline __attribute__((always_inline))
#define HK_INLINE __attribute__((always_inline))
#define HK_UNROLL _Pragma("unroll")
#define HK_SHARED(Type, name, offset) __attribute__((shared)) Type name
/// LDS is static: its size is in the code object's metadata.
#define HK_TELL_SHARED_BYTES(symbol, count) static_assert((count) > 0)

/// Two waves per SIMD share its 512 vector registers, so a wave may use 256. With that bound the compiler keeps
/// accumulators in ordinary registers, where vector arithmetic can reach them. It believes in the bound only if the
/// largest permitted workgroup leaves LDS for two waves per SIMD, hence at least 256 work-items, even for kernels that
/// are launched with fewer.
#define HK_LAUNCH_BOUNDS(Config)                                                                                       \
  __attribute__((amdgpu_flat_work_group_size(64 * Config::waves, Config::waves < 4 ? 256 : 64 * Config::waves),        \
                 amdgpu_waves_per_eu(2)))
