#pragma once
// What of a compiler's log goes into a message.

#include <string>

#include "base/status.h"
#include "compile/request.h"

namespace hk::compile {

// compile_failed with the first line of the log that reports an error, else with `reason` (the compiler's name of the
// error, or null). The log is the detail.
Status compile_failure(const CompileRequest& request, const std::string& log, const char* reason);

} // namespace hk::compile
