#include "sim/hip_surface/call.h"
#include "sim/runtime/memory_command.h"

using namespace hk::sim;
using namespace hk::sim::surface;

namespace {

MemoryFill make_fill(const void* destination, std::uint32_t value, std::uint32_t element_bytes, std::size_t elements) {
  return {address_of(destination), value, element_bytes, elements};
}

Error check(Simulator& simulator, const MemoryFill& fill) {
  if (fill.elements > ~std::uint64_t{0} / fill.element_bytes)
    return Error(ErrorCode::invalid_value, "the number of elements to fill overflows");
  if (side_of(simulator.memory(), fill.destination) == AddressSide::pageable_host)
    return Error(ErrorCode::invalid_value, address_text(fill.destination) + " is no memory of a device");
  return check_fill(simulator.memory(), fill);
}

hipError_t fill_now(const MemoryFill& fill) {
  return call([&](Simulator& simulator) {
    if (Error refused = simulator.captures.check_synchronous_copy(); !refused.ok())
      return refused;
    if (fill.elements == 0)
      return Error();
    if (Error refused = check(simulator, fill); !refused.ok())
      return refused;
    const std::optional<int> owner = simulator.memory().device_of(fill.destination);
    const Outcome<Device*> device = owner ? simulator.device(*owner) : current_device(simulator);
    return device ? simulator.enqueue_and_wait(*(*device)->null_stream(), fill) : device.error();
  });
}

hipError_t fill_on_stream(const MemoryFill& fill, hipStream_t stream) {
  return call([&](Simulator& simulator) {
    const Outcome<std::shared_ptr<Stream>> found = stream_of(simulator, stream);
    if (!found)
      return found.error();
    if (fill.elements == 0)
      return Error();
    if (Error refused = check(simulator, fill); !refused.ok())
      return refused;
    const Outcome<CompletionPointer> queued = simulator.enqueue(**found, fill);
    return queued ? Error() : queued.error();
  });
}

} // namespace

hipError_t hipMemset(void* dst, int value, size_t sizeBytes) {
  return fill_now(make_fill(dst, static_cast<std::uint32_t>(value), 1, sizeBytes));
}

hipError_t hipMemsetD8(hipDeviceptr_t dest, unsigned char value, size_t count) {
  return fill_now(make_fill(dest, value, 1, count));
}

hipError_t hipMemsetD16(hipDeviceptr_t dest, unsigned short value, size_t count) {
  return fill_now(make_fill(dest, value, 2, count));
}

hipError_t hipMemsetD32(hipDeviceptr_t dest, int value, size_t count) {
  return fill_now(make_fill(dest, static_cast<std::uint32_t>(value), 4, count));
}

hipError_t hipMemsetAsync(void* dst, int value, size_t sizeBytes, hipStream_t stream) {
  return fill_on_stream(make_fill(dst, static_cast<std::uint32_t>(value), 1, sizeBytes), stream);
}

hipError_t hipMemsetD8Async(hipDeviceptr_t dest, unsigned char value, size_t count, hipStream_t stream) {
  return fill_on_stream(make_fill(dest, value, 1, count), stream);
}

hipError_t hipMemsetD16Async(hipDeviceptr_t dest, unsigned short value, size_t count, hipStream_t stream) {
  return fill_on_stream(make_fill(dest, value, 2, count), stream);
}

hipError_t hipMemsetD32Async(hipDeviceptr_t dst, int value, size_t count, hipStream_t stream) {
  return fill_on_stream(make_fill(dst, static_cast<std::uint32_t>(value), 4, count), stream);
}
