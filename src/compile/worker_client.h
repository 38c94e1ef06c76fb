#pragma once
// WorkerClient: one running hk-compile-worker and the conversation with it.

#include <chrono>
#include <memory>
#include <string>

#include <sys/types.h>

#include "base/status.h"
#include "base/subprocess.h"
#include "compile/captured_output.h"
#include "compile/frame_channel.h"
#include "compile/private_folder.h"
#include "compile/request.h"
#include "compile/tool_chain.h"

namespace hk::compile {

struct WorkerSettings {
  std::string program;
  std::string temporary_folder; // parent of the worker's own
  std::string library_path;     // LD_LIBRARY_PATH of the worker
  std::chrono::milliseconds idle_limit{0};
};

class WorkerClient {
 public:
  using Clock = std::chrono::steady_clock;

  // Starts the program with a scrubbed environment, its own TMPDIR and one socket, and waits for its hello.
  static Result<std::unique_ptr<WorkerClient>> start(const WorkerSettings& settings, const ToolChain& tool_chain,
                                                     Clock::time_point deadline);
  WorkerClient(const WorkerClient&) = delete;
  WorkerClient& operator=(const WorkerClient&) = delete;
  // Kills the worker, reaps it and removes its folder.
  ~WorkerClient() = default;

  // The answer to one request; see Compiler::compile for the failures.
  Result<CompileResult> compile(const CompileRequest& request, const ToolChain& tool_chain, Clock::time_point deadline);

  // Whether another request may be sent. False after a timeout, a crash or a damaged answer.
  [[nodiscard]] bool usable();
  // Whether the last request found a worker that had ended itself for idleness; it is to be sent to another one.
  [[nodiscard]] bool retired() const noexcept { return m_retired; }
  [[nodiscard]] pid_t pid() const noexcept { return m_process.pid(); }

 private:
  WorkerClient(PrivateFolder folder, CapturedOutput output, base::UniqueFd socket, base::Subprocess process);

  Status receive_hello(const std::string& program, Clock::time_point deadline);
  Result<ReplyMessage> exchange(const CompileRequest& request, Clock::time_point deadline);
  // What to say when the conversation broke off while the worker did `activity`.
  Status broken(Transfer how, const std::string& activity);
  Status dead(const std::string& activity);

  // The order matters: the process is ended before its folder is removed.
  PrivateFolder m_folder;
  CapturedOutput m_output;
  FrameChannel m_channel;
  base::Subprocess m_process;
  bool m_broken = false;
  bool m_retired = false;
};

} // namespace hk::compile
