#pragma once
// resolved_path: realpath() as a string.

#include <cstdlib>
#include <memory>
#include <string>

namespace hk::compile {

// The absolute path without symbolic links; empty, with errno set, if the file does not exist or cannot be reached.
inline std::string resolved_path(const std::string& path) {
  const std::unique_ptr<char, decltype(&::free)> text(::realpath(path.c_str(), nullptr), &::free);
  return text ? std::string(text.get()) : std::string();
}

} // namespace hk::compile
