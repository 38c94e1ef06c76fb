#include "compile/compiler.h"
#include "compile/in_process_compiler.h"
#include "compile/worker_pool.h"

namespace hk::compile {

std::unique_ptr<Compiler> make_compiler(const CompilerOptions& options) {
  ToolChainSearch search;
  search.platform = options.platform;
  search.nvrtc_library = options.nvrtc_library;
  search.hiprtc_library = options.hiprtc_library;
  search.library_path = options.library_path;
  Result<ToolChain> tool_chain = find_tool_chain(search);
  if (options.in_process)
    return std::make_unique<InProcessCompiler>(std::move(tool_chain));
  return std::make_unique<WorkerPool>(options, std::move(tool_chain));
}

} // namespace hk::compile
