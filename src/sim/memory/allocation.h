#pragma once
// What the simulator remembers about a piece of memory that it handed out.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hk::sim {

enum class AllocationKind : std::uint8_t {
  device,           // hipMalloc, hipMallocAsync
  host,             // hipHostMalloc
  registered_host,  // hipHostRegister
  code_object,      // the segments of a loaded module
  kernel_arguments, // the kernarg segment of one launch
  scratch,          // private memory of the waves of one launch
};

const char* allocation_kind_name(AllocationKind kind);

// A part of an allocation with rights of its own; bytes between the parts belong to nobody.
struct AllocationPart {
  std::uint64_t begin = 0; // device address
  std::uint64_t end = 0;
  bool read_only = false;  // for kernels; the host may still write constants
  bool executable = false; // decoded when it was loaded, so that nobody may write it
};

struct Allocation {
  std::uint64_t begin = 0; // device address
  std::uint64_t size = 0;  // bytes, exactly as asked for
  AllocationKind kind = AllocationKind::device;
  std::uint64_t ordinal = 0; // counts the allocations of one address space from 1
  std::uint32_t flags = 0;   // the caller's, kept for queries
  bool read_only = false;
  std::byte* host = nullptr; // where the simulator finds byte `begin`

  [[nodiscard]] std::uint64_t end() const { return begin + size; }
  // "allocation 0x7f... of 4096 bytes (hipMalloc #12)"
  [[nodiscard]] std::string description() const;
};

std::string address_text(std::uint64_t address);
// "1 byte", "2 bytes"
std::string bytes_text(std::uint64_t bytes);

} // namespace hk::sim
