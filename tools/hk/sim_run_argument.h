#pragma once
// The texts of `hk sim run --arg`: what a user can pass to a kernel.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/status.h"
#include "sim_run_element.h"

namespace hk::command {

struct RandomFill {
  std::uint64_t seed = 0;
  SimElement element = SimElement::f32;
  SimDistribution distribution = SimDistribution::normal;
};

// Device memory that exists for the run.
struct BufferRequest {
  std::string name;                                // for ptr:NAME; may be empty
  std::uint64_t bytes = 0;                         // 0: the length of the input file
  std::string input_file;                          // .npy; its elements are the first bytes of the buffer
  std::optional<RandomFill> random;                // none: zero, where no file fills it
  std::string output_file;                         // .npy, written when the kernel has ended
  std::optional<SimElement> output_element;        // none: that of `random` or the input file, else u8
  std::optional<std::vector<std::uint64_t>> shape; // of the output; none: the input file's, else one dimension
};

enum class ArgumentForm : std::uint8_t {
  bytes,   // scalars and raw bytes
  buffer,  // the address of a buffer of its own
  pointer, // the address of a named buffer, plus an offset
};

struct ArgumentValue {
  std::string text; // as given, for messages
  ArgumentForm form = ArgumentForm::bytes;
  base::Bytes bytes;         // of form bytes; 8 zeros for the others
  std::size_t alignment = 1; // where it is packed without metadata
  BufferRequest buffer;      // of form buffer
  std::string buffer_name;   // of form pointer
  std::uint64_t offset = 0;  // of form pointer, in bytes
};

// Fails with invalid_argument, naming the text and what is wrong with it.
Result<ArgumentValue> parse_argument(std::string_view text);

// "4096", "64k", "2M", "1G" in bytes (k = 1024). Nothing if malformed or 2^48 and more.
std::optional<std::uint64_t> parse_size(std::string_view text);

// What `hk sim run --help` says about arguments.
const char* argument_help();

} // namespace hk::command
