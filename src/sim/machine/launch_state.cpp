#include "sim/machine/launch_state.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "sim/machine/mode_register.h"

namespace hk::sim {

namespace {

constexpr std::uint32_t k_largest_workgroup = 1024;
// Scratch for kernels whose stack grows as they run, beyond what the compiler could count.
constexpr std::uint32_t k_dynamic_stack_bytes = 16384;

std::uint32_t mode_of(const codeobj::KernelDescriptor& descriptor) {
  std::uint32_t mode = descriptor.float_mode();
  mode |= descriptor.enable_dx10_clamp ? k_mode_dx10_clamp : 0;
  mode |= descriptor.enable_ieee_mode ? k_mode_ieee : 0;
  mode |= descriptor.fp16_overflow ? k_mode_fp16_overflow : 0;
  return mode | std::uint32_t(descriptor.exception_mask) << k_mode_exception_shift;
}

Status check_geometry(const Dispatch& dispatch, const DeviceModel& device) {
  const std::string& name = dispatch.kernel->metadata.name;
  std::uint64_t work_items = 1;
  for (std::size_t i = 0; i < 3; ++i) {
    if (dispatch.grid_work_items[i] == 0 || dispatch.workgroup_size[i] == 0)
      return {StatusCode::invalid_argument, "kernel " + name + ": grid and workgroup sizes must not be zero"};
    work_items *= dispatch.workgroup_size[i];
    if (work_items > k_largest_workgroup)
      return {StatusCode::invalid_argument, "kernel " + name + ": a workgroup has at most 1024 work-items"};
  }
  if (dispatch.lds_bytes() > device.lds_bytes || dispatch.dynamic_lds_bytes > device.lds_bytes)
    return {StatusCode::invalid_argument, "kernel " + name + " asks for " +
                                              std::to_string(std::uint64_t(dispatch.dynamic_lds_bytes) +
                                                             dispatch.kernel->descriptor.group_segment_fixed_size) +
                                              " bytes of LDS; the device has " + std::to_string(device.lds_bytes) +
                                              " per workgroup"};
  if (workgroups_per_compute_unit(dispatch.kernel->descriptor, std::uint32_t(work_items), dispatch.lds_bytes(),
                                  device) == 0)
    return {StatusCode::invalid_argument, "kernel " + name + ": a workgroup of " + std::to_string(work_items) +
                                              " work-items with " +
                                              std::to_string(dispatch.kernel->descriptor.vgpr_count) +
                                              " vector registers each does not fit into a compute unit"};
  return {};
}

Result<std::vector<std::uint32_t>> read_preloaded(const Dispatch& dispatch) {
  const codeobj::KernelDescriptor& descriptor = dispatch.kernel->descriptor;
  std::vector<std::uint32_t> words(descriptor.kernarg_preload_length);
  if (words.empty())
    return words;
  const std::uint64_t address = dispatch.kernarg_address + std::uint64_t(descriptor.kernarg_preload_offset) * 4;
  const std::uint64_t bytes = words.size() * 4;
  const MappedRange range = dispatch.memory->find(address);
  if (!range.contains(address, bytes))
    return fail(StatusCode::invalid_argument,
                "kernel " + dispatch.kernel->metadata.name +
                    ": the arguments to preload are in no allocation: " + dispatch.memory->describe(address, bytes));
  std::memcpy(words.data(), range.at(address), bytes);
  return words;
}

// Writes user and system registers in the order of the guide's table.
class ScalarRegisters {
 public:
  explicit ScalarRegisters(Wave& wave) : m_wave(wave) {}
  void put(std::uint32_t value) {
    if (m_next < k_vcc_lo)
      m_wave.scalar[m_next++] = value;
  }
  void put64(std::uint64_t value) {
    put(std::uint32_t(value));
    put(std::uint32_t(value >> 32));
  }
  void put_if(bool enabled, std::uint32_t value) {
    if (enabled)
      put(value);
  }
  void put64_if(bool enabled, std::uint64_t value) {
    if (enabled)
      put64(value);
  }
  void continue_at(std::uint32_t index) { m_next = index; }

 private:
  Wave& m_wave;
  std::uint32_t m_next = 0;
};

void set_scalars(const LaunchTemplate& launch, const Workgroup& workgroup, Wave& wave) {
  const Dispatch& dispatch = *launch.dispatch;
  const codeobj::KernelDescriptor& descriptor = dispatch.kernel->descriptor;
  ScalarRegisters registers(wave);
  // gfx942 and gfx950 reach scratch by flat_scratch alone; the descriptor of scratch as a buffer is never valid.
  registers.put64_if(descriptor.enable_sgpr_private_segment_buffer, 0);
  registers.put64_if(descriptor.enable_sgpr_private_segment_buffer, 0);
  registers.put64_if(descriptor.enable_sgpr_dispatch_ptr, dispatch.packet_address);
  registers.put64_if(descriptor.enable_sgpr_queue_ptr, dispatch.queue_address);
  registers.put64_if(descriptor.enable_sgpr_kernarg_segment_ptr, dispatch.kernarg_address);
  registers.put64_if(descriptor.enable_sgpr_dispatch_id, dispatch.dispatch_id);
  registers.put64_if(descriptor.enable_sgpr_flat_scratch_init, wave.scratch_base);
  registers.put_if(descriptor.enable_sgpr_private_segment_size, launch.scratch_bytes_per_lane);
  for (const std::uint32_t word : launch.preloaded)
    registers.put(word);
  registers.continue_at(descriptor.user_sgpr_count);
  registers.put_if(descriptor.enable_sgpr_workgroup_id_x, workgroup.id[0]);
  registers.put_if(descriptor.enable_sgpr_workgroup_id_y, workgroup.id[1]);
  registers.put_if(descriptor.enable_sgpr_workgroup_id_z, workgroup.id[2]);
  const auto waves = std::uint32_t(workgroup.waves.size());
  registers.put_if(descriptor.enable_sgpr_workgroup_info, (wave.wave_index == 0 ? 1U << 31 : 0) | waves);
  wave.set_scalar64(k_flat_scratch_lo, wave.scratch_base);
}

// v0: work-item id x in bits 9:0, y in 19:10, z in 29:20, those that the kernel asks for.
void set_work_item_ids(const codeobj::KernelDescriptor& descriptor, const std::uint32_t (&size)[3], Wave& wave) {
  const bool with_y = descriptor.work_item_ids >= codeobj::WorkItemIds::xy;
  const bool with_z = descriptor.work_item_ids >= codeobj::WorkItemIds::xyz;
  const std::uint32_t total = size[0] * size[1] * size[2];
  const std::uint32_t first = wave.wave_index * k_wave_size;
  for (std::uint32_t lane = 0; lane < k_wave_size && first + lane < total; ++lane) {
    const std::uint32_t flat = first + lane;
    const std::uint32_t x = flat % size[0];
    const std::uint32_t y = flat / size[0] % size[1];
    const std::uint32_t z = flat / (size[0] * size[1]);
    wave.vector[0][lane] = x | (with_y ? y << 10 : 0) | (with_z ? z << 20 : 0);
  }
  const std::uint32_t lanes = std::min<std::uint32_t>(k_wave_size, total - first);
  wave.set_exec(lanes == k_wave_size ? ~std::uint64_t{0} : (std::uint64_t{1} << lanes) - 1);
}

void fill_uninitialised(const codeobj::KernelDescriptor& descriptor, std::uint32_t word, Wave& wave) {
  // The unified file holds the accumulation registers behind the architectural ones.
  const std::uint32_t split = descriptor.accumulator_offset;
  const std::uint32_t architectural =
      std::min<std::uint32_t>(split == 0 ? descriptor.vgpr_count : split, k_accumulator_base);
  const std::uint32_t accumulators = descriptor.vgpr_count > architectural ? descriptor.vgpr_count - architectural : 0;
  std::fill_n(&wave.vector[0][0], std::size_t(std::max(architectural, 1U)) * k_wave_size, word);
  std::fill_n(&wave.vector[k_accumulator_base][0],
              std::size_t(std::min<std::uint32_t>(accumulators, k_accumulator_base)) * k_wave_size, word);
  std::fill(std::begin(wave.scalar), std::end(wave.scalar), word);
}

} // namespace

std::uint32_t uninitialised_word(std::uint64_t seed) {
  // The low six mantissa bits vary with the seed, the quiet bit does not, so every half stays a NaN.
  std::uint64_t mixed = (seed + 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9;
  mixed ^= mixed >> 31;
  return 0x7fc07fc0 | (std::uint32_t(mixed) & 0x003f003f);
}

Result<LaunchTemplate> prepare_launch(const Dispatch& dispatch, const DeviceModel& device,
                                      std::uint64_t uninitialised_seed) {
  const codeobj::KernelDescriptor& descriptor = dispatch.kernel->descriptor;
  if (dispatch.program->target != device.target)
    return fail(StatusCode::unsupported, "code for " + std::string(target_name(dispatch.program->target)) +
                                             " cannot run on a device that is " + target_name(device.target));
  HK_RETURN_IF_ERROR(check_geometry(dispatch, device));
  // Hardware that preloads arguments starts behind the instructions that load them for hardware that does not.
  const std::uint64_t skipped = descriptor.kernarg_preload_length > 0 ? codeobj::k_kernarg_preload_prologue_size : 0;
  const std::int64_t entry = dispatch.program->index_of_virtual_address(dispatch.kernel->entry_address + skipped);
  if (entry < 0)
    return fail(StatusCode::load_failed,
                "kernel " + dispatch.kernel->metadata.name + ": no instruction starts at its entry point");

  LaunchTemplate launch;
  launch.dispatch = &dispatch;
  launch.device = &device;
  launch.entry = std::uint32_t(entry);
  launch.mode = mode_of(descriptor);
  HK_ASSIGN_OR_RETURN(launch.preloaded, read_preloaded(dispatch));
  if (descriptor.private_segment_fixed_size > 0 || descriptor.uses_dynamic_stack)
    launch.scratch_bytes_per_lane =
        descriptor.private_segment_fixed_size + (descriptor.uses_dynamic_stack ? k_dynamic_stack_bytes : 0);
  launch.uninitialised_seed = uninitialised_seed;
  return launch;
}

void start_workgroup(const LaunchTemplate& launch, std::uint64_t index, std::uint64_t scratch_base,
                     Workgroup& workgroup) {
  const Dispatch& dispatch = *launch.dispatch;
  const codeobj::KernelDescriptor& descriptor = dispatch.kernel->descriptor;
  workgroup.target = dispatch.program->target;
  workgroup.program = dispatch.program;
  workgroup.kernel = dispatch.kernel->metadata.name;
  workgroup.kernel_offset = dispatch.kernel->entry_address - dispatch.program->code_virtual_address;
  const std::uint64_t rows = dispatch.workgroups(0);
  const std::uint64_t planes = rows * dispatch.workgroups(1);
  workgroup.id[0] = std::uint32_t(index % rows);
  workgroup.id[1] = std::uint32_t(index % planes / rows);
  workgroup.id[2] = std::uint32_t(index / planes);
  const DeviceModel& device = *launch.device;
  workgroup.xcd = std::uint32_t(index % device.xcds);
  const std::uint32_t units = std::max(1U, device.compute_units / device.xcds);
  workgroup.compute_unit = std::uint32_t(index / device.xcds % units);

  std::uint32_t size[3];
  std::uint32_t work_items = 1;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::uint64_t first = std::uint64_t(workgroup.id[i]) * dispatch.workgroup_size[i];
    size[i] = std::uint32_t(std::min<std::uint64_t>(dispatch.workgroup_size[i], dispatch.grid_work_items[i] - first));
    work_items *= size[i];
  }

  const std::uint32_t word = uninitialised_word(launch.uninitialised_seed + index);
  workgroup.lds.resize(dispatch.lds_bytes());
  for (std::size_t i = 0; i < workgroup.lds.size(); ++i)
    workgroup.lds[i] = std::byte(word >> (i % 4 * 8));
  workgroup.waves.resize((work_items + k_wave_size - 1) / k_wave_size);
  for (std::size_t i = 0; i < workgroup.waves.size(); ++i) {
    if (workgroup.waves[i] == nullptr)
      workgroup.waves[i] = std::make_unique<Wave>();
    Wave& wave = *workgroup.waves[i];
    wave.reset();
    wave.workgroup = &workgroup;
    wave.wave_index = std::uint32_t(i);
    wave.next = launch.entry;
    wave.mode = launch.mode;
    wave.scratch_bytes_per_lane = launch.scratch_bytes_per_lane;
    if (launch.scratch_bytes_per_lane > 0)
      wave.scratch_base = scratch_base + i * k_wave_size * launch.scratch_bytes_per_lane;
    fill_uninitialised(descriptor, word, wave);
    set_scalars(launch, workgroup, wave);
    set_work_item_ids(descriptor, size, wave);
  }
}

} // namespace hk::sim
