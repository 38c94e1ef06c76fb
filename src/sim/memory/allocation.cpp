#include "sim/memory/allocation.h"

#include <array>
#include <charconv>

namespace hk::sim {

const char* allocation_kind_name(AllocationKind kind) {
  switch (kind) {
  case AllocationKind::device:
    return "hipMalloc";
  case AllocationKind::host:
    return "hipHostMalloc";
  case AllocationKind::registered_host:
    return "hipHostRegister";
  case AllocationKind::code_object:
    return "code object";
  case AllocationKind::kernel_arguments:
    return "kernel arguments";
  case AllocationKind::scratch:
    return "scratch";
  }
  return "unknown";
}

std::string Allocation::description() const {
  return "allocation " + address_text(begin) + " of " + bytes_text(size) + " (" + allocation_kind_name(kind) + " #" +
         std::to_string(ordinal) + ")";
}

std::string address_text(std::uint64_t address) {
  std::array<char, 16> digits{};
  const std::to_chars_result result = std::to_chars(digits.data(), digits.data() + digits.size(), address, 16);
  return "0x" + std::string(digits.data(), result.ptr);
}

std::string bytes_text(std::uint64_t bytes) {
  return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
}

} // namespace hk::sim
