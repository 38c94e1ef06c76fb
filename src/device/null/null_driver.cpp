#include "device/null/null_driver.h"

#include <chrono>
#include <cstdlib>
#include <cstring>

#include "codeobj/target_id.h"

namespace hk::device {
namespace {

// What it claims to have: as much as a large GPU.
constexpr std::uint64_t k_memory = std::uint64_t{256} << 30;

class NullModule final : public Module {};

// Streams and events are addresses that mean nothing but "not null".
struct Handle {};

} // namespace

NullDriver::NullDriver(const std::string& device, const std::string& processor) {
  m_info.device = device;
  m_info.product = "null device";
  m_info.target = processor;
  if (codeobj::platform_of(codeobj::TargetId{processor}) == codeobj::Platform::amd)
    m_info.target += ":sramecc+:xnack-"; // as the supported GPUs report themselves
  m_info.memory = k_memory;
  m_info.computes = false;
  m_info.runtime_reason = "the null device needs no runtime";
}

Result<std::unique_ptr<Module>> NullDriver::load(std::span<const std::byte> code_object, const std::string& symbol) {
  if (code_object.empty())
    return fail(StatusCode::load_failed, "load " + symbol + " on " + m_info.device + ": the code object is empty");
  return std::make_unique<NullModule>();
}

Status NullDriver::launch(const Module&, LaunchShape, std::span<const std::byte>, Stream) {
  m_launches.add();
  return {};
}

Result<bool> NullDriver::is_capturing(Stream) {
  return false;
}

PointerPlace NullDriver::place_of(const void*) noexcept {
  return PointerPlace::this_device;
}

Status NullDriver::unknown(const char* what) const {
  return {StatusCode::invalid_argument, std::string(what) + " is not a live one of " + m_info.device};
}

Result<void*> NullDriver::allocate(std::size_t bytes) {
  void* pointer = bytes <= k_memory ? std::calloc(bytes, 1) : nullptr;
  if (pointer == nullptr)
    return fail(StatusCode::out_of_memory,
                "allocate " + std::to_string(bytes) + " bytes on " + m_info.device + ": no memory left");
  const std::lock_guard lock(m_mutex);
  m_allocations.insert(pointer);
  return pointer;
}

Status NullDriver::free(void* pointer) {
  const std::lock_guard lock(m_mutex);
  if (m_allocations.erase(pointer) == 0)
    return unknown("pointer");
  std::free(pointer);
  return {};
}

Status NullDriver::copy(void* destination, const void* source, std::size_t bytes, Stream) {
  std::memmove(destination, source, bytes);
  return {};
}

Result<Stream> NullDriver::create_stream() {
  const std::lock_guard lock(m_mutex);
  const Stream stream = new Handle;
  m_streams.insert(stream);
  return stream;
}

Status NullDriver::destroy_stream(Stream stream) {
  const std::lock_guard lock(m_mutex);
  if (m_streams.erase(stream) == 0)
    return unknown("stream");
  delete static_cast<Handle*>(stream);
  return {};
}

Status NullDriver::synchronize(Stream) {
  return {};
}

Status NullDriver::wait_for_launches() {
  return {};
}

Result<Event> NullDriver::create_event() {
  const std::lock_guard lock(m_mutex);
  const Event event = new Handle;
  m_events.emplace(event, std::chrono::steady_clock::time_point());
  return event;
}

Status NullDriver::destroy_event(Event event) {
  const std::lock_guard lock(m_mutex);
  if (m_events.erase(event) == 0)
    return unknown("event");
  delete static_cast<Handle*>(event);
  return {};
}

Status NullDriver::record(Event event, Stream) {
  const std::lock_guard lock(m_mutex);
  const auto found = m_events.find(event);
  if (found == m_events.end())
    return unknown("event");
  found->second = std::chrono::steady_clock::now();
  return {};
}

Result<double> NullDriver::elapsed(Event start, Event stop) {
  const std::lock_guard lock(m_mutex);
  const auto first = m_events.find(start);
  const auto second = m_events.find(stop);
  if (first == m_events.end() || second == m_events.end())
    return fail(unknown("event"));
  return std::chrono::duration<double, std::micro>(second->second - first->second).count();
}

} // namespace hk::device
