#pragma once
// How this target spells what the language leaves to it: CUDA C++ as NVRTC compiles it.

#define HK_DEVICE __device__ __forceinline__
#define HK_INLINE __attribute__((always_inline))
#define HK_UNROLL _Pragma("unroll")

/// Static shared memory ends at 48 KiB here, so a workgroup's tiles lie in the dynamic block that the host asks for at
/// launch, each at the offset that the kernel gives it.
#define HK_SHARED(Type, name, offset) Type& name = *reinterpret_cast<Type*>(hk::sm80::shared_memory() + (offset))

/// Tells the host how large the dynamic block is: it finds this constant in the compiled code.
#define HK_KERNEL_SHARED(symbol, bytes) extern "C" __constant__ unsigned symbol##__shared_bytes = bytes;

/// A lane may use 255 registers: two waves on each of the four schedulers of a multiprocessor.
#define HK_LAUNCH_BOUNDS(Config) __launch_bounds__(32 * Config::waves)

namespace hk::sm80 {

HK_DEVICE unsigned char* shared_memory() {
  extern __shared__ __align__(128) unsigned char memory[];
  return memory;
}

} // namespace hk::sm80
