#pragma once
// What every compiler does with the bytes before it hands them out.

#include "base/status.h"
#include "compile/request.h"
#include "compile/tool_chain.h"

namespace hk::compile {

// codeobj::check_kernel with the request's target, symbol and scratch rule; the log becomes the detail of a failure.
Result<CompileResult> finish_compile(const CompileRequest& request, const ToolChain& tool_chain,
                                     CompileResult&& result);

} // namespace hk::compile
