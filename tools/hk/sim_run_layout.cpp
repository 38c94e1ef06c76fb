#include "sim_run_layout.h"

#include <algorithm>

namespace hk::command {
namespace {

tl::unexpected<Status> refused(const codeobj::KernelMetadata& metadata, const std::string& why) {
  return fail(StatusCode::invalid_argument, "kernel " + metadata.name + ": " + why);
}

std::uint64_t explicit_end(const codeobj::KernelMetadata& metadata) {
  std::uint64_t end = 0;
  for (const codeobj::KernelArgument& argument : metadata.arguments)
    if (!argument.is_hidden())
      end = std::max(end, argument.offset + argument.size);
  return end;
}

// An object without any list of arguments says nothing about its layout; one that lists hidden ones only takes none.
bool describes_arguments(const codeobj::KernelMetadata& metadata) {
  return !metadata.arguments.empty();
}

Result<ArgumentPlan> plan_by_metadata(const codeobj::KernelMetadata& metadata,
                                      const std::vector<ArgumentValue>& values) {
  const std::vector<codeobj::KernelArgument> arguments = passed_arguments(metadata);
  if (values.size() != arguments.size())
    return refused(metadata, std::to_string(values.size()) + " arguments are given, it takes " +
                                 std::to_string(arguments.size()) +
                                 (arguments.empty() ? "" : ": " + describe_arguments(arguments)));
  ArgumentPlan plan;
  plan.bytes = explicit_end(metadata);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i].bytes.size() != arguments[i].size)
      return refused(metadata, "argument " + std::to_string(i) + (arguments[i].name.empty() ? "" : " ") +
                                   arguments[i].name + " has " + std::to_string(arguments[i].size) +
                                   " bytes at offset " + std::to_string(arguments[i].offset) + ", '" + values[i].text +
                                   "' has " + std::to_string(values[i].bytes.size()));
    plan.offsets.push_back(arguments[i].offset);
  }
  return plan;
}

Result<ArgumentPlan> plan_packed(const codeobj::KernelMetadata& metadata, const std::vector<ArgumentValue>& values) {
  ArgumentPlan plan;
  std::uint64_t end = 0;
  for (const ArgumentValue& value : values) {
    end = (end + value.alignment - 1) / value.alignment * value.alignment;
    plan.offsets.push_back(end);
    end += value.bytes.size();
  }
  // Without metadata hidden arguments are unknown too, and the whole segment is the caller's.
  const std::uint64_t wanted = describes_arguments(metadata) ? explicit_end(metadata) : metadata.kernarg_segment_size;
  constexpr std::uint64_t k_largest_tail = 7; // a segment is rounded up to the alignment of a pointer
  if (end > wanted || wanted - end > k_largest_tail)
    return refused(metadata, "the packed arguments fill " + std::to_string(end) + " bytes, the object wants " +
                                 std::to_string(wanted) +
                                 (end < wanted ? "; add the missing ones, or pad:N where they do not matter" : ""));
  plan.bytes = wanted;
  return plan;
}

} // namespace

std::vector<codeobj::KernelArgument> passed_arguments(const codeobj::KernelMetadata& metadata) {
  std::vector<codeobj::KernelArgument> arguments;
  for (const codeobj::KernelArgument& argument : metadata.arguments)
    if (!argument.is_hidden() && argument.name != "pad")
      arguments.push_back(argument);
  return arguments;
}

std::string describe_arguments(const std::vector<codeobj::KernelArgument>& arguments) {
  std::string text;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const codeobj::KernelArgument& argument = arguments[i];
    text += (i == 0 ? "" : ", ") + std::to_string(i) + ": " + argument.name + (argument.name.empty() ? "(" : " (") +
            std::to_string(argument.size) + " bytes at " + std::to_string(argument.offset) + ")";
  }
  return text;
}

Result<ArgumentPlan> plan_arguments(const codeobj::KernelMetadata& metadata, const std::vector<ArgumentValue>& values,
                                    ArgumentLayout layout) {
  if (layout == ArgumentLayout::metadata && describes_arguments(metadata))
    return plan_by_metadata(metadata, values);
  return plan_packed(metadata, values);
}

} // namespace hk::command
