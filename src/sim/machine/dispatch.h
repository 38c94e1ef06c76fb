#pragma once
// One kernel launch on the simulated machine.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "base/status.h"
#include "codeobj/code_object.h"
#include "sim/machine/device_model.h"
#include "sim/machine/fault.h"
#include "sim/machine/memory.h"
#include "sim/machine/operation.h"
#include "sim/machine/program.h"

namespace hk::sim {

struct WaveTrace;

struct Dispatch {
  const Program* program = nullptr;
  const codeobj::Kernel* kernel = nullptr;
  const MemoryMap* memory = nullptr;
  // As in an AQL packet: the grid counts work-items. Where it is no multiple of the workgroup, the last workgroup of
  // the dimension is smaller.
  std::array<std::uint32_t, 3> grid_work_items{1, 1, 1};
  std::array<std::uint32_t, 3> workgroup_size{1, 1, 1};
  std::uint32_t dynamic_lds_bytes = 0;
  std::uint64_t kernarg_address = 0; // device address of the kernel arguments, hidden ones included; 0: none
  std::uint64_t packet_address = 0;  // device address of the 64-byte AQL packet; a kernel that asks for it needs it
  std::uint64_t queue_address = 0;
  std::uint64_t dispatch_id = 0;

  [[nodiscard]] std::uint32_t workgroups(int dimension) const {
    const auto d = std::size_t(dimension);
    return std::uint32_t((std::uint64_t(grid_work_items[d]) + workgroup_size[d] - 1) / workgroup_size[d]);
  }
  [[nodiscard]] std::uint64_t workgroup_count() const {
    return std::uint64_t(workgroups(0)) * workgroups(1) * workgroups(2);
  }
  [[nodiscard]] std::uint32_t lds_bytes() const {
    return kernel->descriptor.group_segment_fixed_size + dynamic_lds_bytes;
  }
};

struct DispatchOptions {
  // HK_SIM_SCHEDULE: random order of workgroups and waves, random early completion of accesses. None: in order, and
  // accesses complete at the wait that demands them.
  std::optional<std::uint64_t> schedule_seed = std::nullopt;
  // Host threads at most; 0: as many as the process may use. Results do not depend on it; a program with global atomics
  // runs on one thread, because the order of its atomics would.
  unsigned threads = 0;
  // Instructions of one wave. 2^32 are minutes of simulation, so that a wave that hangs is reported while somebody
  // still waits for it; a GPU needs seconds for them, which no kernel that finishes takes.
  std::uint64_t step_limit = std::uint64_t{1} << 32;
  // Instructions of one wave before the next wave of its workgroup gets its turn, where no schedule is given; fewer if
  // it comes to a barrier. Hardware keeps waves within a few hundred instructions of each other, and some hand-written
  // kernels are right only then.
  std::uint64_t turn = 1 << 16;
  // A register that is used before the wait for its load is a fault, since nothing says that the load has arrived. With
  // this, the load arrives at that moment, as it may on hardware, and is counted; and what a wave has asked of LDS in
  // front of a barrier is done before what any wave asks of it behind the barrier.
  bool forgive_missing_waits = false;
  WaveTrace* trace = nullptr;                // one wave whose instructions are written down
  const std::atomic<bool>* cancel = nullptr; // set: stop soon, the result is a fault of kind cancelled
};

struct DispatchResult {
  Fault fault; // of the workgroup that comes first in dispatch order; workgroups behind it may not have run
  std::uint64_t workgroups = 0;
  std::uint64_t waves = 0;
  std::uint64_t instructions = 0;
  std::array<std::uint64_t, k_operation_class_count> instructions_by_class{};
  std::uint64_t missing_waits = 0; // forgiven ones
  // A simple model, not a measurement: see modelled_time.h.
  std::uint64_t modelled_clocks = 0;
  double modelled_ns = 0;
};

// Runs the kernel to its end. Fails with invalid_argument or unsupported, running nothing, if the launch is impossible
// (empty or too large workgroup, LDS above the device's, code for another target, no entry point).
Result<DispatchResult> run_dispatch(const Dispatch& dispatch, const DeviceModel& device,
                                    const DispatchOptions& options = {});

// Workgroups of the kernel that one compute unit holds at a time: the least of what waves, registers and LDS allow.
// 0 if none fits.
std::uint32_t workgroups_per_compute_unit(const codeobj::KernelDescriptor& descriptor,
                                          std::uint32_t workgroup_work_items, std::uint32_t lds_bytes,
                                          const DeviceModel& device);

// Writes the hidden arguments (block counts, group sizes, remainders, dynamic LDS size, ...) into the bytes of a
// kernarg segment; explicit arguments are left alone. Host-call, printf, heap and default-queue pointers are zero.
void fill_hidden_arguments(const Dispatch& dispatch, std::span<std::byte> kernarg);

// The AQL kernel dispatch packet that dispatch_ptr points to (HSA runtime specification, hsa_kernel_dispatch_packet_t).
std::array<std::byte, 64> make_dispatch_packet(const Dispatch& dispatch);

} // namespace hk::sim
