#include "sim/runtime/device.h"

#include <algorithm>
#include <utility>

#include "sim/runtime/perform_command.h"
#include "sim/runtime/stream.h"

namespace hk::sim {

Outcome<std::unique_ptr<Device>> Device::create(int ordinal, Profile profile, ProcessMemory& memory,
                                                std::uint64_t schedule_seed) {
  Result<codeobj::TargetId> target_id = codeobj::parse_supported_target_id(profile.target_id);
  if (!target_id)
    return error(error_from(std::move(target_id).error(), ErrorCode::invalid_value));
  const Target target = target_id->processor == target_name(Target::gfx950) ? Target::gfx950 : Target::gfx942;
  return std::unique_ptr<Device>(
      new Device(ordinal, std::move(profile), std::move(*target_id), target, memory, schedule_seed));
}

Device::Device(int ordinal, Profile profile, codeobj::TargetId target_id, Target target, ProcessMemory& memory,
               std::uint64_t schedule_seed)
    : m_ordinal(ordinal), m_profile(std::move(profile)), m_target_id(std::move(target_id)), m_target(target),
      m_schedule_seed(schedule_seed), m_process_memory(memory), m_memory_map(memory, static_cast<std::size_t>(ordinal)),
      m_null_stream(std::make_shared<Stream>(*this, StreamKind::null_stream, 0, 0)) {}

Device::~Device() = default;

void Device::add_stream(Stream& stream) {
  const std::lock_guard lock(m_submit_mutex);
  m_streams.push_back(&stream);
}

void Device::remove_stream(Stream& stream) {
  std::unique_lock lock(m_submit_mutex);
  // Until its work has ended, the null stream and synchronize() must still see the stream.
  const CompletionPointer last = stream.m_last;
  lock.unlock();
  if (last != nullptr)
    last->wait();
  lock.lock();
  std::erase(m_streams, &stream);
}

void Device::add_implicit_dependencies(const Stream& stream, std::vector<CompletionPointer>& after) const {
  if (stream.kind() == StreamKind::non_blocking)
    return;
  for (const Stream* other : m_streams) {
    if (other == &stream || other->kind() == StreamKind::non_blocking || other->m_last == nullptr)
      continue;
    if (stream.kind() == StreamKind::null_stream || other->kind() == StreamKind::null_stream)
      after.push_back(other->m_last);
  }
}

Outcome<CompletionPointer> Device::submit(Stream& stream, Command command, std::vector<CompletionPointer> after) {
  if (faulted())
    return error(fault());
  CompletionPointer completion = std::make_shared<Completion>();
  Work work;
  work.completion = completion;
  work.not_before = m_clock.host_time();
  work.run = [this, command = std::move(command)](double start) {
    if (faulted() || m_cancelled.load(std::memory_order_acquire))
      return start;
    return perform(*this, command, start);
  };
  const std::lock_guard lock(m_submit_mutex);
  add_implicit_dependencies(stream, after);
  work.after = std::move(after);
  stream.m_queue.push(std::move(work));
  stream.m_last = completion;
  return completion;
}

Error Device::wait(const CompletionPointer& completion) {
  if (completion != nullptr)
    m_clock.host_saw(completion->wait());
  return fault();
}

Error Device::synchronize() {
  std::vector<CompletionPointer> last;
  {
    const std::lock_guard lock(m_submit_mutex);
    for (const Stream* stream : m_streams)
      last.push_back(stream->m_last);
  }
  for (const CompletionPointer& completion : last)
    if (completion != nullptr)
      m_clock.host_saw(completion->wait());
  return fault();
}

bool Device::idle(const Stream& stream) {
  std::vector<CompletionPointer> last;
  {
    const std::lock_guard lock(m_submit_mutex);
    last.push_back(stream.m_last);
    if (stream.kind() == StreamKind::null_stream)
      add_implicit_dependencies(stream, last);
  }
  double end = 0.0;
  for (const CompletionPointer& completion : last) {
    if (completion == nullptr)
      continue;
    if (!completion->done())
      return false;
    end = std::max(end, completion->modelled_end());
  }
  m_clock.host_saw(end);
  return true;
}

void Device::raise(ErrorCode code, std::string sentence) {
  const std::lock_guard lock(m_fault_mutex);
  if (faulted())
    return;
  m_fault_sentence = std::move(sentence);
  m_fault_code.store(code, std::memory_order_release);
}

Error Device::fault() const {
  if (!faulted())
    return {};
  const std::lock_guard lock(m_fault_mutex);
  return Error(m_fault_code.load(std::memory_order_acquire), m_fault_sentence);
}

void Device::reset_fault() {
  // What was queued behind the fault is skipped, not run after all.
  static_cast<void>(synchronize());
  const std::lock_guard lock(m_fault_mutex);
  m_fault_sentence.clear();
  m_fault_code.store(ErrorCode::success, std::memory_order_release);
}

} // namespace hk::sim
