#include "sim/runtime/capture.h"

#include <algorithm>
#include <string>
#include <utility>

#include "sim/runtime/device.h"
#include "sim/runtime/event.h"
#include "sim/runtime/stream.h"

namespace hk::sim {
namespace {

Error invalidated_error() {
  return Error(ErrorCode::stream_capture_invalidated,
               "the capture was invalidated by an earlier call; end it with hipStreamEndCapture and start again");
}

void merge(std::vector<std::uint32_t>& into, const std::vector<std::uint32_t>& nodes) {
  for (const std::uint32_t node : nodes)
    if (std::find(into.begin(), into.end(), node) == into.end())
      into.push_back(node);
}

bool is_subset(const std::vector<std::uint32_t>& small, const std::vector<std::uint32_t>& large) {
  return std::all_of(small.begin(), small.end(),
                     [&](std::uint32_t node) { return std::find(large.begin(), large.end(), node) != large.end(); });
}

} // namespace

Error CaptureRegistry::begin(Stream& stream, CaptureMode mode, const CaptureThread& thread) {
  const std::lock_guard lock(m_mutex);
  if (stream.kind() == StreamKind::null_stream)
    return Error(ErrorCode::stream_capture_unsupported, "the null stream cannot be captured; make a stream");
  if (stream.m_capture != nullptr)
    return Error(ErrorCode::illegal_state, "the stream is being captured already");
  stream.m_capture = std::make_shared<CaptureSession>(++m_begun, mode, thread.id, stream);
  stream.m_capture->m_members.push_back(&stream);
  stream.m_capture->m_graph->device = stream.device().ordinal();
  stream.m_captured_last.clear();
  m_active.push_back(stream.m_capture);
  m_active_count.store(m_active.size(), std::memory_order_release);
  return {};
}

Outcome<std::shared_ptr<Graph>> CaptureRegistry::end(Stream& stream, const CaptureThread& thread) {
  const std::lock_guard lock(m_mutex);
  const std::shared_ptr<CaptureSession> session = stream.m_capture;
  if (session == nullptr)
    return error(ErrorCode::illegal_state, "the stream is not being captured");
  if (session->m_origin != &stream)
    return error(ErrorCode::stream_capture_unmatched,
                 "the capture was begun on another stream; end it there, this one joined by an event");
  if (session->m_mode != CaptureMode::relaxed && session->m_thread != thread.id)
    return error(ErrorCode::stream_capture_wrong_thread,
                 "the capture was begun by another thread; end it there, or begin it in relaxed mode");
  const bool joined = is_subset(session->m_graph->leaves(), stream.m_captured_last);
  finish(session);
  if (session->m_invalidated)
    return error(invalidated_error());
  if (!joined)
    return error(ErrorCode::stream_capture_unjoined,
                 "a stream that joined the capture has work behind which the origin stream does not wait; record an "
                 "event there and let the origin wait for it");
  return session->m_graph;
}

void CaptureRegistry::finish(const std::shared_ptr<CaptureSession>& session) {
  for (Stream* member : session->m_members) {
    member->m_capture.reset();
    member->m_captured_last.clear();
  }
  session->m_members.clear();
  session->m_ended = true;
  std::erase(m_active, session);
  m_active_count.store(m_active.size(), std::memory_order_release);
}

CaptureState CaptureRegistry::state(const Stream& stream) const {
  if (!any())
    return {};
  const std::lock_guard lock(m_mutex);
  if (stream.m_capture == nullptr)
    return {};
  return {stream.m_capture->m_invalidated ? CaptureStatus::invalidated : CaptureStatus::active, stream.m_capture->m_id};
}

bool CaptureRegistry::endangers(const Stream& null_stream, const CaptureSession& session) {
  return std::any_of(session.m_members.begin(), session.m_members.end(), [&](const Stream* member) {
    return member->kind() == StreamKind::blocking && &member->device() == &null_stream.device();
  });
}

bool CaptureRegistry::endangers_capture(const Stream& null_stream) const {
  if (!any())
    return false;
  const std::lock_guard lock(m_mutex);
  return std::any_of(m_active.begin(), m_active.end(),
                     [&](const std::shared_ptr<CaptureSession>& session) { return endangers(null_stream, *session); });
}

Outcome<CaptureSession*> CaptureRegistry::session_for_work(Stream& stream) {
  if (stream.m_capture != nullptr) {
    if (stream.m_capture->m_invalidated)
      return error(invalidated_error());
    return stream.m_capture.get();
  }
  if (stream.kind() != StreamKind::null_stream)
    return nullptr;
  bool endangered = false;
  for (const std::shared_ptr<CaptureSession>& session : m_active) {
    if (endangers(stream, *session)) {
      session->m_invalidated = true;
      endangered = true;
    }
  }
  if (endangered)
    return error(ErrorCode::stream_capture_implicit,
                 "work on the null stream would wait for a blocking stream that is being captured; use another stream");
  return nullptr;
}

std::uint32_t CaptureRegistry::append(Stream& stream, Command command, std::vector<std::uint32_t> after) {
  std::vector<GraphNode>& nodes = stream.m_capture->m_graph->nodes;
  nodes.push_back({std::move(command), std::move(after)});
  return static_cast<std::uint32_t>(nodes.size() - 1);
}

template <typename Body>
Outcome<bool> CaptureRegistry::into_session(Stream& stream, Body&& body) {
  if (!any())
    return false;
  const std::lock_guard lock(m_mutex);
  const Outcome<CaptureSession*> session = session_for_work(stream);
  if (!session)
    return error(session.error());
  if (*session == nullptr)
    return false;
  body(**session);
  return true;
}

Outcome<bool> CaptureRegistry::record(Stream& stream, const Command& command) {
  return into_session(stream, [&](CaptureSession&) {
    const std::uint32_t node = append(stream, command, stream.m_captured_last);
    stream.m_captured_last = {node};
  });
}

Outcome<bool> CaptureRegistry::record_graph(Stream& stream, const Graph& graph) {
  return into_session(stream, [&](CaptureSession& session) {
    if (graph.nodes.empty())
      return;
    const std::vector<std::uint32_t> before = stream.m_captured_last;
    const std::uint32_t first = static_cast<std::uint32_t>(session.m_graph->nodes.size());
    for (const GraphNode& node : graph.nodes) {
      std::vector<std::uint32_t> after = node.after.empty() ? before : node.after;
      if (!node.after.empty())
        for (std::uint32_t& earlier : after)
          earlier += first;
      append(stream, node.command, std::move(after));
    }
    stream.m_captured_last.clear();
    for (const std::uint32_t leaf : graph.leaves())
      stream.m_captured_last.push_back(first + leaf);
  });
}

Outcome<bool> CaptureRegistry::record_event(Stream& stream, Event& event) {
  return into_session(stream, [&](CaptureSession&) {
    const std::lock_guard event_lock(event.m_mutex);
    event.m_record.reset();
    event.m_captured = true;
    event.m_capture = stream.m_capture;
    event.m_captured_nodes = stream.m_captured_last;
  });
}

Outcome<bool> CaptureRegistry::wait_event(Stream& stream, Event& event) {
  const std::lock_guard lock(m_mutex);
  const std::lock_guard event_lock(event.m_mutex);
  if (stream.m_capture != nullptr && stream.m_capture->m_invalidated)
    return error(invalidated_error());
  const std::shared_ptr<CaptureSession> source = event.m_capture.lock();
  if (!event.m_captured) {
    if (stream.m_capture == nullptr || event.m_record == nullptr)
      return stream.m_capture != nullptr; // never recorded: nothing to wait for
    stream.m_capture->m_invalidated = true;
    return error(ErrorCode::stream_capture_isolation,
                 "a capturing stream cannot wait for an event recorded outside of the capture");
  }
  if (source == nullptr || source->m_ended)
    return error(ErrorCode::captured_event, "the event was recorded last by a capture that is over; record it anew");
  if (source->m_invalidated)
    return error(invalidated_error());
  if (stream.kind() == StreamKind::null_stream) {
    source->m_invalidated = true;
    return error(ErrorCode::stream_capture_implicit, "the null stream cannot join a capture; use another stream");
  }
  if (&stream.device() != &source->m_origin->device()) {
    source->m_invalidated = true;
    return error(ErrorCode::not_supported, "a capture cannot spread to a stream of another device");
  }
  if (stream.m_capture == nullptr) {
    stream.m_capture = source;
    stream.m_captured_last.clear();
    source->m_members.push_back(&stream);
  } else if (stream.m_capture != source) {
    source->m_invalidated = true;
    stream.m_capture->m_invalidated = true;
    return error(ErrorCode::stream_capture_merge, "waiting for the event would merge two independent captures");
  }
  merge(stream.m_captured_last, event.m_captured_nodes);
  return true;
}

std::vector<CaptureSession*> CaptureRegistry::endangered_by(const CaptureThread& thread) const {
  std::vector<CaptureSession*> result;
  if (thread.mode == CaptureMode::relaxed)
    return result;
  for (const std::shared_ptr<CaptureSession>& session : m_active) {
    const bool own = session->m_thread == thread.id && session->m_mode != CaptureMode::relaxed;
    const bool everywhere = session->m_mode == CaptureMode::global && thread.mode == CaptureMode::global;
    if (own || everywhere)
      result.push_back(session.get());
  }
  return result;
}

Error CaptureRegistry::check_unsafe_call(const CaptureThread& thread) {
  if (!any())
    return {};
  const std::lock_guard lock(m_mutex);
  const std::vector<CaptureSession*> endangered = endangered_by(thread);
  for (CaptureSession* session : endangered)
    session->m_invalidated = true;
  if (endangered.empty())
    return {};
  return Error(ErrorCode::stream_capture_unsupported,
               "the call is not permitted while a stream is captured in this mode; do it before the capture");
}

Error CaptureRegistry::check_synchronous_copy() {
  if (!any())
    return {};
  const std::lock_guard lock(m_mutex);
  for (const std::shared_ptr<CaptureSession>& session : m_active)
    session->m_invalidated = true;
  return Error(ErrorCode::stream_capture_implicit,
               "a synchronous copy or fill uses the null stream and cannot run while a stream is captured; use the "
               "asynchronous call on the captured stream");
}

Error CaptureRegistry::check_device_wait() {
  if (!any())
    return {};
  const std::lock_guard lock(m_mutex);
  for (const std::shared_ptr<CaptureSession>& session : m_active)
    session->m_invalidated = true;
  return Error(ErrorCode::stream_capture_unsupported, "the device cannot be waited for while a stream is captured");
}

Error CaptureRegistry::check_stream_wait(const Stream& stream, const CaptureThread& thread) {
  if (!any())
    return {};
  {
    const std::lock_guard lock(m_mutex);
    if (stream.m_capture != nullptr) {
      stream.m_capture->m_invalidated = true;
      return Error(ErrorCode::stream_capture_unsupported,
                   "a stream cannot be waited for or queried while it is captured");
    }
  }
  return check_unsafe_call(thread);
}

Error CaptureRegistry::check_event_wait(const Event& event) {
  const std::lock_guard lock(m_mutex);
  const std::lock_guard event_lock(event.m_mutex);
  if (!event.m_captured)
    return {};
  if (const std::shared_ptr<CaptureSession> session = event.m_capture.lock(); session != nullptr && !session->m_ended)
    session->m_invalidated = true;
  return Error(ErrorCode::captured_event,
               "the event was recorded last by a capture, so it marks no time; record it anew");
}

void CaptureRegistry::forget(Stream& stream) {
  if (!any())
    return;
  const std::lock_guard lock(m_mutex);
  const std::shared_ptr<CaptureSession> session = stream.m_capture;
  if (session == nullptr)
    return;
  session->m_invalidated = true;
  if (session->m_origin == &stream) {
    finish(session);
    return;
  }
  std::erase(session->m_members, &stream);
  stream.m_capture.reset();
}

} // namespace hk::sim
