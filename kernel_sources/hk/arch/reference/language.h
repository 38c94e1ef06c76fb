#pragma once
// How this target spells what the language leaves to it.

#define HK_DEVICE inline
#define HK_INLINE
#define HK_UNROLL
/// Storage that the waves of a workgroup share; here a workgroup is one call on one thread.
#define HK_SHARED(Type, name, offset) Type name
#define HK_LAUNCH_BOUNDS(Config)
#define HK_KERNEL_SHARED(symbol, bytes)
