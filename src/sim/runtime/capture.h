#pragma once
// Stream capture: commands become nodes of a graph instead of being queued.
//
// Rules (HIP and CUDA runtime documentation): a capture begins on an origin stream, spreads to other streams by event
// record and wait, and ends on the origin after every other stream has been joined by an event. Calls that would need
// the work done, or that capture cannot see, fail and invalidate the captures that they endanger.

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "sim/runtime/command.h"
#include "sim/runtime/error.h"
#include "sim/runtime/graph.h"

namespace hk::sim {

class Event;
class Stream;

// Numbers of hipStreamCaptureMode.
enum class CaptureMode : int { global = 0, thread_local_mode = 1, relaxed = 2 };
// Numbers of hipStreamCaptureStatus.
enum class CaptureStatus : int { none = 0, active = 1, invalidated = 2 };

// The calling thread, as far as capture is concerned.
struct CaptureThread {
  std::uint64_t id = 0;
  CaptureMode mode = CaptureMode::global; // hipThreadExchangeStreamCaptureMode
};

class CaptureSession {
 public:
  CaptureSession(std::uint64_t id, CaptureMode mode, std::uint64_t thread, Stream& origin)
      : m_id(id), m_mode(mode), m_thread(thread), m_origin(&origin) {}

 private:
  friend class CaptureRegistry;

  const std::uint64_t m_id;
  const CaptureMode m_mode;
  const std::uint64_t m_thread; // that began it
  Stream* const m_origin;
  std::vector<Stream*> m_members; // the origin among them
  std::shared_ptr<Graph> m_graph = std::make_shared<Graph>();
  bool m_invalidated = false;
  bool m_ended = false;
};

struct CaptureState {
  CaptureStatus status = CaptureStatus::none;
  std::uint64_t id = 0;
};

// All captures of the process. Thread-safe; almost free while nothing is captured.
class CaptureRegistry {
 public:
  Error begin(Stream& stream, CaptureMode mode, const CaptureThread& thread);
  // Also where it fails, the capture is over (except for a wrong stream or thread).
  Outcome<std::shared_ptr<Graph>> end(Stream& stream, const CaptureThread& thread);
  CaptureState state(const Stream& stream) const;
  // Whether work on this null stream would wait for a captured stream: a blocking one of the same device.
  bool endangers_capture(const Stream& null_stream) const;

  // True if the command became a node. Fails with stream_capture_invalidated, or, for the null stream beside a captured
  // blocking stream of the same device, with stream_capture_implicit.
  Outcome<bool> record(Stream& stream, const Command& command);
  // The same for a whole graph that is launched into a capturing stream.
  Outcome<bool> record_graph(Stream& stream, const Graph& graph);
  Outcome<bool> record_event(Stream& stream, Event& event);
  // Also makes a stream a member of the event's capture.
  Outcome<bool> wait_event(Stream& stream, Event& event);

  // Calls that capture does not see (allocation, ...): stream_capture_unsupported where a mode forbids them.
  Error check_unsafe_call(const CaptureThread& thread);
  // hipMemcpy and its like, on the null stream: stream_capture_implicit while anything is captured.
  Error check_synchronous_copy();
  // hipDeviceSynchronize: stream_capture_unsupported while anything is captured.
  Error check_device_wait();
  // hipStreamSynchronize, hipStreamQuery.
  Error check_stream_wait(const Stream& stream, const CaptureThread& thread);
  // hipEventQuery, hipEventSynchronize, hipEventElapsedTime: captured_event for an event recorded by a capture.
  Error check_event_wait(const Event& event);

  // A stream is going away: its capture becomes invalid.
  void forget(Stream& stream);

 private:
  bool any() const { return m_active_count.load(std::memory_order_acquire) != 0; }
  std::uint32_t append(Stream& stream, Command command, std::vector<std::uint32_t> after);
  // The active session of a stream: null if it does not capture.
  Outcome<CaptureSession*> session_for_work(Stream& stream);
  // Runs body(session) under the lock if the stream captures; true if it did.
  template <typename Body>
  Outcome<bool> into_session(Stream& stream, Body&& body);
  static bool endangers(const Stream& null_stream, const CaptureSession& session);
  void finish(const std::shared_ptr<CaptureSession>& session);
  // The captures that a call of this thread which capture cannot see would endanger.
  std::vector<CaptureSession*> endangered_by(const CaptureThread& thread) const;

  mutable std::mutex m_mutex;
  std::vector<std::shared_ptr<CaptureSession>> m_active; // begun, not ended
  std::atomic<std::size_t> m_active_count{0};
  std::uint64_t m_begun = 0;
};

} // namespace hk::sim
