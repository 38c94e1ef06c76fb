#pragma once
// CompilerOptions: where the compiler is and how it is run.

#include <chrono>
#include <string>

#include "base/config.h"
#include "codeobj/processor.h"

namespace hk::compile {

struct CompilerOptions {
  codeobj::Platform platform = codeobj::Platform::amd; // whose code is wanted
  bool in_process = false;    // HK_JIT_IN_PROCESS: the compiler inside this process; a crash of it ends the program
  std::string worker_program; // HK_COMPILE_WORKER; empty = the places of worker_location.h
  std::string hiprtc_library; // HK_HIPRTC_LIBRARY: a path; empty = the places of tool_chain.h
  std::string nvrtc_library;  // HK_NVRTC_LIBRARY: the same for NVIDIA
  std::string library_path;   // LD_LIBRARY_PATH: searched for the compiler, and passed on to the worker
  std::string temporary_folder = "/tmp"; // TMPDIR: parent of the worker's private folder
  std::chrono::milliseconds wall_limit{60000};
  unsigned max_workers = 0;                           // HK_JIT_WORKERS; 0 = CPUs in the affinity mask
  std::string slot_folder;                            // of machine_slots.h; empty = slots of this process only
  std::chrono::milliseconds worker_idle_limit{60000}; // an idle worker (120 MB) ends itself after this
};

CompilerOptions compiler_options(const base::Config& config, codeobj::Platform platform);

} // namespace hk::compile
