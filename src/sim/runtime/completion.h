#pragma once
// The end of one piece of queued work: something that a host thread or another queue can wait for.

#include <condition_variable>
#include <memory>
#include <mutex>

namespace hk::sim {

class Completion {
 public:
  // `modelled_end`: when the work ends on the device's modelled clock, in nanoseconds.
  void finish(double modelled_end) {
    {
      const std::lock_guard lock(m_mutex);
      m_done = true;
      m_modelled_end = modelled_end;
    }
    m_changed.notify_all();
  }

  // Returns the modelled end.
  double wait() {
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return m_done; });
    return m_modelled_end;
  }

  [[nodiscard]] bool done() const {
    const std::lock_guard lock(m_mutex);
    return m_done;
  }
  // Zero until done.
  [[nodiscard]] double modelled_end() const {
    const std::lock_guard lock(m_mutex);
    return m_modelled_end;
  }

 private:
  mutable std::mutex m_mutex;
  std::condition_variable m_changed;
  bool m_done = false;
  double m_modelled_end = 0.0;
};

using CompletionPointer = std::shared_ptr<Completion>;

} // namespace hk::sim
