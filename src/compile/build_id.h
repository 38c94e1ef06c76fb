#pragma once
// build_id: which build of hk this is. libhk and hk-compile-worker must have the same one to talk to each other.

#include <string_view>

namespace hk::compile {

// Version and digest of the sources of the compile folder: "0.1.0-5f3a...".
std::string_view build_id() noexcept;

} // namespace hk::compile
