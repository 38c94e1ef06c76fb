#pragma once
// The one entry of a cache folder, and what hk_cache_verify says about the folder.

#include <filesystem>
#include <string>

#include <doctest/doctest.h>

#include "hk/hk.hpp"

namespace hk::test {

// Paths of the entries (*.hk) below a folder.
inline std::vector<std::string> entries_below(const std::string& folder) {
  std::vector<std::string> found;
  for (const auto& item : std::filesystem::recursive_directory_iterator(folder)) {
    if (item.path().extension() == ".hk")
      found.push_back(item.path());
  }
  return found;
}

inline std::string only_entry_below(const std::string& folder) {
  const std::vector<std::string> found = entries_below(folder);
  REQUIRE(found.size() == 1);
  return found[0];
}

inline std::size_t temporary_files_below(const std::string& folder) {
  std::size_t count = 0;
  for (const auto& item : std::filesystem::recursive_directory_iterator(folder))
    count += item.path().filename().string().starts_with(".temporary-") ? 1 : 0;
  return count;
}

// JSON text of hk_cache_verify.
inline std::string verified(const std::string& folder) {
  return text_of([&](char* text, std::size_t capacity, std::size_t* required) {
    return hk_cache_verify(folder.c_str(), text, capacity, required);
  });
}

inline bool all_sound(const std::string& folder) {
  return verified(folder).find("\"damaged\":[]") != std::string::npos;
}

} // namespace hk::test
