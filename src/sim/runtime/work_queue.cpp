#include "sim/runtime/work_queue.h"

#include <algorithm>
#include <utility>

namespace hk::sim {
namespace {

thread_local bool t_worker = false;

} // namespace

WorkQueue::~WorkQueue() {
  {
    const std::lock_guard lock(m_mutex);
    m_stop = true;
  }
  m_changed.notify_all();
  if (m_thread.joinable())
    m_thread.join();
}

void WorkQueue::push(Work work) {
  {
    const std::lock_guard lock(m_mutex);
    if (!m_thread.joinable())
      m_thread = std::thread([this] { loop(); });
    m_queued.push_back(std::move(work));
  }
  m_changed.notify_one();
}

bool WorkQueue::on_worker_thread() noexcept {
  return t_worker;
}

void WorkQueue::loop() {
  t_worker = true;
  while (true) {
    Work work;
    {
      std::unique_lock lock(m_mutex);
      m_changed.wait(lock, [this] { return m_stop || !m_queued.empty(); });
      if (m_queued.empty())
        return;
      work = std::move(m_queued.front());
      m_queued.pop_front();
    }
    double start = std::max(m_modelled_now, work.not_before);
    for (const CompletionPointer& completion : work.after)
      start = std::max(start, completion->wait());
    m_modelled_now = work.run(start);
    // What the work holds may be the last reference to a module or graph: let go before others go on.
    work.run = nullptr;
    work.completion->finish(m_modelled_now);
  }
}

} // namespace hk::sim
