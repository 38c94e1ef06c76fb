#pragma once
// An event: the place in a stream where it was recorded last.

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "sim/runtime/completion.h"

namespace hk::sim {

class CaptureSession;
class Device;

class Event {
 public:
  Event(Device& device, bool timed) : m_device(device), m_timed(timed) {}

  [[nodiscard]] Device& device() const { return m_device; }
  [[nodiscard]] bool timed() const { return m_timed; } // false: hipEventDisableTiming

  // The record replaces the one before, captured or not.
  void set_record(CompletionPointer completion) {
    const std::lock_guard lock(m_mutex);
    m_record = std::move(completion);
    m_capture.reset();
    m_captured = false;
    m_captured_nodes.clear();
  }
  // Null if it was never recorded, or recorded last by a capture.
  [[nodiscard]] CompletionPointer record() const {
    const std::lock_guard lock(m_mutex);
    return m_record;
  }

 private:
  friend class CaptureRegistry;

  Device& m_device;
  const bool m_timed;
  mutable std::mutex m_mutex;
  CompletionPointer m_record;
  bool m_captured = false; // recorded last by a capture, which may be over
  std::weak_ptr<CaptureSession> m_capture;
  std::vector<std::uint32_t> m_captured_nodes;
};

} // namespace hk::sim
