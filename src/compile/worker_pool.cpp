#include "compile/worker_pool.h"

#include <condition_variable>
#include <mutex>
#include <vector>

#include <unistd.h>

#include "base/usable_processors.h"
#include "compile/compile_options.h"
#include "compile/worker_location.h"

namespace hk::compile {

struct WorkerPool::State {
  std::once_flag swept;
  std::mutex mutex; // guards what follows
  std::condition_variable slot_free;
  unsigned used_slots = 0;
  std::vector<std::unique_ptr<WorkerClient>> idle; // the last one worked last
};

// The right of this process to run one compile: waits for one that is free, gives it back when it goes.
class WorkerPool::Slot {
 public:
  Slot(State& state, unsigned slots) : m_state(state) {
    std::unique_lock lock(m_state.mutex);
    m_state.slot_free.wait(lock, [this, slots] { return m_state.used_slots < slots; });
    ++m_state.used_slots;
  }
  Slot(const Slot&) = delete;
  Slot& operator=(const Slot&) = delete;
  ~Slot() {
    {
      const std::lock_guard lock(m_state.mutex);
      --m_state.used_slots;
    }
    m_state.slot_free.notify_one();
  }

 private:
  State& m_state;
};

WorkerPool::WorkerPool(const CompilerOptions& options, Result<ToolChain> tool_chain)
    : m_options(options), m_tool_chain(std::move(tool_chain)), m_owner(::getpid()),
      m_slots(options.max_workers != 0 ? options.max_workers : base::usable_processors()),
      m_machine_slots(options.slot_folder, m_slots), m_state(std::make_unique<State>()) {}

WorkerPool::~WorkerPool() {
  // In a forked child threads may hold or wait for the state that do not exist there, and the workers are the parent's:
  // the copy is left alone.
  if (::getpid() != m_owner) [[maybe_unused]]
    const State* copy = m_state.release();
}

Result<CompileResult> WorkerPool::compile(const CompileRequest& request) {
  if (::getpid() != m_owner)
    return fail(StatusCode::forked, "this process is a forked child of the one that made the compiler; make a new "
                                    "context in the child");
  HK_RETURN_IF_ERROR(check_request(request));
  if (!m_tool_chain)
    return fail(m_tool_chain.error());
  const auto limit = request.limits.wall.count() != 0 ? request.limits.wall : m_options.wall_limit;
  // The machine's slot goes back first, so that the next thread of this process finds it free.
  const Slot slot(*m_state, m_slots);
  const base::RangeLock machine_slot = m_machine_slots.take(Clock::now() + limit);
  return compile_in_slot(request, limit);
}

Result<std::string> WorkerPool::worker() const {
  return find_worker(m_options.worker_program);
}

Result<CompileResult> WorkerPool::compile_in_slot(const CompileRequest& request, std::chrono::milliseconds limit) {
  const Clock::time_point deadline = Clock::now() + limit;
  // Twice: an idle worker may end itself just when it is asked. A new one does not.
  for (int attempt = 0;; ++attempt) {
    HK_ASSIGN_OR_RETURN(std::unique_ptr<WorkerClient> worker, take_worker(deadline));
    auto result = worker->compile(request, *m_tool_chain, deadline);
    if (worker->retired() && attempt == 0)
      continue;
    give_back(std::move(worker));
    return result;
  }
}

Result<std::unique_ptr<WorkerClient>> WorkerPool::take_worker(Clock::time_point deadline) {
  if (auto idle = take_idle_worker())
    return idle;
  HK_ASSIGN_OR_RETURN(std::string program, find_worker(m_options.worker_program));
  std::call_once(m_state->swept, [this] { remove_abandoned_folders(m_options.temporary_folder); });
  const WorkerSettings settings{std::move(program), m_options.temporary_folder, m_options.library_path,
                                m_options.worker_idle_limit};
  return WorkerClient::start(settings, *m_tool_chain, deadline);
}

std::unique_ptr<WorkerClient> WorkerPool::take_idle_worker() {
  std::unique_lock lock(m_state->mutex);
  while (!m_state->idle.empty()) {
    std::unique_ptr<WorkerClient> worker = std::move(m_state->idle.back());
    m_state->idle.pop_back();
    lock.unlock();
    if (worker->usable())
      return worker;
    worker.reset();
    lock.lock();
  }
  return nullptr;
}

void WorkerPool::give_back(std::unique_ptr<WorkerClient> worker) {
  if (!worker->usable())
    return;
  const std::lock_guard lock(m_state->mutex);
  m_state->idle.push_back(std::move(worker));
}

} // namespace hk::compile
