#pragma once
// The null device: accepts every launch, counts it and runs nothing. It is the yardstick of host overhead and lets the
// host path be tested without a device. Its memory is host memory and every pointer counts as its own.

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>

#include "base/sharded_counter.h"
#include "device/driver.h"

namespace hk::device {

class NullDriver : public Driver {
 public:
  // processor: what kernels are compiled for, e.g. "gfx950".
  explicit NullDriver(const std::string& device, const std::string& processor);

  [[nodiscard]] std::uint64_t launches() const noexcept { return m_launches.sum(); }

  [[nodiscard]] const DeviceInfo& info() const noexcept override { return m_info; }
  Result<std::unique_ptr<Module>> load(std::span<const std::byte> code_object, const std::string& symbol) override;
  Status launch(const Module& module, LaunchShape shape, std::span<const std::byte> arguments, Stream stream) override;
  Result<bool> is_capturing(Stream stream) override;
  PointerPlace place_of(const void* pointer) noexcept override;
  Result<void*> allocate(std::size_t bytes) override;
  Status free(void* pointer) override;
  Status copy(void* destination, const void* source, std::size_t bytes, Stream stream) override;
  Result<Stream> create_stream() override;
  Status destroy_stream(Stream stream) override;
  Status synchronize(Stream stream) override;
  Status wait_for_launches() override;
  Result<Event> create_event() override;
  Status destroy_event(Event event) override;
  Status record(Event event, Stream stream) override;
  Result<double> elapsed(Event start, Event stop) override;

 private:
  [[nodiscard]] Status unknown(const char* what) const;

  // Handles are checked as a real runtime does, so that a program with a stale one gets a status and no crash.
  DeviceInfo m_info;
  std::mutex m_mutex; // of the three below
  std::set<void*> m_allocations;
  std::set<Stream> m_streams;
  std::map<Event, std::chrono::steady_clock::time_point> m_events; // and when each was recorded
  base::ShardedCounter m_launches;
};

} // namespace hk::device
