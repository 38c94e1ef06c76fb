#pragma once
// JSON for the command: the result line of `hk run`, and the library's JSON texts for people.

#include <cstddef>
#include <optional>
#include <string>

namespace hk::command {

struct AttentionReport {
  std::string status;                        // "SUCCESS", "NO_DEVICE", ...
  std::string device;                        // as asked for, or as opened
  std::optional<std::string> kernel;         // symbol
  std::optional<std::string> cache;          // miss, disk or memory: where the last call found its kernel
  std::optional<double> compile_ms;          // spent compiling for the last call
  std::optional<double> call_us;             // host time of the last hk_attention call, a compile included
  std::optional<double> modelled_us;         // device time of the last call on the simulated clock
  std::optional<double> max_abs_err;         // E, with --check
  std::optional<double> lowprec_max_abs_err; // P, with --check
};

// One line without its end. What is not known is null, and so is NaN.
std::string to_json(const AttentionReport& report);

// The value of a text member of a JSON object; empty if there is none.
std::string text_member(const std::string& json, const std::string& name);

// JSON as indented "name: value" lines.
std::string readable(const std::string& json);

// Number of elements of an array member of a JSON object.
std::size_t count_member(const std::string& json, const std::string& name);

} // namespace hk::command
