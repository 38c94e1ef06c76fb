#include "compile/in_process_compiler.h"

#include <string>

#include <sys/resource.h>
#include <unistd.h>

#include "base/config.h"
#include "compile/compile_options.h"
#include "compile/finish_compile.h"
#include "compile/mapped_libraries.h"

namespace hk::compile {
namespace {

Status check_environment() {
  for (std::string_view name : hidden_input_variables())
    if (base::process_environment(std::string(name).c_str()) != nullptr)
      return {StatusCode::invalid_argument, "the variable " + std::string(name) +
                                                " would change compiled kernels unseen; unset it, or let a worker "
                                                "compile (unset HK_JIT_IN_PROCESS)"};
  return {};
}

std::uint64_t peak_rss_kib() {
  struct rusage usage{};
  return ::getrusage(RUSAGE_SELF, &usage) == 0 ? static_cast<std::uint64_t>(usage.ru_maxrss) : 0;
}

} // namespace

InProcessCompiler::InProcessCompiler(Result<ToolChain> tool_chain)
    : m_tool_chain(std::move(tool_chain)), m_owner(::getpid()) {}

Result<CompileResult> InProcessCompiler::compile(const CompileRequest& request) {
  if (::getpid() != m_owner)
    return fail(StatusCode::forked, "this process is a forked child of the one that made the compiler; make a new "
                                    "context in the child");
  HK_RETURN_IF_ERROR(check_request(request));
  if (!m_tool_chain)
    return fail(m_tool_chain.error());
  HK_RETURN_IF_ERROR(check_environment());
  const std::lock_guard lock(m_mutex);
  return compile_locked(request);
}

Result<CompileResult> InProcessCompiler::compile_locked(const CompileRequest& request) {
  if (!m_library) {
    HK_ASSIGN_OR_RETURN(m_library, open_compiler_library(m_tool_chain->platform, m_tool_chain->library.path,
                                                         m_tool_chain->support.path));
  }
  HK_ASSIGN_OR_RETURN(CompilerOutput output, m_library->compile(request));
  if (const auto mismatch = tool_chain_mismatch(*m_tool_chain, mapped_compiler_libraries(), OtherLibraries::allowed))
    return fail(StatusCode::internal,
                "another compiler than the one found is in this process: " + *mismatch +
                    "; load no other of its kind, or let a worker compile (unset HK_JIT_IN_PROCESS)");
  CompileResult result;
  result.code_object = std::move(output.code_object);
  result.log = std::move(output.log);
  result.compile_ms = output.milliseconds;
  result.peak_rss_kib = peak_rss_kib();
  return finish_compile(request, *m_tool_chain, std::move(result));
}

} // namespace hk::compile
