#pragma once
// Runs assembler text on one wave. Example:
//
//   OneWave machine(Target::gfx942);
//   machine.wave().vector[1][0] = 7;
//   machine.run("v_mov_b32_e32 v0, v1");
//   CHECK(machine.wave().vector[0][0] == 7);
//
// Registers, LDS and memory start with a pattern that is no likely result, not with zero.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/machine/memory.h"
#include "sim/machine/program.h"
#include "sim/machine/workgroup.h"

namespace hk::sim::testing {

// One allocation of device memory.
class VectorMemory final : public MemoryMap {
 public:
  explicit VectorMemory(std::size_t size);
  [[nodiscard]] MappedRange find(std::uint64_t address) const override;
  [[nodiscard]] std::string describe(std::uint64_t address, std::uint64_t size) const override;

  std::vector<std::byte> bytes;
  std::uint64_t base = 0x7000'0000'0000; // device address of bytes[0]
};

class OneWave {
 public:
  explicit OneWave(Target target, std::size_t memory_bytes = 16384, std::size_t lds_bytes = 16384);

  [[nodiscard]] Wave& wave() { return *m_workgroup.waves[0]; }
  [[nodiscard]] Workgroup& workgroup() { return m_workgroup; }
  [[nodiscard]] VectorMemory& memory() { return m_memory; }
  [[nodiscard]] std::vector<std::byte>& lds() { return m_workgroup.lds; }
  // The element-th T of device memory or LDS.
  template <typename T>
  [[nodiscard]] T memory_at(std::size_t element) const {
    return read<T>(m_memory.bytes, element);
  }
  template <typename T>
  [[nodiscard]] T lds_at(std::size_t element) const {
    return read<T>(m_workgroup.lds, element);
  }
  template <typename T>
  void set_memory(std::size_t element, T value) {
    std::memcpy(m_memory.bytes.data() + element * sizeof(T), &value, sizeof(T));
  }
  template <typename T>
  void set_lds(std::size_t element, T value) {
    std::memcpy(m_workgroup.lds.data() + element * sizeof(T), &value, sizeof(T));
  }

  // Assembles and executes the text, then completes what is in flight. Text that does not assemble fails the test; a
  // fault does too unless it is expected.
  void run(std::string_view text);
  // The same, but accesses without a wait stay in flight.
  void run_without_completing(std::string_view text);
  // For text that must fault: the fault, after which the wave is as new except for its registers and memory.
  Fault run_to_fault(std::string_view text);
  // The decoded instructions of a text.
  const Program& decode(std::string_view text);

 private:
  template <typename T>
  static T read(const std::vector<std::byte>& bytes, std::size_t element) {
    T value;
    std::memcpy(&value, bytes.data() + element * sizeof(T), sizeof(T));
    return value;
  }
  void execute(std::string_view text);

  Target m_target;
  VectorMemory m_memory;
  Workgroup m_workgroup;
  std::vector<std::unique_ptr<Program>> m_programs; // accesses in flight point into them
};

} // namespace hk::sim::testing
