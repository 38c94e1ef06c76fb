#pragma once
// A code object in the memory of a device.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "codeobj/code_object.h"
#include "sim/machine/program.h"
#include "sim/memory/allocation.h"
#include "sim/runtime/error.h"

namespace hk::sim {

class Device;
class LoadedModule;

// What a hipFunction_t stands for.
struct LoadedKernel {
  LoadedModule* module = nullptr;
  const codeobj::Kernel* kernel = nullptr;

  [[nodiscard]] const std::string& name() const { return kernel->metadata.name; }
  // End of the last explicit argument, in bytes from the start of the kernarg segment.
  [[nodiscard]] std::uint64_t explicit_argument_bytes() const;
};

struct DeviceGlobal {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
};

class LoadedModule : public std::enable_shared_from_this<LoadedModule> {
 public:
  // Parses, checks the target, copies the segments (read-only where the program header says so), applies relocations
  // and decodes. Fails with invalid_image (damaged), no_binary_for_gpu (another target) or out_of_memory.
  static Outcome<std::shared_ptr<LoadedModule>> load(Device& device, std::span<const std::byte> image);
  // Frees the device memory.
  ~LoadedModule();
  LoadedModule(const LoadedModule&) = delete;
  LoadedModule& operator=(const LoadedModule&) = delete;

  [[nodiscard]] Device& device() const { return m_device; }
  [[nodiscard]] const Program& program() const { return m_program; }
  [[nodiscard]] const codeobj::CodeObject& object() const { return m_object; }

  // A pointer that keeps the module. Null if there is no such kernel.
  std::shared_ptr<const LoadedKernel> kernel(std::string_view name);
  // Fails with not_found.
  Outcome<DeviceGlobal> global(std::string_view name) const;

  // After hipModuleUnload, launches that are still around (in graphs) fail.
  void mark_unloaded() { m_unloaded.store(true, std::memory_order_release); }
  [[nodiscard]] bool unloaded() const { return m_unloaded.load(std::memory_order_acquire); }

 private:
  LoadedModule(Device& device, codeobj::CodeObject object) : m_device(device), m_object(std::move(object)) {}
  Error copy_segments();
  Error decode();

  Device& m_device;
  codeobj::CodeObject m_object;
  Allocation m_image; // byte `a` of the object's virtual addresses lies at m_image.begin + a
  Program m_program;
  std::unordered_map<std::string, LoadedKernel> m_kernels; // by name; filled once
  std::atomic<bool> m_unloaded{false};
};

} // namespace hk::sim
