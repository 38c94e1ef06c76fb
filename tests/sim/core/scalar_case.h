#pragma once
// One execution of a scalar instruction: sources in s[12:13] and s[14:15], destination s[10:11].

#include <cstdint>
#include <string_view>

#include <doctest/doctest.h>

#include "sim/harness.h"

namespace hk::sim::testing {

inline constexpr std::uint64_t k_untouched = 0xcdcdcdcdcdcdcdcd;

struct ScalarResult {
  std::uint64_t destination = 0;
  bool scc = false;
  std::uint64_t exec = 0;
  bool operator==(const ScalarResult&) const = default;
};

inline doctest::String toString(const ScalarResult& result) {
  char text[96];
  std::snprintf(text, sizeof text, "{0x%llx, scc %d, exec 0x%llx}", (unsigned long long)result.destination, result.scc,
                (unsigned long long)result.exec);
  return text;
}

struct ScalarInput {
  std::uint64_t a = 0;
  std::uint64_t b = 0;
  bool scc = false;
  std::uint64_t exec = ~std::uint64_t{0};
  std::uint64_t destination = k_untouched;
};

inline ScalarResult run_scalar(std::string_view text, const ScalarInput& input) {
  OneWave machine(Target::gfx942, 64, 64);
  Wave& wave = machine.wave();
  wave.set_scalar64(10, input.destination);
  wave.set_scalar64(12, input.a);
  wave.set_scalar64(14, input.b);
  wave.scc = input.scc;
  wave.set_exec(input.exec);
  machine.run(text);
  return {wave.scalar64(10), wave.scc, wave.exec()};
}

// For 32-bit results: the low half of the destination and SCC.
struct Result32 {
  std::uint32_t value = 0;
  bool scc = false;
  bool operator==(const Result32&) const = default;
};

inline doctest::String toString(const Result32& result) {
  char text[64];
  std::snprintf(text, sizeof text, "{0x%x, scc %d}", result.value, result.scc);
  return text;
}

inline Result32 run32(std::string_view text, std::uint32_t a, std::uint32_t b = 0, bool scc = false) {
  const ScalarResult result = run_scalar(text, {a, b, scc});
  CHECK((result.destination >> 32) == (k_untouched >> 32)); // a 32-bit result leaves the register behind alone
  return {std::uint32_t(result.destination), result.scc};
}

inline bool scc_after(std::string_view text, std::uint64_t a, std::uint64_t b = 0) {
  const ScalarResult with_set = run_scalar(text, {a, b, true});
  const ScalarResult with_clear = run_scalar(text, {a, b, false});
  CHECK(with_set == with_clear);              // the old SCC does not matter
  CHECK(with_set.destination == k_untouched); // nothing but SCC is written
  return with_set.scc;
}

} // namespace hk::sim::testing
