#pragma once
// The life of hk-compile-worker: say hello, then answer requests until the client goes away.

#include <chrono>
#include <string>

#include "base/unique_fd.h"
#include "codeobj/processor.h"

namespace hk::compile {

struct WorkerArguments {
  base::UniqueFd socket;
  codeobj::Platform platform = codeobj::Platform::amd; // whose compiler the two files are
  std::string library_path;
  std::string support_path;
  std::chrono::milliseconds idle_limit{0}; // the worker ends when no request follows an answer for so long
};

// Returns the exit code: 0 when the client closed the socket or nothing was asked for the idle limit.
int run_worker(WorkerArguments arguments);

} // namespace hk::compile
