#pragma once
// A kernel from assembler text, made into a loadable code object, read back and launched on the simulated machine.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "codeobj/code_object.h"
#include "sim/harness.h"
#include "sim/machine/dispatch.h"

namespace hk::sim::testing {

struct KernelText {
  std::string body;            // instructions, s_endpgm included
  std::string directives = ""; // further .amdhsa_ lines
  std::string arguments = "";  // YAML list entries of .args, e.g. "{.offset: 0, .size: 8, .value_kind: global_buffer}"
  unsigned kernarg_bytes = 8;
  unsigned lds_bytes = 0;
  unsigned scratch_bytes = 0;
  unsigned vgprs = 32; // architectural ones; the accumulation registers follow
  unsigned agprs = 0;
};

// The loadable code object (ELF) with the one kernel `test_kernel`. Text that does not assemble fails the test.
std::vector<std::byte> assembled_object(Target target, const KernelText& text);

class AssembledKernel {
 public:
  AssembledKernel(Target target, const KernelText& text);

  [[nodiscard]] const codeobj::Kernel& kernel() const { return m_object.kernels.front(); }
  [[nodiscard]] const Program& program() const { return m_program; }
  // Device memory; the kernel arguments lie at its start.
  [[nodiscard]] VectorMemory& memory() { return m_memory; }
  template <typename T>
  void set(std::size_t byte_offset, T value) {
    std::memcpy(m_memory.bytes.data() + byte_offset, &value, sizeof value);
  }
  template <typename T>
  [[nodiscard]] T get(std::size_t byte_offset) const {
    T value;
    std::memcpy(&value, m_memory.bytes.data() + byte_offset, sizeof value);
    return value;
  }
  // Address of a byte of the device memory.
  [[nodiscard]] std::uint64_t address(std::size_t byte_offset) const { return m_memory.base + byte_offset; }

  // A launch of whole workgroups; hidden arguments are filled in.
  Dispatch dispatch(std::array<std::uint32_t, 3> workgroups, std::array<std::uint32_t, 3> size);
  // Runs it and requires that it was accepted.
  DispatchResult run(const Dispatch& dispatch, const DispatchOptions& options = {});
  // The same, and requires that it ended without a fault.
  DispatchResult run_without_fault(const Dispatch& dispatch, const DispatchOptions& options = {});
  [[nodiscard]] DeviceModel device() const;

 private:
  codeobj::CodeObject m_object;
  Program m_program;
  VectorMemory m_memory;
};

} // namespace hk::sim::testing
