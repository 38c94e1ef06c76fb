#pragma once
// AMD CDNA3: MI300X, MI300A, MI325X. Wave of 64, MFMA 32x32x8, loads through registers into 64 KiB of LDS.

#include <hk/arch/gfx942/arithmetic.h>
#include <hk/arch/gfx942/budget.h>
#include <hk/arch/gfx942/execution.h>
#include <hk/arch/gfx942/global_memory.h>
#include <hk/arch/gfx942/matrix.h>
#include <hk/arch/gfx942/shared_memory.h>
#include <hk/arch/gfx942/staging.h>
#include <hk/arch/gfx942/synchronization.h>

namespace hk {

struct Target : gfx942::Execution,
                gfx942::Arithmetic,
                gfx942::Matrix,
                gfx942::SharedMemory,
                gfx942::GlobalMemory,
                gfx942::StagedLoads,
                gfx942::Synchronization,
                gfx942::Budget {};

} // namespace hk

#include <hk/tile/contract.h>
static_assert(hk::TargetContract<hk::Target>);
