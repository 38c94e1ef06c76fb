#pragma once
// The library's own attention kernel on the simulated device, timed on the host.

#include <cstdint>
#include <string>
#include <vector>

namespace hk::bench {

struct SimAttentionCase {
  std::string device;     // "sim:mi300x"
  std::int64_t heads = 1; // of one workgroup each, or more if there are more rows than a workgroup takes
  std::int64_t rows = 256;
  std::int64_t keys = 1024;
  unsigned processors = 1; // that the simulator may use
};

struct SimAttentionTimes {
  double wave_instructions = 0; // of one call
  std::vector<double> wall_ms;
  std::vector<double> processor_ms; // of all threads together
};

// Head dimension 128, bf16, no mask. In a child process, because the simulator asks once how many processors it may
// use. Throws std::runtime_error if the child fails; its message is on stderr.
SimAttentionTimes measure_sim_attention(const SimAttentionCase& problem, int repetitions);

} // namespace hk::bench
