#include "sim/kernel_fixture.h"

#include <doctest/doctest.h>

#include "sim/assembler.h"
#include "sim/decode/decode_code.h"

namespace hk::sim::testing {

namespace {

std::string assembler_text(Target target, const KernelText& kernel) {
  const auto number = [](unsigned value) { return std::to_string(value); };
  const unsigned registers = kernel.agprs > 0 ? (kernel.vgprs + 3) / 4 * 4 + kernel.agprs : kernel.vgprs;
  std::string text = std::string(".amdgcn_target \"amdgcn-amd-amdhsa--") + target_name(target) + "\"\n" +
                     ".amdhsa_code_object_version 5\n.text\n.globl test_kernel\n.p2align 8\n"
                     ".type test_kernel,@function\ntest_kernel:\n" +
                     kernel.body + "\n.Lend:\n.size test_kernel, .Lend-test_kernel\n" +
                     ".rodata\n.p2align 6\n.amdhsa_kernel test_kernel\n" + ".amdhsa_next_free_vgpr " +
                     number(registers) + "\n.amdhsa_next_free_sgpr 96\n.amdhsa_accum_offset " +
                     number((kernel.vgprs + 3) / 4 * 4) + "\n.amdhsa_group_segment_fixed_size " +
                     number(kernel.lds_bytes) + "\n.amdhsa_private_segment_fixed_size " + number(kernel.scratch_bytes) +
                     "\n.amdhsa_kernarg_size " + number(kernel.kernarg_bytes) + "\n" + kernel.directives +
                     "\n.end_amdhsa_kernel\n";
  text += ".amdgpu_metadata\n---\namdhsa.version: [1, 2]\namdhsa.kernels:\n  - .name: test_kernel\n"
          "    .symbol: test_kernel.kd\n    .kernarg_segment_align: 8\n    .wavefront_size: 64\n"
          "    .max_flat_workgroup_size: 1024\n    .sgpr_count: 96\n    .vgpr_count: " +
          number(registers) + "\n    .agpr_count: " + number(kernel.agprs) +
          "\n    .kernarg_segment_size: " + number(kernel.kernarg_bytes) +
          "\n    .group_segment_fixed_size: " + number(kernel.lds_bytes) +
          "\n    .private_segment_fixed_size: " + number(kernel.scratch_bytes) + "\n    .args: [" + kernel.arguments +
          "]\n...\n.end_amdgpu_metadata\n";
  return text;
}

} // namespace

std::vector<std::byte> assembled_object(Target target, const KernelText& text) {
  Result<std::vector<std::byte>> elf = assemble_code_object(target, assembler_text(target, text));
  if (!elf.has_value())
    FAIL("does not assemble:\n" << elf.error().detail);
  return std::move(*elf);
}

AssembledKernel::AssembledKernel(Target target, const KernelText& text) : m_memory(1 << 16) {
  Result<codeobj::CodeObject> object = codeobj::parse_code_object(assembled_object(target, text));
  if (!object.has_value())
    FAIL(object.error().message);
  m_object = std::move(*object);
  Result<Program> program = decode_program(m_object);
  if (!program.has_value())
    FAIL(program.error().message);
  m_program = std::move(*program);
  m_program.code_address = 0x6000'0000'0000;
}

DeviceModel AssembledKernel::device() const {
  DeviceModel device;
  device.target = m_program.target;
  device.lds_bytes = lds_capacity(device.target);
  return device;
}

Dispatch AssembledKernel::dispatch(std::array<std::uint32_t, 3> workgroups, std::array<std::uint32_t, 3> size) {
  Dispatch dispatch;
  dispatch.program = &m_program;
  dispatch.kernel = &kernel();
  dispatch.memory = &m_memory;
  for (std::size_t i = 0; i < 3; ++i)
    dispatch.grid_work_items[i] = workgroups[i] * size[i];
  dispatch.workgroup_size = size;
  dispatch.kernarg_address = m_memory.base;
  fill_hidden_arguments(dispatch, std::span(m_memory.bytes).first(kernel().metadata.kernarg_segment_size));
  return dispatch;
}

DispatchResult AssembledKernel::run(const Dispatch& dispatch, const DispatchOptions& options) {
  Result<DispatchResult> result = run_dispatch(dispatch, device(), options);
  if (!result.has_value())
    FAIL(result.error().message);
  return std::move(*result);
}

DispatchResult AssembledKernel::run_without_fault(const Dispatch& dispatch, const DispatchOptions& options) {
  DispatchResult result = run(dispatch, options);
  if (result.fault.any())
    FAIL(result.fault.sentence());
  return result;
}

} // namespace hk::sim::testing
