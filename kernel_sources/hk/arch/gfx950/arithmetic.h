#pragma once
// Scalar functions: as on gfx942.

#include <hk/arch/gfx942/arithmetic.h>

namespace hk::gfx950 {

using gfx942::Arithmetic;

} // namespace hk::gfx950
