#pragma once
// Rows of global memory: buffer descriptors, as on gfx942.

#include <hk/arch/gfx942/global_memory.h>
#include <hk/arch/gfx950/conversion.h>

namespace hk::gfx950 {

using GlobalMemory = gfx942::BufferMemory<Conversion>;

} // namespace hk::gfx950
