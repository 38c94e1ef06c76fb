#pragma once
// The kernel sources inside the library: every header of kernel_sources/, put there by cmake/embed_sources.cmake.

#include <span>
#include <string_view>

namespace hk::service {

struct EmbeddedSource {
  std::string_view path; // as kernels include it: "hk/tile/tile.h"
  std::string_view text;
};

// Sorted by path.
std::span<const EmbeddedSource> embedded_sources();

// Null if there is no such file.
const EmbeddedSource* find_embedded_source(std::string_view path);

} // namespace hk::service
