#pragma once
// The register types of one lane: as on gfx942.

#include <hk/arch/gfx942/registers.h>

namespace hk::gfx950 {

using gfx942::Float2;
using gfx942::Half2;
using gfx942::Registers;
using gfx942::Words2;
using gfx942::Words4;

} // namespace hk::gfx950
