#pragma once
// The life of hk-compile-worker: say hello, then answer requests until the client goes away.

#include <chrono>
#include <string>

#include "base/unique_fd.h"

namespace hk::compile {

struct WorkerArguments {
  base::UniqueFd socket;
  std::string hiprtc_path;
  std::string comgr_path;
  std::chrono::milliseconds idle_limit{0}; // the worker ends when no request follows an answer for so long
};

// Returns the exit code: 0 when the client closed the socket or nothing was asked for the idle limit.
int run_worker(WorkerArguments arguments);

} // namespace hk::compile
