#pragma once
// The simulated machine of this process: devices, memory, and every object that the C API gave a handle for.

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/memory/process_memory.h"
#include "sim/runtime/capture.h"
#include "sim/runtime/command.h"
#include "sim/runtime/device.h"
#include "sim/runtime/error.h"
#include "sim/runtime/event.h"
#include "sim/runtime/event_noise.h"
#include "sim/runtime/graph.h"
#include "sim/runtime/handle_table.h"
#include "sim/runtime/loaded_module.h"
#include "sim/runtime/stream.h"

namespace hk::sim {

class Simulator {
 public:
  // Opens the devices that HK_SIM_DEVICES lists. Fails with no_device.
  static Outcome<std::unique_ptr<Simulator>> create();
  ~Simulator();
  Simulator(const Simulator&) = delete;
  Simulator& operator=(const Simulator&) = delete;

  [[nodiscard]] std::size_t device_count() const { return m_devices.size(); }
  // Fails with invalid_device.
  Outcome<Device*> device(int ordinal) const;
  [[nodiscard]] ProcessMemory& memory() { return *m_memory; }

  std::shared_ptr<Stream> make_stream(Device& device, StreamKind kind, int priority);
  // The stream behind hipStreamPerThread; it lives until the device is reset.
  std::shared_ptr<Stream> per_thread_stream(Device& device, std::uint64_t thread);

  // Queues the command, or records it if the stream is being captured: then the completion is null.
  Outcome<CompletionPointer> enqueue(Stream& stream, const Command& command);
  // The same, and waits for it. The call must have been checked against captures.
  Error enqueue_and_wait(Stream& stream, const Command& command);

  // Ends what the program holds on the device and frees its memory: hipDeviceReset.
  void reset(Device& device);
  // The module's kernels lose their handles; its memory goes when the last launch that uses it has ended.
  void unload(const std::shared_ptr<LoadedModule>& module);

  void cancel();

  CaptureRegistry captures;
  NumberedNoise event_noise; // HK_SIM_NOISE
  HandleTable<Stream> streams;
  HandleTable<Event> events;
  HandleTable<LoadedModule> modules;
  HandleTable<const LoadedKernel> functions;
  HandleTable<Graph> graphs;
  HandleTable<ExecutableGraph> executable_graphs;

 private:
  Simulator() = default;
  // Those of one device, or all (null). They are destroyed by the caller, without the lock: that may wait for their
  // work.
  std::vector<std::shared_ptr<Stream>> take_per_thread_streams(const Device* device);

  std::unique_ptr<ProcessMemory> m_memory;
  std::vector<std::unique_ptr<Device>> m_devices;
  std::atomic<std::uint64_t> m_streams_made{0};
  std::mutex m_per_thread_mutex;
  std::map<std::pair<std::uint64_t, int>, std::shared_ptr<Stream>> m_per_thread; // by thread and device
};

// Whether the calling thread may wait for queued work. Fails with not_supported inside of a host function, where the
// wait might never end.
Error check_may_wait();

} // namespace hk::sim
