#pragma once
// A stream: an in-order queue of commands of one device.

#include <cstdint>
#include <memory>
#include <vector>

#include "sim/runtime/completion.h"
#include "sim/runtime/work_queue.h"

namespace hk::sim {

class CaptureSession;
class Device;

enum class StreamKind : std::uint8_t {
  null_stream,  // hipStreamLegacy: in order with all blocking streams
  blocking,     // made without hipStreamNonBlocking
  non_blocking, // knows nothing of the null stream
};

class Stream {
 public:
  Stream(Device& device, StreamKind kind, int priority, std::uint64_t number);
  // Waits for the queued work.
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  [[nodiscard]] Device& device() const { return m_device; }
  [[nodiscard]] StreamKind kind() const { return m_kind; }
  [[nodiscard]] int priority() const { return m_priority; }
  // Counts streams from 1 in the order of creation, for messages.
  [[nodiscard]] std::uint64_t number() const { return m_number; }

 private:
  friend class CaptureRegistry; // m_capture and m_captured_last, under its lock
  friend class Device;          // m_queue and m_last, under its submission lock

  Device& m_device;
  const StreamKind m_kind;
  const int m_priority;
  const std::uint64_t m_number;
  CompletionPointer m_last; // of the work queued last; null before the first

  std::shared_ptr<CaptureSession> m_capture;  // null: not capturing
  std::vector<std::uint32_t> m_captured_last; // graph nodes that the next captured command depends on

  WorkQueue m_queue; // last, so that it is emptied before the rest goes
};

} // namespace hk::sim
