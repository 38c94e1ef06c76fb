#include "compile/compiler_options.h"

#include "compile/machine_slots.h"

namespace hk::compile {

CompilerOptions compiler_options(const base::Config& config, codeobj::Platform platform) {
  CompilerOptions options;
  options.platform = platform;
  options.in_process = config.jit_in_process;
  options.worker_program = config.compile_worker;
  options.hiprtc_library = config.hiprtc_library;
  options.nvrtc_library = config.nvrtc_library;
  options.library_path = config.library_path;
  if (!config.temporary_folder.empty())
    options.temporary_folder = config.temporary_folder;
  options.max_workers = config.jit_workers;
  options.slot_folder = default_slot_folder();
  options.wall_limit = std::chrono::milliseconds(config.compile_timeout_ms);
  return options;
}

} // namespace hk::compile
