#pragma once
// Driver: one open device. Everything above src/device reaches the device through this interface, so that a real GPU,
// the simulated one and the null device are driven by the same code.
//
// Every function may be called from any thread and leaves the calling thread's current device as it was.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/status.h"

namespace hk::device {

using Stream = void*; // hipStream_t or CUstream; null is the default stream
using Event = void*;  // hipEvent_t or CUevent

struct DeviceInfo {
  std::string device;          // as a user would ask for it: "hip:0", "cuda:0", "sim:mi300x", "null"
  std::string product;         // "AMD Instinct MI300X"
  std::string target;          // full target id: "gfx942:sramecc+:xnack-", "sm_90"
  bool simulated = false;      // its event times are modelled
  bool computes = true;        // false: it counts launches and runs nothing
  std::string profile;         // digest of a simulated device's profile: modelled times compare only under the same
  int compute_units = 0;       // as seen by this process: less than the chip's in a partition mode
  std::uint64_t memory = 0;    // bytes
  std::uint64_t lds_bytes = 0; // per workgroup
  int clock_mhz = 0;
  std::string runtime_library; // path of the loaded file; empty for the null device
  std::string runtime_reason;  // why this file
  std::string runtime_version; // as the runtime says
};

// A loaded code object with one kernel. Unloads in its destructor; the caller has waited for its launches.
class Module {
 public:
  virtual ~Module() = default;
};

struct LaunchShape {
  std::uint32_t workgroups = 0;     // grid.x
  std::uint32_t workgroup_size = 0; // work-items, block.x
  // Kernels of the library leave these alone; foreign ones, which `hk sim run` launches, do not.
  std::uint32_t workgroups_y = 1;
  std::uint32_t workgroups_z = 1;
  std::uint32_t workgroup_size_y = 1;
  std::uint32_t workgroup_size_z = 1;
  std::uint32_t dynamic_lds_bytes = 0; // beyond what the code object itself asks for
};

// Where a pointer points.
enum class PointerPlace {
  this_device,
  other_device,
  host, // or memory that the runtime does not know
};

class Driver {
 public:
  virtual ~Driver() = default;

  [[nodiscard]] virtual const DeviceInfo& info() const noexcept = 0;

  // Fails with load_failed; with out_of_memory or launch_failed where that says nothing about the code object: the
  // device has no memory left, or earlier work has brought it down.
  virtual Result<std::unique_ptr<Module>> load(std::span<const std::byte> code_object, const std::string& symbol) = 0;
  // Queues the module's kernel with a copy of its kernarg bytes. Allocates nothing on success. Fails with
  // launch_failed.
  virtual Status launch(const Module& module, LaunchShape shape, std::span<const std::byte> arguments,
                        Stream stream) = 0;
  // Whether work queued on the stream is being captured into a graph; leaves the capture valid.
  virtual Result<bool> is_capturing(Stream stream) = 0;

  virtual PointerPlace place_of(const void* pointer) noexcept = 0;
  virtual Result<void*> allocate(std::size_t bytes) = 0;
  virtual Status free(void* pointer) = 0;
  // Host or device on either side; ordered behind the stream's work; returns when the bytes have arrived.
  virtual Status copy(void* destination, const void* source, std::size_t bytes, Stream stream) = 0;

  virtual Result<Stream> create_stream() = 0;
  virtual Status destroy_stream(Stream stream) = 0;
  virtual Status synchronize(Stream stream) = 0;
  // Waits until the kernels that launch() queued have ended, and disturbs no capture of a stream on which it did not
  // launch. It knows nothing of graphs. Fails with invalid_argument, having waited for nothing certain, where a capture
  // forbids the wait; with launch_failed if device work failed: then nothing runs any more.
  virtual Status wait_for_launches() = 0;

  virtual Result<Event> create_event() = 0;
  virtual Status destroy_event(Event event) = 0;
  virtual Status record(Event event, Stream stream) = 0;
  // Waits for stop. Microseconds of device time.
  virtual Result<double> elapsed(Event start, Event stop) = 0;
};

} // namespace hk::device
