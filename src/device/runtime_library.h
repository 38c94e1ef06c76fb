#pragma once
// RuntimeLibrary: the file behind which a device is. All its symbols come from this one handle, so that a program with
// several runtimes in it never gets a mixture.

#include <string>

namespace hk::device {

struct RuntimeLibrary {
  void* handle = nullptr; // of dlopen; never closed: runtimes do not survive it
  std::string path;       // the file that was loaded
  std::string reason;     // why this one, for `hk info`
};

// dlopen. Null handle on failure; `tried` then says what was tried and what the loader said.
RuntimeLibrary open_runtime_library(const std::string& name, int extra_flags, std::string reason, std::string& tried);

} // namespace hk::device
