#include "sim/runtime/kernel_launch.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "sim/machine/dispatch.h"
#include "sim/machine/wave_trace.h"
#include "sim/runtime/device.h"
#include "sim/runtime/device_model_of.h"

namespace hk::sim {
namespace {

constexpr std::uint64_t k_max_grid_x = std::numeric_limits<std::int32_t>::max();
constexpr std::uint64_t k_max_grid_yz = 65536; // what HIP accepts; the packet could hold more

std::string shape_text(const std::array<std::uint32_t, 3>& shape) {
  return "(" + std::to_string(shape[0]) + ", " + std::to_string(shape[1]) + ", " + std::to_string(shape[2]) + ")";
}

bool any_zero(const std::array<std::uint32_t, 3>& shape) {
  return shape[0] == 0 || shape[1] == 0 || shape[2] == 0;
}

// A piece of device memory for the time of a launch.
class LaunchAllocation {
 public:
  LaunchAllocation(AddressSpace& space, std::uint64_t bytes) : m_space(space) {
    AllocationRequest request;
    request.size = bytes;
    request.kind = AllocationKind::kernel_arguments;
    request.read_only = true;
    Result<Allocation> made = space.allocate(std::move(request));
    if (made)
      m_allocation = *made;
    else
      m_failure = made.error().message;
  }
  ~LaunchAllocation() {
    if (m_allocation.size != 0)
      static_cast<void>(m_space.free(m_allocation.begin));
  }
  LaunchAllocation(const LaunchAllocation&) = delete;
  LaunchAllocation& operator=(const LaunchAllocation&) = delete;

  [[nodiscard]] const std::string& failure() const { return m_failure; }
  [[nodiscard]] std::uint64_t address() const { return m_allocation.begin; }
  [[nodiscard]] std::span<std::byte> bytes() const { return {m_allocation.host, m_allocation.size}; }

 private:
  AddressSpace& m_space;
  Allocation m_allocation;
  std::string m_failure;
};

ErrorCode code_of(FaultKind kind) {
  return kind == FaultKind::global_out_of_bounds ? ErrorCode::illegal_address : ErrorCode::launch_failure;
}

// `trace` takes the lines, if the program wants some.
DispatchOptions options_of(Device& device, WaveTrace& trace) {
  const LaunchOptions wanted = device.launch_control().options();
  DispatchOptions options;
  if (wanted.max_wave_instructions != 0)
    options.step_limit = wanted.max_wave_instructions;
  if (wanted.turn != 0)
    options.turn = wanted.turn;
  options.forgive_missing_waits = wanted.forgive_missing_waits;
  if (wanted.trace_lines != 0) {
    trace.workgroup = wanted.traced_workgroup;
    trace.wave = wanted.traced_wave;
    trace.line_limit = wanted.trace_lines;
    options.trace = &trace;
  }
  if (device.schedule_seed() != 0)
    options.schedule_seed = device.schedule_seed();
  options.cancel = &device.cancelled();
  return options;
}

} // namespace

Error check_launch(const Device& device, const LoadedKernel& kernel, const LaunchShape& shape) {
  const std::string what =
      "kernel " + kernel.name() + ": grid " + shape_text(shape.grid) + ", block " + shape_text(shape.block);
  if (shape.grid[0] > k_max_grid_x || shape.grid[1] > k_max_grid_yz || shape.grid[2] > k_max_grid_yz)
    return Error(ErrorCode::invalid_value, what + " exceeds the largest grid, (2147483647, 65536, 65536)");
  for (std::size_t i = 0; i < 3; ++i)
    if (std::uint64_t{shape.grid[i]} * shape.block[i] > std::numeric_limits<std::uint32_t>::max())
      return Error(ErrorCode::invalid_configuration,
                   what + " has 2^32 or more work-items in one dimension; the dispatch packet counts them in 32 bits");
  if (any_zero(shape.block))
    return Error(ErrorCode::invalid_configuration, what + " has an empty block");
  if (any_zero(shape.grid))
    return Error(ErrorCode::invalid_value, what + " has an empty grid");
  const std::uint64_t work_items = std::uint64_t{shape.block[0]} * shape.block[1] * shape.block[2];
  if (work_items > k_max_workgroup_size)
    return Error(ErrorCode::invalid_value, what + " has more than 1024 work-items in a block");
  const codeobj::KernelMetadata& metadata = kernel.kernel->metadata;
  if (metadata.required_workgroup_size && *metadata.required_workgroup_size != shape.block)
    return Error(ErrorCode::invalid_value, what + ", but it is compiled for blocks of " +
                                               shape_text(*metadata.required_workgroup_size) + " only");
  if (metadata.max_flat_workgroup_size != 0 && work_items > metadata.max_flat_workgroup_size)
    return Error(ErrorCode::launch_failure, what + " exceeds the launch bounds that it is compiled for, " +
                                                std::to_string(metadata.max_flat_workgroup_size) + " work-items");
  const std::uint64_t lds = metadata.group_segment_fixed_size + shape.dynamic_lds;
  if (lds > device.profile().lds_bytes)
    return Error(ErrorCode::invalid_value, what + " needs " + std::to_string(lds) + " bytes of LDS; " +
                                               device.profile().name + " has " +
                                               std::to_string(device.profile().lds_bytes));
  return {};
}

Outcome<std::vector<std::byte>> arguments_from_pointers(const LoadedKernel& kernel, void* const* pointers) {
  std::vector<std::byte> bytes(kernel.explicit_argument_bytes());
  std::size_t position = 0;
  for (const codeobj::KernelArgument& argument : kernel.kernel->metadata.arguments) {
    if (argument.is_hidden())
      continue;
    if (pointers == nullptr || pointers[position] == nullptr)
      return error(ErrorCode::invalid_value,
                   "kernel " + kernel.name() + ": no pointer is given for argument " + std::to_string(position));
    std::memcpy(bytes.data() + argument.offset, pointers[position], argument.size);
    ++position;
  }
  return bytes;
}

Outcome<std::vector<std::byte>> arguments_from_bytes(const LoadedKernel& kernel, std::span<const std::byte> bytes) {
  const std::uint64_t needed = kernel.explicit_argument_bytes();
  const std::uint64_t segment = std::max(needed, kernel.kernel->metadata.kernarg_segment_size);
  if (bytes.size() < needed || bytes.size() > segment)
    return error(ErrorCode::invalid_value, "kernel " + kernel.name() + " takes " + std::to_string(needed) + " to " +
                                               std::to_string(segment) + " bytes of arguments, not " +
                                               std::to_string(bytes.size()));
  return std::vector<std::byte>(bytes.begin(), bytes.end());
}

double perform_launch(Device& device, const KernelLaunch& launch, double start) {
  const LoadedKernel& kernel = *launch.kernel;
  const std::string subject = "kernel " + kernel.name() + ": ";
  if (kernel.module->unloaded()) {
    device.raise(ErrorCode::launch_failure, subject + "its module was unloaded before the launch ran");
    return start;
  }
  Dispatch dispatch;
  dispatch.program = &kernel.module->program();
  dispatch.kernel = kernel.kernel;
  dispatch.memory = &device.memory_map();
  for (std::size_t i = 0; i < 3; ++i)
    dispatch.grid_work_items[i] = launch.shape.grid[i] * launch.shape.block[i];
  dispatch.workgroup_size = launch.shape.block;
  dispatch.dynamic_lds_bytes = launch.shape.dynamic_lds;

  // The compiler may read whole dwords at the end of the segment.
  const std::uint64_t segment = (kernel.kernel->metadata.kernarg_segment_size + 3) / 4 * 4;
  std::optional<LaunchAllocation> arguments;
  if (segment != 0) {
    arguments.emplace(device.memory(), segment);
    if (!arguments->failure().empty()) {
      device.raise(ErrorCode::launch_failure, subject + arguments->failure());
      return start;
    }
    std::copy(launch.arguments.begin(), launch.arguments.end(), arguments->bytes().begin());
    dispatch.kernarg_address = arguments->address();
    fill_hidden_arguments(dispatch, arguments->bytes());
  }
  std::optional<LaunchAllocation> packet;
  if (kernel.kernel->descriptor.enable_sgpr_dispatch_ptr) {
    const std::array<std::byte, 64> bytes = make_dispatch_packet(dispatch);
    packet.emplace(device.memory(), bytes.size());
    if (!packet->failure().empty()) {
      device.raise(ErrorCode::launch_failure, subject + packet->failure());
      return start;
    }
    std::copy(bytes.begin(), bytes.end(), packet->bytes().begin());
    dispatch.packet_address = packet->address();
  }

  WaveTrace trace;
  const Result<DispatchResult> result = run_dispatch(dispatch, device_model_of(device), options_of(device, trace));
  if (!result) {
    device.raise(ErrorCode::launch_failure, subject + result.error().message);
    return start;
  }
  device.launch_control().record(kernel.name(), *result, std::move(trace.text));
  device.count_instructions(result->instructions);
  if (result->fault.any())
    device.raise(code_of(result->fault.kind), result->fault.sentence());
  return device.clock().occupy(Engine::compute, start, result->modelled_ns);
}

} // namespace hk::sim
