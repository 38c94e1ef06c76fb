#pragma once
// FakeCompiler: answers every request with a real code object that bears the wanted name, or fails on demand.

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "compile/compiler.h"
#include "renamed_code_object.h"

namespace hk::test {

// What a test reads and sets while the service owns the compiler.
struct CompilerControl {
  std::atomic<int> compiles{0};
  std::atomic<int> running{0};
  std::chrono::milliseconds duration{0};
  Status failure;          // returned instead of a result unless it is a success
  base::Bytes code_object; // returned as it is, if not empty
  bool throws = false;
  std::mutex mutex;
  std::vector<compile::CompileRequest> requests;
};

class FakeCompiler final : public compile::Compiler {
 public:
  explicit FakeCompiler(CompilerControl& control, Result<compile::ToolChain> tool_chain = sample_tool_chain())
      : m_control(control), m_tool_chain(std::move(tool_chain)) {}

  static Result<compile::ToolChain> sample_tool_chain() {
    return compile::ToolChain{
        {"libhiprtc.so.6", "/lib/libhiprtc.so.6", "aa"}, {"libamd_comgr.so.3", "/lib/libamd_comgr.so.3", "bb"}, {}};
  }

  Result<compile::CompileResult> compile(const compile::CompileRequest& request) override {
    ++m_control.compiles;
    {
      const std::lock_guard lock(m_control.mutex);
      m_control.requests.push_back(request);
    }
    ++m_control.running;
    std::this_thread::sleep_for(m_control.duration);
    --m_control.running;
    if (m_control.throws)
      throw std::runtime_error("the compiler threw");
    if (!m_control.failure.ok())
      return fail(m_control.failure);
    compile::CompileResult result;
    result.code_object =
        m_control.code_object.empty() ? RenamedCodeObject(request.symbol).bytes() : m_control.code_object;
    result.compile_ms = 12.5;
    result.compiler = {m_tool_chain->library, m_tool_chain->support};
    return result;
  }

  [[nodiscard]] const Result<compile::ToolChain>& tool_chain() const override { return m_tool_chain; }

 private:
  CompilerControl& m_control;
  Result<compile::ToolChain> m_tool_chain;
};

} // namespace hk::test
