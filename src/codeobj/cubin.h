#pragma once
// Cubins: NVIDIA's code objects. What is read of them is what the service and the driver want to know about one kernel.
//
// NVIDIA documents the ELF container and not its sections. Where the numbers lie was found by comparing cubins of CUDA
// 13 with what ptxas says about the same kernels (--ptxas-options=-v).

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/status.h"
#include "codeobj/inspect.h"

namespace hk::codeobj {

// The name of an unsigned constant in which a translation unit says how many bytes of dynamic shared memory its kernel
// is to be launched with. Kernels cannot have more than 48 KiB otherwise, and only the compiler knows their layout.
std::string dynamic_shared_symbol(std::string_view kernel);

struct CubinKernel {
  std::uint32_t machine = 0; // compute capability, as Processor::machine
  // vgprs: registers per thread. scratch_bytes: local memory per thread; ptxas does not tell spills from arrays there.
  KernelResources resources;
};

// The kernel `symbol`. dynamic_lds_bytes is the constant that the translation unit defines beside it, named as
// dynamic_shared_symbol says; 0 if there is none. Never crashes, whatever the bytes. Fails with load_failed if the file
// is damaged, no cubin, or does not hold the kernel.
Result<CubinKernel> read_cubin_kernel(std::span<const std::byte> file, std::string_view symbol);

} // namespace hk::codeobj
