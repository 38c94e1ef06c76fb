#include <cstring>
#include <optional>
#include <string>

#include "sim/hip_surface/call.h"
#include "sim/memory/address_report.h"
#include "sim/memory/host_budget.h"
#include "sim/runtime/memory_command.h"

using namespace hk::sim;
using namespace hk::sim::surface;

namespace {

Error allocate_on(Device& device, void** ptr, std::size_t size) {
  *ptr = nullptr;
  if (size == 0)
    return {};
  AllocationRequest request;
  request.size = size;
  hk::Result<Allocation> allocation = device.memory().allocate(std::move(request));
  if (!allocation)
    return error_from(std::move(allocation).error(), ErrorCode::out_of_memory);
  *ptr = pointer_to(allocation->begin);
  return {};
}

// The live hipMalloc allocation that starts there.
Outcome<Location> allocation_to_free(Simulator& simulator, void* ptr, AllocationKind kind) {
  const std::uint64_t address = address_of(ptr);
  const std::optional<Location> location = simulator.memory().locate(address);
  if (!location)
    return error(ErrorCode::invalid_value, report_address(simulator.memory(), address, 1));
  if (location->allocation.kind != kind || location->allocation.begin != address)
    return error(ErrorCode::invalid_value, address_text(address) + " is not the start of memory from " +
                                               allocation_kind_name(kind) + ", but lies in " +
                                               location->allocation.description());
  return *location;
}

// What freeing begins with: refusals of captures and of host functions, then the allocation. Null is nothing to free.
Outcome<std::optional<Location>> begin_free(Simulator& simulator, void* ptr, AllocationKind kind) {
  if (Error refused = simulator.captures.check_unsafe_call(capture_thread()); !refused.ok())
    return error(std::move(refused));
  if (ptr == nullptr)
    return std::optional<Location>();
  if (Error refused = check_may_wait(); !refused.ok())
    return error(std::move(refused));
  Outcome<Location> location = allocation_to_free(simulator, ptr, kind);
  if (!location)
    return error(std::move(location).error());
  return std::optional<Location>(*std::move(location));
}

// Pinned or registered host memory.
Outcome<Location> host_memory(Simulator& simulator, const void* ptr) {
  const std::uint64_t address = address_of(ptr);
  const std::optional<Location> location = simulator.memory().locate(address);
  if (!location || location->device >= 0)
    return error(ErrorCode::invalid_value, report_address(simulator.memory(), address, 1));
  return *location;
}

// Everything that may still use memory ends first, as the HIP runtime does it.
Error wait_for_all(Simulator& simulator) {
  Error first;
  for (std::size_t i = 0; i < simulator.device_count(); ++i) {
    const Outcome<Device*> device = simulator.device(static_cast<int>(i));
    Error fault = device ? (*device)->synchronize() : device.error();
    if (first.ok())
      first = std::move(fault);
  }
  return first;
}

Error allocate_pinned(Simulator& simulator, void** ptr, std::size_t size, unsigned flags) {
  if (ptr == nullptr)
    return null_parameter("ptr");
  if (Error refused = simulator.captures.check_unsafe_call(capture_thread()); !refused.ok())
    return refused;
  if (const Outcome<Device*> device = usable_device(simulator); !device)
    return device.error();
  *ptr = nullptr;
  if (size == 0)
    return {};
  // Pinned pages stay in memory, so they must fit now.
  if (Error refused = error_from(check_host_can_hold(size), ErrorCode::out_of_memory); !refused.ok())
    return refused;
  AllocationRequest request;
  request.size = size;
  request.kind = AllocationKind::host;
  request.flags = flags;
  hk::Result<Allocation> allocation = simulator.memory().pinned().allocate(std::move(request));
  if (!allocation)
    return error_from(std::move(allocation).error(), ErrorCode::out_of_memory);
  *ptr = pointer_to(allocation->begin);
  return {};
}

// For allocating and freeing in stream order.
Outcome<std::shared_ptr<Stream>> stream_outside_of_captures(Simulator& simulator, hipStream_t handle) {
  Outcome<std::shared_ptr<Stream>> stream = stream_of(simulator, handle);
  if (stream && simulator.captures.state(**stream).status != CaptureStatus::none)
    return error(ErrorCode::stream_capture_unsupported,
                 "the simulator has no memory nodes in graphs; allocate and free outside of the capture");
  return stream;
}

} // namespace

hipError_t hipMalloc(void** ptr, size_t size) {
  return call([&](Simulator& simulator) {
    if (ptr == nullptr)
      return null_parameter("ptr");
    if (Error refused = simulator.captures.check_unsafe_call(capture_thread()); !refused.ok())
      return refused;
    const Outcome<Device*> device = usable_device(simulator);
    return device ? allocate_on(**device, ptr, size) : device.error();
  });
}

// Frees memory of any device, whichever is current, as ROCm's does.
hipError_t hipFree(void* ptr) {
  return call([&](Simulator& simulator) {
    const Outcome<std::optional<Location>> location = begin_free(simulator, ptr, AllocationKind::device);
    if (!location || !location->has_value())
      return location ? Error() : location.error();
    const Outcome<Device*> owner = simulator.device((*location)->device);
    if (!owner)
      return owner.error();
    // The memory goes also where a fault is to be reported: programs clean up after one.
    Error fault = (*owner)->synchronize();
    if (Error failed = error_from((*owner)->memory().free(address_of(ptr)), ErrorCode::invalid_value); !failed.ok())
      return failed;
    return fault;
  });
}

hipError_t hipMallocAsync(void** dev_ptr, size_t size, hipStream_t stream) {
  return call([&](Simulator& simulator) {
    if (dev_ptr == nullptr)
      return null_parameter("dev_ptr");
    const Outcome<std::shared_ptr<Stream>> found = stream_outside_of_captures(simulator, stream);
    if (!found)
      return found.error();
    Device& device = (*found)->device();
    return device.faulted() ? device.fault() : allocate_on(device, dev_ptr, size);
  });
}

hipError_t hipFreeAsync(void* dev_ptr, hipStream_t stream) {
  return call([&](Simulator& simulator) {
    if (dev_ptr == nullptr)
      return Error();
    const Outcome<std::shared_ptr<Stream>> found = stream_outside_of_captures(simulator, stream);
    if (!found)
      return found.error();
    const Outcome<Location> location = allocation_to_free(simulator, dev_ptr, AllocationKind::device);
    if (!location)
      return location.error();
    if (location->device != (*found)->device().ordinal())
      return Error(ErrorCode::invalid_value, "the memory belongs to another device than the stream");
    const Outcome<CompletionPointer> queued = simulator.enqueue(**found, MemoryRelease{address_of(dev_ptr)});
    return queued ? Error() : queued.error();
  });
}

hipError_t hipHostMalloc(void** ptr, size_t size, unsigned int flags) {
  return call([&](Simulator& simulator) { return allocate_pinned(simulator, ptr, size, flags); });
}

hipError_t hipHostFree(void* ptr) {
  return call([&](Simulator& simulator) {
    const Outcome<std::optional<Location>> location = begin_free(simulator, ptr, AllocationKind::host);
    if (!location || !location->has_value())
      return location ? Error() : location.error();
    Error fault = wait_for_all(simulator);
    if (Error failed = error_from(simulator.memory().pinned().free(address_of(ptr)), ErrorCode::invalid_value);
        !failed.ok())
      return failed;
    return fault;
  });
}

hipError_t hipHostRegister(void* hostPtr, size_t sizeBytes, unsigned int flags) {
  return call([&](Simulator& simulator) {
    if (hostPtr == nullptr || sizeBytes == 0)
      return Error(ErrorCode::invalid_value, "hipHostRegister needs a pointer and a size that is not 0");
    if (Error refused = simulator.captures.check_unsafe_call(capture_thread()); !refused.ok())
      return refused;
    const std::uint64_t address = address_of(hostPtr);
    if (address + sizeBytes < address || side_of(simulator.memory(), address) == AddressSide::device_memory)
      return Error(ErrorCode::invalid_value, address_text(address) + " is not host memory");
    hk::Status status = simulator.memory().registered().add(address, sizeBytes, flags);
    return status.ok() ? Error() : Error(ErrorCode::host_memory_already_registered, std::move(status.message));
  });
}

hipError_t hipHostUnregister(void* hostPtr) {
  return call([&](Simulator& simulator) {
    if (hostPtr == nullptr)
      return null_parameter("hostPtr");
    if (Error refused = simulator.captures.check_unsafe_call(capture_thread()); !refused.ok())
      return refused;
    if (Error refused = check_may_wait(); !refused.ok())
      return refused;
    Error fault = wait_for_all(simulator);
    hk::Status status = simulator.memory().registered().remove(address_of(hostPtr));
    return status.ok() ? fault : Error(ErrorCode::host_memory_not_registered, std::move(status.message));
  });
}

hipError_t hipHostGetDevicePointer(void** devPtr, void* hstPtr, unsigned int flags) {
  return call([&](Simulator& simulator) {
    if (devPtr == nullptr || flags != 0)
      return Error(ErrorCode::invalid_value, "devPtr must not be null and flags must be 0");
    const Outcome<Location> location = host_memory(simulator, hstPtr);
    if (!location)
      return location.error();
    *devPtr = hstPtr; // both sides use one address
    return Error();
  });
}

hipError_t hipHostGetFlags(unsigned int* flagsPtr, void* hostPtr) {
  return call([&](Simulator& simulator) {
    if (flagsPtr == nullptr)
      return null_parameter("flagsPtr");
    const Outcome<Location> location = host_memory(simulator, hostPtr);
    if (!location)
      return location.error();
    *flagsPtr = location->allocation.flags;
    return Error();
  });
}

hipError_t hipMemGetInfo(size_t* free, size_t* total) {
  return call([&](Simulator& simulator) {
    const Outcome<Device*> device = current_device(simulator);
    if (!device)
      return device.error();
    const AddressSpace& memory = (*device)->memory();
    if (free != nullptr)
      *free = memory.capacity() - memory.bytes_in_use();
    if (total != nullptr)
      *total = memory.capacity();
    return Error();
  });
}

hipError_t hipMemGetAddressRange(hipDeviceptr_t* pbase, size_t* psize, hipDeviceptr_t dptr) {
  return call([&](Simulator& simulator) {
    const MappedRange range = simulator.memory().find(address_of(dptr));
    if (range.begin == range.end)
      return Error(ErrorCode::not_found, report_address(simulator.memory(), address_of(dptr), 1));
    if (pbase != nullptr)
      *pbase = pointer_to(range.begin);
    if (psize != nullptr)
      *psize = range.end - range.begin;
    return Error();
  });
}

hipError_t hipPointerGetAttributes(hipPointerAttribute_t* attributes, const void* ptr) {
  return call([&](Simulator& simulator) {
    if (attributes == nullptr || ptr == nullptr)
      return null_parameter(ptr == nullptr ? "ptr" : "attributes");
    *attributes = hipPointerAttribute_t{};
    const std::optional<Location> location = simulator.memory().locate(address_of(ptr));
    if (!location) {
      attributes->type = hipMemoryTypeUnregistered;
      attributes->device = hipInvalidDeviceId;
      return Error();
    }
    const bool on_device = location->device >= 0;
    attributes->type = on_device ? hipMemoryTypeDevice : hipMemoryTypeHost;
    attributes->device = on_device ? location->device : thread_state().device;
    attributes->devicePointer = pointer_to(address_of(ptr));
    attributes->hostPointer = on_device ? nullptr : pointer_to(address_of(ptr));
    attributes->allocationFlags = location->allocation.flags;
    return Error();
  });
}
