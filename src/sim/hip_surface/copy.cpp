#include <string>

#include "sim/hip_surface/call.h"
#include "sim/runtime/memory_command.h"

using namespace hk::sim;
using namespace hk::sim::surface;

namespace {

const char* side_name(AddressSide side) {
  switch (side) {
  case AddressSide::device_memory:
    return "device memory";
  case AddressSide::pinned_host:
    return "pinned host memory";
  case AddressSide::pageable_host:
    break;
  }
  return "host memory";
}

// Pinned memory may stand on either side: both sides know its address.
bool fits(AddressSide side, bool wanted_on_device) {
  return side == AddressSide::pinned_host || (side == AddressSide::device_memory) == wanted_on_device;
}

Error check_kind(AddressSide destination, AddressSide source, int kind) {
  bool to_device = false;
  bool from_device = false;
  switch (kind) {
  case hipMemcpyDefault:
    return {};
  case hipMemcpyHostToHost:
    break;
  case hipMemcpyHostToDevice:
    to_device = true;
    break;
  case hipMemcpyDeviceToHost:
    from_device = true;
    break;
  case hipMemcpyDeviceToDevice:
  case hipMemcpyDeviceToDeviceNoCU:
    to_device = from_device = true;
    break;
  default:
    return Error(ErrorCode::invalid_memcpy_direction, "hipMemcpyKind " + std::to_string(kind) + " does not exist");
  }
  if (!fits(destination, to_device))
    return Error(ErrorCode::invalid_memcpy_direction,
                 std::string("the destination is ") + side_name(destination) + ", which the copy kind denies");
  if (!fits(source, from_device))
    return Error(ErrorCode::invalid_memcpy_direction,
                 std::string("the source is ") + side_name(source) + ", which the copy kind denies");
  return {};
}

MemoryCopy make_copy(void* destination, const void* source, std::size_t bytes) {
  return {address_of(destination), address_of(source), bytes};
}

Error check(Simulator& simulator, const MemoryCopy& copy, int kind) {
  if (Error refused = check_copy(simulator.memory(), copy); !refused.ok())
    return refused;
  return check_kind(side_of(simulator.memory(), copy.destination), side_of(simulator.memory(), copy.source), kind);
}

// Whose null stream does a synchronous copy: the device that owns one of the sides, else the current one.
Outcome<Device*> device_for(Simulator& simulator, const MemoryCopy& copy) {
  for (const std::uint64_t address : {copy.destination, copy.source})
    if (const std::optional<int> owner = simulator.memory().device_of(address))
      return simulator.device(*owner);
  return current_device(simulator);
}

Error copy_now(Simulator& simulator, void* destination, const void* source, std::size_t bytes, int kind) {
  if (Error refused = simulator.captures.check_synchronous_copy(); !refused.ok())
    return refused;
  if (bytes == 0)
    return {};
  const MemoryCopy copy = make_copy(destination, source, bytes);
  if (Error refused = check(simulator, copy, kind); !refused.ok())
    return refused;
  const Outcome<Device*> device = device_for(simulator, copy);
  if (!device)
    return device.error();
  // Between two devices: the source's earlier work ends first.
  if (const std::optional<int> owner = simulator.memory().device_of(copy.source);
      owner && *owner != (*device)->ordinal()) {
    if (Error refused = check_may_wait(); !refused.ok())
      return refused;
    const Outcome<Device*> other = simulator.device(*owner);
    if (!other)
      return other.error();
    if (Error fault = (*other)->synchronize(); !fault.ok())
      return fault;
  }
  return simulator.enqueue_and_wait(*(*device)->null_stream(), copy);
}

Error copy_on_stream(Simulator& simulator, void* destination, const void* source, std::size_t bytes, int kind,
                     hipStream_t stream, bool wait) {
  const Outcome<std::shared_ptr<Stream>> found = stream_of(simulator, stream);
  if (!found)
    return found.error();
  if (bytes == 0)
    return {};
  const MemoryCopy copy = make_copy(destination, source, bytes);
  if (Error refused = check(simulator, copy, kind); !refused.ok())
    return refused;
  // The program may change or free pageable memory as soon as the call returns, so the call returns when that is safe.
  const bool pageable = side_of(simulator.memory(), copy.destination) == AddressSide::pageable_host ||
                        side_of(simulator.memory(), copy.source) == AddressSide::pageable_host;
  if (wait || pageable)
    if (Error refused = check_may_wait(); !refused.ok())
      return refused;
  const Outcome<CompletionPointer> queued = simulator.enqueue(**found, copy);
  if (!queued)
    return queued.error();
  if (*queued != nullptr && (wait || pageable))
    return (*found)->device().wait(*queued);
  return {};
}

hipError_t synchronous(void* dst, const void* src, std::size_t bytes, int kind) {
  return call([&](Simulator& simulator) { return copy_now(simulator, dst, src, bytes, kind); });
}

hipError_t asynchronous(void* dst, const void* src, std::size_t bytes, int kind, hipStream_t stream) {
  return call(
      [&](Simulator& simulator) { return copy_on_stream(simulator, dst, src, bytes, kind, stream, /*wait=*/false); });
}

} // namespace

hipError_t hipMemcpy(void* dst, const void* src, size_t sizeBytes, hipMemcpyKind kind) {
  return synchronous(dst, src, sizeBytes, raw_value(kind));
}

hipError_t hipMemcpyAsync(void* dst, const void* src, size_t sizeBytes, hipMemcpyKind kind, hipStream_t stream) {
  return asynchronous(dst, src, sizeBytes, raw_value(kind), stream);
}

hipError_t hipMemcpyWithStream(void* dst, const void* src, size_t sizeBytes, hipMemcpyKind kind, hipStream_t stream) {
  return call([&](Simulator& simulator) {
    const Outcome<std::shared_ptr<Stream>> found = stream_of(simulator, stream);
    if (!found)
      return found.error();
    if (Error refused = simulator.captures.check_stream_wait(**found, capture_thread()); !refused.ok())
      return refused;
    return copy_on_stream(simulator, dst, src, sizeBytes, raw_value(kind), stream, /*wait=*/true);
  });
}

hipError_t hipMemcpyHtoD(hipDeviceptr_t dst, void* src, size_t sizeBytes) {
  return synchronous(dst, src, sizeBytes, hipMemcpyHostToDevice);
}

hipError_t hipMemcpyDtoH(void* dst, hipDeviceptr_t src, size_t sizeBytes) {
  return synchronous(dst, src, sizeBytes, hipMemcpyDeviceToHost);
}

hipError_t hipMemcpyDtoD(hipDeviceptr_t dst, hipDeviceptr_t src, size_t sizeBytes) {
  return synchronous(dst, src, sizeBytes, hipMemcpyDeviceToDevice);
}

hipError_t hipMemcpyHtoDAsync(hipDeviceptr_t dst, void* src, size_t sizeBytes, hipStream_t stream) {
  return asynchronous(dst, src, sizeBytes, hipMemcpyHostToDevice, stream);
}

hipError_t hipMemcpyDtoHAsync(void* dst, hipDeviceptr_t src, size_t sizeBytes, hipStream_t stream) {
  return asynchronous(dst, src, sizeBytes, hipMemcpyDeviceToHost, stream);
}

hipError_t hipMemcpyDtoDAsync(hipDeviceptr_t dst, hipDeviceptr_t src, size_t sizeBytes, hipStream_t stream) {
  return asynchronous(dst, src, sizeBytes, hipMemcpyDeviceToDevice, stream);
}
