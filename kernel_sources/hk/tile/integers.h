#pragma once
// Fixed-width integers without a standard header: kernel sources are compiled with -nostdinc. Spelled out, because not
// every compiler has macros for them; all targets and hosts have 64-bit long.

namespace hk {

using int8 = signed char;
using int16 = short;
using int32 = int;
using int64 = long;
using uint8 = unsigned char;
using uint16 = unsigned short;
using uint32 = unsigned int;
using uint64 = unsigned long;

static_assert(sizeof(int16) == 2 && sizeof(int32) == 4 && sizeof(int64) == 8);

} // namespace hk
