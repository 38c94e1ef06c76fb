#pragma once
// One record of the canned worker's log: text of fixed size, so that the end of the file tells how many there are.

#include <cstddef>
#include <string>

namespace hk::test {

inline constexpr std::size_t k_compile_record_bytes = 256;

inline std::string compile_record(const std::string& symbol, const std::string& target) {
  std::string record = symbol + " " + target;
  record.resize(k_compile_record_bytes - 1, ' ');
  return record + '\n';
}

} // namespace hk::test
