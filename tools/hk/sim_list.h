#pragma once
// `hk sim list`: the kernels of a code object.

#include <string>

namespace hk::command {

// Returns the exit code: 1, with one line on stderr, if the file cannot be read or is none for the simulator.
int sim_list(const std::string& file, bool json);

} // namespace hk::command
