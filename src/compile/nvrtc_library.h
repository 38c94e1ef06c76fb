#pragma once
// NvrtcLibrary: NVRTC as a CompilerLibrary. It gives cubins, never PTX: what the driver would make of that is not ours
// to check.

#include <memory>
#include <string>
#include <utility>

#include "compile/compiler_library.h"

namespace hk::compile {

struct NvrtcFunctions;

class NvrtcLibrary final : public CompilerLibrary {
 public:
  // The builtins come first: NVRTC, which asks for them by soname, then gets these. Fails with no_compiler.
  static Result<std::unique_ptr<CompilerLibrary>> open(const std::string& nvrtc_path, const std::string& builtins_path);

  Result<CompilerOutput> compile(const CompileRequest& request) const override;

 private:
  explicit NvrtcLibrary(std::shared_ptr<const NvrtcFunctions> functions) : m_functions(std::move(functions)) {}

  std::shared_ptr<const NvrtcFunctions> m_functions;
};

} // namespace hk::compile
