#pragma once
// NVIDIA from Ampere on: compute capability 8.0 and later. Wave of 32, mma.sync m16n8k16, cp.async into shared memory,
// ldmatrix out of it.

#include <hk/arch/sm80/arithmetic.h>
#include <hk/arch/sm80/budget.h>
#include <hk/arch/sm80/execution.h>
#include <hk/arch/sm80/global_memory.h>
#include <hk/arch/sm80/matrix.h>
#include <hk/arch/sm80/shared_memory.h>
#include <hk/arch/sm80/staging.h>
#include <hk/arch/sm80/synchronization.h>

namespace hk {

struct Target : sm80::Execution,
                sm80::Arithmetic,
                sm80::Matrix,
                sm80::SharedMemory,
                sm80::GlobalMemory,
                sm80::StagedLoads,
                sm80::Synchronization,
                sm80::Budget {};

} // namespace hk

#include <hk/tile/contract.h>
static_assert(hk::TargetContract<hk::Target>);
