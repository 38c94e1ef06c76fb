#include "sim/runtime/process_simulator.h"

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include <utility>

#include <unistd.h>

#include "sim/runtime/simulator.h"
#include "sim/runtime/work_queue.h"

namespace hk::sim {
namespace {

// Plain pointers and atomics only: nothing here may be destroyed while another thread still calls.
std::mutex g_creation_mutex;
std::atomic<Simulator*> g_simulator{nullptr};
std::atomic<pid_t> g_owner{0};       // the process that made the simulator; 0: nobody yet
std::atomic<bool> g_ended{false};    // of that process
std::atomic<int> g_calls_running{0}; // calls that may hold a pointer to the simulator

// exit() and dlclose() destroy what was made last first, and this is made after everything that the queues use.
struct EndOfProcess {
  ~EndOfProcess() { end_process_simulator(); }
};

bool in_forked_child() {
  const pid_t owner = g_owner.load(std::memory_order_acquire);
  return owner != 0 && owner != getpid();
}

Error refusal() {
  if (in_forked_child())
    return Error(ErrorCode::not_initialized,
                 "this process was forked from one that uses the simulated GPU, whose threads and memory do not exist "
                 "here; fork before the first HIP call, or start a new program");
  if (g_ended.load(std::memory_order_acquire))
    return Error(ErrorCode::deinitialized, "the simulated GPU has been shut down, because the process is ending");
  return {};
}

} // namespace

Outcome<SimulatorUse> SimulatorUse::begin() {
  if (Error refused = refusal(); !refused.ok())
    return error(std::move(refused));
  g_calls_running.fetch_add(1, std::memory_order_acq_rel);
  SimulatorUse use(g_simulator.load(std::memory_order_acquire));
  if (g_ended.load(std::memory_order_acquire))
    return error(refusal());
  if (use.m_simulator != nullptr)
    return use;
  const std::lock_guard lock(g_creation_mutex);
  use.m_simulator = g_simulator.load(std::memory_order_acquire);
  if (use.m_simulator != nullptr)
    return use;
  Outcome<std::unique_ptr<Simulator>> made = Simulator::create();
  if (!made)
    return error(std::move(made).error());
  static const EndOfProcess end;
  g_owner.store(getpid(), std::memory_order_release);
  use.m_simulator = made->release();
  g_simulator.store(use.m_simulator, std::memory_order_release);
  return use;
}

SimulatorUse::SimulatorUse(SimulatorUse&& other) noexcept : m_simulator(other.m_simulator) {
  g_calls_running.fetch_add(1, std::memory_order_acq_rel);
}

SimulatorUse::~SimulatorUse() {
  g_calls_running.fetch_sub(1, std::memory_order_acq_rel);
}

void end_process_simulator() noexcept {
  // exit() called by a host function runs on a worker, which cannot join itself.
  if (in_forked_child() || WorkQueue::on_worker_thread() || g_ended.exchange(true, std::memory_order_acq_rel))
    return;
  Simulator* simulator = g_simulator.exchange(nullptr, std::memory_order_acq_rel);
  if (simulator == nullptr)
    return;
  simulator->cancel();
  // Other threads may be inside of a call. Most leave at once now that nothing runs any more; if one does not, the
  // simulator stays as it is until the process is gone.
  using namespace std::chrono_literals;
  const auto deadline = std::chrono::steady_clock::now() + 2s;
  while (g_calls_running.load(std::memory_order_acquire) != 0 && std::chrono::steady_clock::now() < deadline)
    std::this_thread::sleep_for(1ms);
  if (g_calls_running.load(std::memory_order_acquire) == 0)
    delete simulator;
}

} // namespace hk::sim
