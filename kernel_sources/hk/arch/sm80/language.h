#pragma once
// How this target spells what the language leaves to it: CUDA C++ as NVRTC compiles it.

#define HK_DEVICE __device__ __forceinline__
#define HK_INLINE __attribute__((always_inline))
#define HK_UNROLL _Pragma("unroll")

/// Static shared memory ends at 48 KiB here, so a workgroup's tiles lie in the dynamic block that the host asks for at
/// launch, each at the offset that the kernel gives it.
#define HK_SHARED(Type, name, offset) Type& name = *reinterpret_cast<Type*>(hk::sm80::shared_memory() + (offset))

/// How the host learns the size of that block: the value of the global variable SYMBOL__shared_bytes.
#define HK_TELL_SHARED_BYTES(symbol, count) extern "C" __device__ unsigned int symbol##__shared_bytes = count

/// A lane may use 255 registers: two waves on each of the four schedulers of a multiprocessor.
#define HK_LAUNCH_BOUNDS(Config) __launch_bounds__(32 * Config::waves)

namespace hk::sm80 {

HK_DEVICE unsigned char* shared_memory() {
  extern __shared__ __align__(128) unsigned char memory[];
  return memory;
}

} // namespace hk::sm80
