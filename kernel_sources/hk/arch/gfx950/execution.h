#pragma once
// Who am I: as on gfx942.

#include <hk/arch/gfx942/execution.h>

namespace hk::gfx950 {

using gfx942::Execution;

} // namespace hk::gfx950
