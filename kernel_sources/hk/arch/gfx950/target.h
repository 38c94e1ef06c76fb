#pragma once
// AMD CDNA4: MI350X, MI355X. Wave of 64, MFMA 32x32x16, loads straight into 160 KiB of LDS, transposing LDS reads.

#include <hk/arch/gfx950/arithmetic.h>
#include <hk/arch/gfx950/budget.h>
#include <hk/arch/gfx950/execution.h>
#include <hk/arch/gfx950/global_memory.h>
#include <hk/arch/gfx950/matrix.h>
#include <hk/arch/gfx950/shared_memory.h>
#include <hk/arch/gfx950/staging.h>
#include <hk/arch/gfx950/synchronization.h>

namespace hk {

struct Target : gfx950::Execution,
                gfx950::Arithmetic,
                gfx950::Matrix,
                gfx950::SharedMemory,
                gfx950::GlobalMemory,
                gfx950::StagedLoads,
                gfx950::Synchronization,
                gfx950::Budget {};

} // namespace hk

#include <hk/tile/contract.h>
static_assert(hk::TargetContract<hk::Target>);
