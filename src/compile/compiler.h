#pragma once
// Compiler: turns kernel source into a code object. The only doorway to hipRTC and NVRTC for the rest of the project.

#include <memory>
#include <string>

#include "base/status.h"
#include "compile/compiler_options.h"
#include "compile/request.h"
#include "compile/tool_chain.h"

namespace hk::compile {

class Compiler {
 public:
  virtual ~Compiler() = default;

  // May be called from many threads at once. Fails with
  //   invalid_argument, unsupported   the request (option that is pinned, target that is not on the list)
  //   no_compiler                     the library or hk-compile-worker is not there
  //   compile_failed                  the source; detail holds the compiler's log
  //   compile_timeout                 the wall limit passed; the compiler was killed
  //   compiler_crashed                the compiler died; detail holds what it wrote to stderr
  //   forked                          the process is a forked child of the one that made this compiler
  //   internal                        the compiler is not the one of tool_chain(), or answered nonsense
  virtual Result<CompileResult> compile(const CompileRequest& request) = 0;

  // The libraries that compile, read from their files without loading them; no_compiler where there are none. Read
  // once, when the compiler is made.
  [[nodiscard]] virtual const Result<ToolChain>& tool_chain() const = 0;

  // The program that compiles: a path, or empty if it is this one; no_compiler, with what was tried, if it is not
  // there.
  [[nodiscard]] virtual Result<std::string> worker() const { return std::string(); }
};

// Never fails for want of a compiler: a process that only hits the cache needs none, so that is reported by the calls.
std::unique_ptr<Compiler> make_compiler(const CompilerOptions& options);

} // namespace hk::compile
