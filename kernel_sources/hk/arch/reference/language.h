#pragma once
// How this target spells what the language leaves to it.

#define HK_DEVICE inline
#define HK_INLINE
#define HK_UNROLL
/// Storage that the waves of a workgroup share; here a workgroup is one call on one thread.
#define HK_SHARED(Type, name, offset) Type name
#define HK_TELL_SHARED_BYTES(symbol, count) static_assert((count) > 0)
#define HK_LAUNCH_BOUNDS(Config)
