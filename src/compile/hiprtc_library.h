#pragma once
// HiprtcLibrary: hipRTC, opened from exact files, as a function from source to code object.

#include <memory>
#include <string>
#include <utility>

#include "base/bytes.h"
#include "base/status.h"
#include "compile/request.h"

namespace hk::compile {

struct HiprtcOutput {
  base::Bytes code_object;
  std::string log;
  double milliseconds = 0;
};

struct HiprtcFunctions;

class HiprtcLibrary {
 public:
  // Loads both files and never unloads them (LLVM does not survive that). comgr comes first: hipRTC, which asks for it
  // by soname, then gets this one. Fails with no_compiler.
  static Result<HiprtcLibrary> open(const std::string& hiprtc_path, const std::string& comgr_path);

  // Not safe from several threads: hipRTC serialises them anyway. Fails with compile_failed; detail is the log.
  Result<HiprtcOutput> compile(const CompileRequest& request) const;

 private:
  explicit HiprtcLibrary(std::shared_ptr<const HiprtcFunctions> functions) : m_functions(std::move(functions)) {}

  std::shared_ptr<const HiprtcFunctions> m_functions;
};

} // namespace hk::compile
