#pragma once
// Where the arguments of a kernel lie in its kernarg segment.

#include <cstdint>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/status.h"
#include "codeobj/code_object.h"
#include "sim_run_argument.h"

namespace hk::command {

// The explicit arguments that a caller passes: neither hidden ones nor fillers, which hand-written objects name "pad".
std::vector<codeobj::KernelArgument> passed_arguments(const codeobj::KernelMetadata& metadata);

// "0: q (8 bytes at 0), 1: n (4 bytes at 8)" for messages.
std::string describe_arguments(const std::vector<codeobj::KernelArgument>& arguments);

enum class ArgumentLayout {
  metadata, // the object's own, where it has one; else packed
  packed,   // natural alignment, whatever the object says
};

// Offsets of the values in the kernarg segment, and its size up to the end of the last explicit argument. Fails with
// invalid_argument if number or sizes do not fit the object's metadata, or the packed length its segment.
struct ArgumentPlan {
  std::vector<std::uint64_t> offsets; // of each value
  std::uint64_t bytes = 0;
};
Result<ArgumentPlan> plan_arguments(const codeobj::KernelMetadata& metadata, const std::vector<ArgumentValue>& values,
                                    ArgumentLayout layout);

} // namespace hk::command
