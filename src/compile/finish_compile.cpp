#include "compile/finish_compile.h"

#include "codeobj/check_kernel.h"

namespace hk::compile {

Result<CompileResult> finish_compile(const CompileRequest& request, const ToolChain& tool_chain,
                                     CompileResult&& result) {
  HK_ASSIGN_OR_RETURN(const codeobj::TargetId target, codeobj::parse_supported_target_id(request.target_id));
  const auto checked =
      codeobj::check_kernel(result.code_object, target, request.symbol,
                            request.scratch_allowed ? codeobj::Scratch::allowed : codeobj::Scratch::refused);
  if (!checked) // the detail is never empty: it tells a failure of the source from one of the surroundings
    return fail(checked.error().code, checked.error().message,
                result.log.empty() ? checked.error().message : result.log);
  result.compiler = {tool_chain.library, tool_chain.support};
  return std::move(result);
}

} // namespace hk::compile
