#include "sim/memory/address_report.h"

#include <optional>

namespace hk::sim {
namespace {

// Allocations lie at least a granule apart, so below this an address is more likely an offset from a null pointer.
constexpr std::uint64_t k_near_null = std::uint64_t{1} << 16;

std::string inside(const Allocation& allocation, std::uint64_t address, std::uint64_t bytes) {
  const std::uint64_t left = allocation.end() - address;
  if (bytes > left)
    return "start inside " + allocation.description() + " and run " + bytes_text(bytes - left) + " past its end";
  return "lie " + bytes_text(address - allocation.begin) + " into " + allocation.description() +
         (allocation.read_only || allocation.kind == AllocationKind::code_object
              ? ", where they belong to no writable segment"
              : "");
}

std::string nearest(const Neighbourhood& around, std::uint64_t address) {
  const std::uint64_t behind = around.before ? address - around.before->end() : 0;
  const std::uint64_t in_front = around.after ? around.after->begin - address : 0;
  if (around.before && (!around.after || behind <= in_front))
    return (behind == 0 ? "start right behind the end of " : "are " + bytes_text(behind) + " past the end of ") +
           around.before->description();
  if (around.after)
    return "are " + bytes_text(in_front) + " before " + around.after->description();
  return "are near no allocation: none is live";
}

} // namespace

std::string report_address(const ProcessMemory& memory, std::uint64_t address, std::uint64_t bytes) {
  const std::string subject = bytes_text(bytes) + " at " + address_text(address) + " ";
  if (address < k_near_null)
    return subject + "are reached through a null pointer";
  const std::optional<int> device = memory.device_of(address);
  if (!device && !memory.pinned().reserves(address)) {
    const std::optional<Allocation> registered = memory.registered().lookup(address);
    if (registered)
      return subject + inside(*registered, address, bytes);
    return subject + "are no device memory; host memory is reachable only from hipHostMalloc or hipHostRegister";
  }
  const AddressSpace& space = device ? memory.device(static_cast<std::size_t>(*device)) : memory.pinned();
  const Neighbourhood around = space.neighbourhood(address);
  std::string text = subject;
  if (around.containing)
    text += inside(*around.containing, address, bytes);
  else if (around.freed)
    text += "lie " + bytes_text(address - around.freed->begin) + " into freed " + around.freed->description();
  else
    text += nearest(around, address);
  return text + " of " + space.name();
}

} // namespace hk::sim
