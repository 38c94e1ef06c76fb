#include "compile/compiler_log.h"

#include <algorithm>

namespace hk::compile {
namespace {

// "error:" as clang writes it, "error :" as ptxas does.
std::string first_error(const std::string& log) {
  std::size_t begin = 0;
  while (begin < log.size()) {
    const std::size_t end = std::min(log.find('\n', begin), log.size());
    std::string line = log.substr(begin, end - begin);
    if (line.find("error:") != std::string::npos || line.find("error   :") != std::string::npos)
      return line;
    begin = end + 1;
  }
  return {};
}

} // namespace

Status compile_failure(const CompileRequest& request, const std::string& log, const char* reason) {
  const std::string line = first_error(log);
  return {StatusCode::compile_failed,
          "program '" + request.program_name + "' does not compile for " + request.target_id + ": " +
              (!line.empty()       ? line
               : reason != nullptr ? reason
                                   : "unknown error") +
              (log.empty() ? "; the compiler gave no log" : "; the detail holds the compiler's log"),
          log};
}

} // namespace hk::compile
