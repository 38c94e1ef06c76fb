#pragma once
// UsedStreams: the streams on which a driver has launched, so that it can wait for them at its end.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "device/driver.h"

namespace hk::device {

class UsedStreams {
 public:
  // Part of every launch: no lock, no allocation, and usually one load of a line that nobody writes any more.
  void note(Stream stream) noexcept {
    const std::uintptr_t mark = mark_of(stream);
    for (std::size_t n = 0; n < k_capacity; ++n) {
      std::atomic<std::uintptr_t>& slot = m_slots[(mark / k_handle_spacing + n) % k_capacity];
      std::uintptr_t found = slot.load(std::memory_order_relaxed);
      if (found == mark || (found == 0 && slot.compare_exchange_strong(found, mark, std::memory_order_relaxed)) ||
          found == mark)
        return;
    }
    m_complete.store(false, std::memory_order_relaxed);
  }

  // Of a stream that is about to be destroyed. Nothing may be launched on it any more.
  void forget(Stream stream) noexcept {
    for (std::atomic<std::uintptr_t>& slot : m_slots) {
      std::uintptr_t found = mark_of(stream);
      slot.compare_exchange_strong(found, 0, std::memory_order_relaxed);
    }
  }

  // False if there were more streams than it has room for.
  [[nodiscard]] bool complete() const noexcept { return m_complete.load(std::memory_order_relaxed); }

  // Each stream, rarely twice: a place that was given back may be taken again by one that has another. Some may have
  // been destroyed since.
  [[nodiscard]] std::vector<Stream> list() const {
    std::vector<Stream> streams;
    for (const std::atomic<std::uintptr_t>& slot : m_slots) {
      const std::uintptr_t mark = slot.load(std::memory_order_relaxed);
      if (mark != 0)
        streams.push_back(mark == k_default_stream ? nullptr : reinterpret_cast<Stream>(mark)); // NOLINT: a handle
    }
    return streams;
  }

 private:
  // Frameworks keep pools of 32 streams per priority and device; programs that make a stream per request get the
  // addresses of destroyed ones again.
  static constexpr std::size_t k_capacity = 256;
  static constexpr std::uintptr_t k_handle_spacing = 16; // handles are addresses of heap objects
  // Stands for null, which means an empty slot here. It is also what hipStreamLegacy is, the same stream.
  static constexpr std::uintptr_t k_default_stream = 1;

  static std::uintptr_t mark_of(Stream stream) noexcept {
    return stream == nullptr ? k_default_stream : reinterpret_cast<std::uintptr_t>(stream);
  }

  std::array<std::atomic<std::uintptr_t>, k_capacity> m_slots{};
  std::atomic<bool> m_complete{true};
};

} // namespace hk::device
