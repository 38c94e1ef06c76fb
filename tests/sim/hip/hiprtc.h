#pragma once
// hipRTC, opened at run time: a machine without it skips the tests that need it.

#include <cstddef>
#include <string>
#include <vector>

namespace hk::sim::testing {

bool hiprtc_exists();

// The code object for a target such as "gfx942:sramecc+:xnack-". A failed compile fails the test and shows the log.
std::vector<std::byte> compile_with_hiprtc(const char* source, const std::string& target);

} // namespace hk::sim::testing
