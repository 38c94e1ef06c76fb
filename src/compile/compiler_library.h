#pragma once
// CompilerLibrary: a run-time compiler, opened from exact files, as a function from source to code object.

#include <memory>
#include <string>

#include "base/bytes.h"
#include "base/status.h"
#include "codeobj/processor.h"
#include "compile/request.h"

namespace hk::compile {

struct CompilerOutput {
  base::Bytes code_object;
  std::string log;
  double milliseconds = 0;
};

class CompilerLibrary {
 public:
  virtual ~CompilerLibrary() = default;

  // Not safe from several threads. Fails with compile_failed; detail is the log.
  virtual Result<CompilerOutput> compile(const CompileRequest& request) const = 0;
};

// Loads both files and never unloads them (LLVM does not survive that); they are those of ToolChain. Fails with
// no_compiler, also where hk was built without the headers of that platform's compiler.
Result<std::unique_ptr<CompilerLibrary>>
open_compiler_library(codeobj::Platform platform, const std::string& library_path, const std::string& support_path);

// "amd" or "nvidia", as a worker is told.
const char* platform_name(codeobj::Platform platform);

} // namespace hk::compile
