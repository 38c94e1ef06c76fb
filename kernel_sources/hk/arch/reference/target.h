#pragma once
// The reference target: plain host C++, one lane. Kernels compiled for it are functional tests of everything above
// hk/arch, and the definition of what the other targets must compute.

#include <hk/arch/reference/arithmetic.h>
#include <hk/arch/reference/budget.h>
#include <hk/arch/reference/execution.h>
#include <hk/arch/reference/global_memory.h>
#include <hk/arch/reference/matrix.h>
#include <hk/arch/reference/shared_memory.h>
#include <hk/arch/reference/staging.h>
#include <hk/arch/reference/synchronization.h>

namespace hk {

struct Target : reference::Execution,
                reference::Arithmetic,
                reference::Matrix,
                reference::SharedMemory,
                reference::GlobalMemory,
                reference::StagedLoads,
                reference::Synchronization,
                reference::Budget {};

} // namespace hk

#include <hk/tile/contract.h>
static_assert(hk::TargetContract<hk::Target>);
