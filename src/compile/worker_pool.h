#pragma once
// WorkerPool: the usual Compiler. As many compiles at a time as there are CPUs, each in a worker process of its own
// (hipRTC is serial inside a process); workers are started when needed and kept for the next compile. Processes of one
// user share the machine's slots (machine_slots.h); an idle worker holds none.

#include <chrono>
#include <memory>
#include <string>

#include <sys/types.h>

#include "compile/compiler.h"
#include "compile/machine_slots.h"
#include "compile/worker_client.h"

namespace hk::compile {

class WorkerPool final : public Compiler {
 public:
  WorkerPool(const CompilerOptions& options, Result<ToolChain> tool_chain);
  // Ends all workers. No compile may be running.
  ~WorkerPool() override;

  Result<CompileResult> compile(const CompileRequest& request) override;
  [[nodiscard]] const Result<ToolChain>& tool_chain() const override { return m_tool_chain; }
  [[nodiscard]] Result<std::string> worker() const override;

 private:
  using Clock = WorkerClient::Clock;
  struct State;
  class Slot;

  Result<CompileResult> compile_in_slot(const CompileRequest& request, std::chrono::milliseconds limit);
  // A waiting worker, or a new one.
  Result<std::unique_ptr<WorkerClient>> take_worker(Clock::time_point deadline);
  std::unique_ptr<WorkerClient> take_idle_worker();
  void give_back(std::unique_ptr<WorkerClient> worker);

  const CompilerOptions m_options;
  const Result<ToolChain> m_tool_chain;
  const pid_t m_owner;
  const unsigned m_slots;
  MachineSlots m_machine_slots;
  std::unique_ptr<State> m_state;
};

} // namespace hk::compile
