#pragma once
// hipModuleLoadData gets a pointer and no size: the headers say how long the image is.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/runtime/error.h"

namespace hk::sim {

// Bytes. No code object comes near; a header that asks for more is damaged.
inline constexpr std::uint64_t k_largest_image = std::uint64_t{1} << 30;

// A copy of the ELF file or offload bundle at `image`. Headers that lie make the read fail instead of crashing the
// process. Fails with invalid_image.
Outcome<std::vector<std::byte>> read_image(const void* image);

} // namespace hk::sim
