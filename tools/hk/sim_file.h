#pragma once
// The code object of `hk sim`: read, checked, and the simulated device that it is for.

#include <string>

#include "base/status.h"
#include "codeobj/code_object.h"

namespace hk::command {

struct SimFile {
  std::string path;
  std::string device; // "sim:mi300x"
  codeobj::CodeObject object;
};

// `device` empty: the first that runs the object's target. Of a bundle the entry for the device is taken. Fails with
// invalid_argument (unreadable, no simulated device), load_failed (damaged) or unsupported (another target); the
// message names the file.
Result<SimFile> read_sim_file(const std::string& path, const std::string& device);

// By name; empty: the only one. Fails with invalid_argument, listing the kernels.
Result<const codeobj::Kernel*> kernel_of(const SimFile& file, const std::string& name);

} // namespace hk::command
