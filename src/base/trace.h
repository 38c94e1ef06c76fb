#pragma once
// The trace: what the library spent its time on, for chrome://tracing or ui.perfetto.dev (HK_TRACE=file.json).
//
// A TraceSpan lasts as long as its scope and is written when it ends. Several processes may write to one file: each
// event is one append, and the times are those of the machine's monotonic clock. The file is a JSON array whose closing
// bracket is left out, as the format allows, so that nothing has to be written at exit.
// Format: "Trace Event Format", JSON array format, complete events (ph X); times in microseconds.

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace hk::base {

namespace trace_state {
inline constinit std::atomic<bool> on{false};
} // namespace trace_state

// One relaxed load.
inline bool trace_enabled() noexcept {
  return trace_state::on.load(std::memory_order_relaxed);
}

// Starts to trace into `file` (%p in its name = the process id; a file with earlier events is continued); empty = off.
// A file that cannot be used costs one warning and the trace, nothing else. Calls with the file in use change nothing.
void configure_trace(const std::string& file) noexcept;

class TraceSpan {
 public:
  // name: lookup, wait, compile, tune, load, launch or self-check; a literal. object: what it is about, a text or a
  // function that returns one; it is not looked at while tracing is off.
  template <typename Object>
  TraceSpan(const char* name, const Object& object) noexcept {
    if (!trace_enabled())
      return;
    if constexpr (std::is_invocable_v<const Object&>)
      begin(name, [&object] { return std::string(object()); });
    else
      begin(name, [&object] { return std::string(object); });
  }
  TraceSpan(const TraceSpan&) = delete;
  TraceSpan& operator=(const TraceSpan&) = delete;
  ~TraceSpan() {
    if (m_name != nullptr)
      end();
  }

  // What came of it, e.g. "hit"; shown beside the object.
  void set_outcome(std::string_view outcome) noexcept;

 private:
  template <typename MakeText>
  void begin(const char* name, MakeText&& make_text) noexcept {
    try {
      m_object = std::forward<MakeText>(make_text)();
    } catch (...) {
      return; // no memory for the text: no event
    }
    m_start = now();
    m_name = name;
  }
  static std::int64_t now() noexcept; // nanoseconds
  void end() noexcept;

  const char* m_name = nullptr; // null: not traced
  std::int64_t m_start = 0;
  std::string m_object;
  std::string m_outcome;
};

} // namespace hk::base
