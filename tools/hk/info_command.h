#pragma once
// `hk info`.

#include <string>

namespace hk::command {

// Describes the library and the device (empty: HK_DEVICE, else hip:0). Returns the exit code: 1 if the device cannot be
// opened.
int show_info(const std::string& device, bool json);

} // namespace hk::command
