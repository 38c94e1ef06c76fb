#pragma once
// InProcessCompiler: hipRTC or NVRTC in the calling process (HK_JIT_IN_PROCESS=1), for hosts where no process may be
// started.
//
// What the worker is there for does not hold here: no wall limit, no memory limit, a crash of the compiler ends the
// program, and comgr keeps its own cache unless the program's environment says AMD_COMGR_CACHE=0. Variables that would
// change the output unseen are refused, since a library must not change its host's environment.

#include <memory>
#include <mutex>

#include <sys/types.h>

#include "compile/compiler.h"
#include "compile/compiler_library.h"

namespace hk::compile {

class InProcessCompiler final : public Compiler {
 public:
  explicit InProcessCompiler(Result<ToolChain> tool_chain);

  Result<CompileResult> compile(const CompileRequest& request) override;
  [[nodiscard]] const Result<ToolChain>& tool_chain() const override { return m_tool_chain; }

 private:
  Result<CompileResult> compile_locked(const CompileRequest& request);

  Result<ToolChain> m_tool_chain;
  pid_t m_owner;
  std::mutex m_mutex; // guards what follows, and the compiler
  std::unique_ptr<CompilerLibrary> m_library;
};

} // namespace hk::compile
