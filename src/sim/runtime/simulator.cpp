#include "sim/runtime/simulator.h"

#include "base/config.h"
#include "sim/machine/operation.h"
#include "sim/profiles/profile.h"

namespace hk::sim {

Outcome<std::unique_ptr<Simulator>> Simulator::create() {
  const Result<base::Config> config = base::read_config();
  if (!config)
    return error(error_from(config.error(), ErrorCode::no_device));
  Result<std::vector<Profile>> profiles = profiles_of_list(config->simulator_devices);
  if (!profiles)
    return error(error_from(std::move(profiles).error(), ErrorCode::no_device));
  if (profiles->size() > k_device_limit)
    return error(ErrorCode::no_device, "HK_SIM_DEVICES lists " + std::to_string(profiles->size()) +
                                           " devices; the simulator has at most " + std::to_string(k_device_limit));
  std::vector<std::uint64_t> capacities;
  std::vector<std::string> names;
  for (const Profile& profile : *profiles) {
    capacities.push_back(profile.memory_bytes);
    names.push_back("device " + std::to_string(names.size()) + " (" + profile.name + ")");
  }
  const std::optional<EventNoise> noise = EventNoise::parse(config->simulator_noise);
  if (!noise)
    return error(ErrorCode::no_device,
                 "HK_SIM_NOISE=" + config->simulator_noise + " is not seed:sigma:outliers; correct or unset it");
  // Made now, because kernels use it on other threads until the simulator ends, and a static object that is made later
  // is destroyed earlier.
  static_cast<void>(operation_table());
  std::unique_ptr<Simulator> simulator(new Simulator());
  simulator->event_noise.set(*noise);
  Result<std::unique_ptr<ProcessMemory>> memory = ProcessMemory::create(capacities, names);
  if (!memory)
    return error(error_from(std::move(memory).error(), ErrorCode::out_of_memory));
  simulator->m_memory = std::move(*memory);
  for (Profile& profile : *profiles) {
    Outcome<std::unique_ptr<Device>> device =
        Device::create(static_cast<int>(simulator->m_devices.size()), std::move(profile), *simulator->m_memory,
                       config->simulator_schedule);
    if (!device)
      return error(std::move(device).error());
    simulator->m_devices.push_back(std::move(*device));
  }
  return simulator;
}

Simulator::~Simulator() {
  cancel();
  // Streams first: their workers use everything else.
  take_per_thread_streams(nullptr);
  streams.remove_if([](const Stream&) { return true; });
  for (const std::unique_ptr<Device>& device : m_devices)
    static_cast<void>(device->synchronize());
  executable_graphs.remove_if([](const ExecutableGraph&) { return true; });
  graphs.remove_if([](const Graph&) { return true; });
  functions.remove_if([](const LoadedKernel&) { return true; });
  modules.remove_if([](const LoadedModule&) { return true; });
}

void Simulator::cancel() {
  for (const std::unique_ptr<Device>& device : m_devices)
    device->cancel();
}

Outcome<Device*> Simulator::device(int ordinal) const {
  if (ordinal < 0 || static_cast<std::size_t>(ordinal) >= m_devices.size())
    return error(ErrorCode::invalid_device, "there is no device " + std::to_string(ordinal) + "; there are " +
                                                std::to_string(m_devices.size()) + ", counted from 0");
  return m_devices[static_cast<std::size_t>(ordinal)].get();
}

std::shared_ptr<Stream> Simulator::make_stream(Device& device, StreamKind kind, int priority) {
  return std::make_shared<Stream>(device, kind, priority, ++m_streams_made);
}

std::shared_ptr<Stream> Simulator::per_thread_stream(Device& device, std::uint64_t thread) {
  const std::lock_guard lock(m_per_thread_mutex);
  std::shared_ptr<Stream>& stream = m_per_thread[{thread, device.ordinal()}];
  if (stream == nullptr)
    stream = make_stream(device, StreamKind::blocking, 0);
  return stream;
}

std::vector<std::shared_ptr<Stream>> Simulator::take_per_thread_streams(const Device* device) {
  std::vector<std::shared_ptr<Stream>> taken;
  const std::lock_guard lock(m_per_thread_mutex);
  for (auto entry = m_per_thread.begin(); entry != m_per_thread.end();) {
    if (device != nullptr && &entry->second->device() != device) {
      ++entry;
      continue;
    }
    taken.push_back(std::move(entry->second));
    entry = m_per_thread.erase(entry);
  }
  return taken;
}

Outcome<CompletionPointer> Simulator::enqueue(Stream& stream, const Command& command) {
  const Outcome<bool> captured = captures.record(stream, command);
  if (!captured)
    return error(captured.error());
  if (*captured)
    return CompletionPointer();
  return stream.device().submit(stream, command);
}

Error Simulator::enqueue_and_wait(Stream& stream, const Command& command) {
  if (Error refused = check_may_wait(); !refused.ok())
    return refused;
  const Outcome<CompletionPointer> completion = stream.device().submit(stream, command);
  if (!completion)
    return completion.error();
  return stream.device().wait(*completion);
}

void Simulator::unload(const std::shared_ptr<LoadedModule>& module) {
  static_cast<void>(module->device().synchronize());
  module->mark_unloaded();
  functions.remove_if([&](const LoadedKernel& kernel) { return kernel.module == module.get(); });
}

void Simulator::reset(Device& device) {
  static_cast<void>(device.synchronize());
  for (const std::shared_ptr<Stream>& stream :
       streams.remove_if([&](const Stream& s) { return &s.device() == &device; }))
    captures.forget(*stream);
  take_per_thread_streams(&device);
  events.remove_if([&](const Event& event) { return &event.device() == &device; });
  executable_graphs.remove_if([&](const ExecutableGraph& graph) { return graph.graph.device == device.ordinal(); });
  graphs.remove_if([&](const Graph& graph) { return graph.device == device.ordinal(); });
  for (const std::shared_ptr<LoadedModule>& module :
       modules.remove_if([&](const LoadedModule& m) { return &m.device() == &device; }))
    unload(module);
  device.memory().free_all(AllocationKind::device);
  device.reset_fault();
}

Error check_may_wait() {
  if (WorkQueue::on_worker_thread())
    return Error(ErrorCode::not_supported,
                 "a host function or callback must not wait for the device: the stream that runs it would wait for "
                 "itself; set a flag there and wait on the host");
  return {};
}

} // namespace hk::sim
