#pragma once
// HIP source, compiled by hipRTC, loaded into simulated memory and launched on the simulated machine.

#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "codeobj/code_object.h"
#include "sim/machine/dispatch.h"

namespace hk::sim::testing {

// Device memory with an allocation for the code object and one for data.
class CompiledMemory final : public MemoryMap {
 public:
  [[nodiscard]] MappedRange find(std::uint64_t address) const override;
  [[nodiscard]] std::string describe(std::uint64_t address, std::uint64_t bytes) const override;

  std::vector<std::byte> image;
  std::vector<std::byte> data;
  static constexpr std::uint64_t k_image_base = 0x6000'0000'0000;
  static constexpr std::uint64_t k_data_base = 0x7000'0000'0000;
};

class CompiledKernels {
 public:
  CompiledKernels(Target target, std::string_view source, std::string_view optimisation);

  // Data memory: `k_data` bytes for tests, behind them the kernel arguments.
  static constexpr std::size_t k_data = 1 << 20;
  [[nodiscard]] std::uint64_t address(std::size_t offset) const { return CompiledMemory::k_data_base + offset; }
  template <typename T>
  [[nodiscard]] T* at(std::size_t offset) {
    return reinterpret_cast<T*>(m_memory.data.data() + offset);
  }
  void clear() { std::fill(m_memory.data.begin(), m_memory.data.end(), std::byte{0}); }

  struct Launch {
    std::array<std::uint32_t, 3> workgroups{1, 1, 1};
    std::array<std::uint32_t, 3> size{64, 1, 1};
    std::uint32_t dynamic_lds = 0;
    DispatchOptions options{};
  };
  // Arguments in the order of the kernel's parameters; requires that it ends without a fault.
  template <typename... Arguments>
  DispatchResult run(std::string_view kernel, const Launch& launch, Arguments... arguments) {
    std::vector<std::byte> bytes;
    (append(bytes, arguments), ...);
    return run_bytes(kernel, launch, bytes);
  }

 private:
  template <typename T>
  static void append(std::vector<std::byte>& bytes, T value) {
    const std::size_t place = (bytes.size() + alignof(T) - 1) / alignof(T) * alignof(T);
    bytes.resize(place + sizeof(T));
    std::memcpy(bytes.data() + place, &value, sizeof(T));
  }
  DispatchResult run_bytes(std::string_view kernel, const Launch& launch, const std::vector<std::byte>& arguments);

  codeobj::CodeObject m_object;
  Program m_program;
  CompiledMemory m_memory;
};

} // namespace hk::sim::testing
