#pragma once
// Loads the code objects in data/ and builds small byte strings.

#include <cstddef>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace hk::codeobj {

inline std::vector<std::byte> load_fixture(const std::string& name) {
  std::ifstream file(std::string(HK_TEST_DATA "/") + name, std::ios::binary);
  REQUIRE_MESSAGE(file.good(), "cannot open fixture ", name);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const auto* begin = reinterpret_cast<const std::byte*>(text.data());
  return {begin, begin + text.size()};
}

inline std::vector<std::byte> bytes_of(const std::string& text) {
  const auto* begin = reinterpret_cast<const std::byte*>(text.data());
  return {begin, begin + text.size()};
}

} // namespace hk::codeobj
