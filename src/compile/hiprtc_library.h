#pragma once
// HiprtcLibrary: hipRTC as a CompilerLibrary.

#include <memory>
#include <string>
#include <utility>

#include "compile/compiler_library.h"

namespace hk::compile {

struct HiprtcFunctions;

class HiprtcLibrary final : public CompilerLibrary {
 public:
  // comgr comes first: hipRTC, which asks for it by soname, then gets this one. Fails with no_compiler.
  static Result<std::unique_ptr<CompilerLibrary>> open(const std::string& hiprtc_path, const std::string& comgr_path);

  Result<CompilerOutput> compile(const CompileRequest& request) const override;

 private:
  explicit HiprtcLibrary(std::shared_ptr<const HiprtcFunctions> functions) : m_functions(std::move(functions)) {}

  std::shared_ptr<const HiprtcFunctions> m_functions;
};

} // namespace hk::compile
