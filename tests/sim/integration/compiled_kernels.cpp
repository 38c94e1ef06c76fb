#include "compiled_kernels.h"

#include <doctest/doctest.h>

#include <hip/hiprtc.h>

#include "sim/decode/decode_code.h"

namespace hk::sim::testing {

namespace {

std::vector<std::byte> compile(Target target, std::string_view source, std::string_view optimisation) {
  hiprtcProgram program = nullptr;
  REQUIRE(hiprtcCreateProgram(&program, std::string(source).c_str(), "test.hip", 0, nullptr, nullptr) ==
          HIPRTC_SUCCESS);
  const std::string architecture = std::string("--offload-arch=") + target_name(target);
  const std::string level(optimisation);
  const char* options[] = {architecture.c_str(), "-std=c++20", "-mcode-object-version=5", level.c_str()};
  const hiprtcResult result = hiprtcCompileProgram(program, 4, options);
  if (result != HIPRTC_SUCCESS) {
    std::size_t size = 0;
    hiprtcGetProgramLogSize(program, &size);
    std::string log(size, '\0');
    hiprtcGetProgramLog(program, log.data());
    FAIL(log);
  }
  std::size_t size = 0;
  REQUIRE(hiprtcGetCodeSize(program, &size) == HIPRTC_SUCCESS);
  std::vector<std::byte> code(size);
  REQUIRE(hiprtcGetCode(program, reinterpret_cast<char*>(code.data())) == HIPRTC_SUCCESS);
  hiprtcDestroyProgram(&program);
  return code;
}

} // namespace

MappedRange CompiledMemory::find(std::uint64_t address) const {
  const auto range = [](std::uint64_t base, const std::vector<std::byte>& bytes, bool read_only) {
    return MappedRange{base, base + bytes.size(), const_cast<std::byte*>(bytes.data()), read_only};
  };
  if (const MappedRange whole = range(k_data_base, data, false); whole.contains(address, 1))
    return whole;
  if (const MappedRange whole = range(k_image_base, image, true); whole.contains(address, 1))
    return whole;
  return {};
}

std::string CompiledMemory::describe(std::uint64_t address, std::uint64_t bytes) const {
  return std::to_string(bytes) + " bytes, " + std::to_string(std::int64_t(address - k_data_base)) +
         " from the start of the data";
}

CompiledKernels::CompiledKernels(Target target, std::string_view source, std::string_view optimisation) {
  Result<codeobj::CodeObject> object = codeobj::parse_code_object(compile(target, source, optimisation));
  if (!object.has_value())
    FAIL(object.error().message);
  m_object = std::move(*object);
  Result<Program> program = decode_program(m_object);
  if (!program.has_value())
    FAIL(program.error().message);
  m_program = std::move(*program);
  m_program.code_address = CompiledMemory::k_image_base + m_program.code_virtual_address;
  m_memory.image.resize(m_object.elf.loaded_size());
  for (const codeobj::ElfSegment& segment : m_object.elf.segments) {
    if (segment.type != 1 /* PT_LOAD */)
      continue;
    const std::span<const std::byte> bytes = m_object.segment_bytes(segment);
    std::copy(bytes.begin(), bytes.end(), m_memory.image.begin() + std::ptrdiff_t(segment.virtual_address));
  }
  m_memory.data.resize(k_data + 8192);
}

DispatchResult CompiledKernels::run_bytes(std::string_view kernel, const Launch& launch,
                                          const std::vector<std::byte>& arguments) {
  Dispatch dispatch;
  dispatch.program = &m_program;
  dispatch.kernel = m_object.find_kernel(kernel);
  REQUIRE_MESSAGE(dispatch.kernel != nullptr, std::string(kernel));
  dispatch.memory = &m_memory;
  dispatch.workgroup_size = launch.size;
  for (std::size_t i = 0; i < 3; ++i)
    dispatch.grid_work_items[i] = launch.workgroups[i] * launch.size[i];
  dispatch.dynamic_lds_bytes = launch.dynamic_lds;
  dispatch.kernarg_address = address(k_data);
  dispatch.packet_address = address(k_data + 4096);
  std::copy(arguments.begin(), arguments.end(), m_memory.data.begin() + k_data);
  fill_hidden_arguments(dispatch, std::span(m_memory.data).subspan(k_data, 4096));
  const std::array<std::byte, 64> packet = make_dispatch_packet(dispatch);
  std::copy(packet.begin(), packet.end(), m_memory.data.begin() + k_data + 4096);

  DeviceModel device;
  device.target = m_program.target;
  device.lds_bytes = lds_capacity(device.target);
  Result<DispatchResult> result = run_dispatch(dispatch, device, launch.options);
  if (!result.has_value())
    FAIL(result.error().message);
  if (result->fault.any())
    FAIL(result->fault.sentence());
  return std::move(*result);
}

} // namespace hk::sim::testing
