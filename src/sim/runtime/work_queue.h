#pragma once
// An in-order queue of work with a thread of its own, as the hardware queue behind a stream.

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "sim/runtime/completion.h"

namespace hk::sim {

struct Work {
  std::vector<CompletionPointer> after; // work of other queues that must end first; each was queued before this one
  double not_before = 0.0;              // modelled, nanoseconds
  // Gets the modelled start, returns the modelled end. Does not throw.
  std::function<double(double start)> run;
  CompletionPointer completion;
};

class WorkQueue {
 public:
  WorkQueue() = default;
  WorkQueue(const WorkQueue&) = delete;
  WorkQueue& operator=(const WorkQueue&) = delete;
  // Does what is queued, then ends the thread.
  ~WorkQueue();

  // The thread starts with the first piece of work, so that idle streams cost nothing.
  void push(Work work);

  // Whether the calling thread belongs to some queue: there, waiting for queued work may never end.
  static bool on_worker_thread() noexcept;

 private:
  void loop();

  std::mutex m_mutex;
  std::condition_variable m_changed;
  std::deque<Work> m_queued;
  bool m_stop = false;
  double m_modelled_now = 0.0; // end of the work done last; only the worker uses it
  std::thread m_thread;
};

} // namespace hk::sim
