#pragma once
// KernelRecipe: what a kernel is made from, and how to tell whether it came out right.

#include <functional>
#include <string>

#include "base/status.h"
#include "service/served_kernel.h"

namespace hk::service {

enum class SelfCheckOutcome {
  passed,
  skipped, // it would take too long or too much memory, or the device computes nothing
};

// Runs a freshly compiled kernel on data of its own and compares. A failing status says that the kernel is wrong; its
// sentence names what differed.
using SelfCheck = std::function<Result<SelfCheckOutcome>(const ServedKernel& kernel)>;

struct KernelRecipe {
  std::string symbol;             // of the kernel; also names the program in messages
  std::string source;             // the translation unit
  SelfCheck self_check = nullptr; // null: none
};

} // namespace hk::service
