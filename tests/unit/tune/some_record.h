#pragma once
// A record as the tuner of one machine would leave it.
#include <string>

#include "tune/record.h"

namespace hk::test {

inline tune::Record some_record(const std::string& key = "attention bf16 d128", std::uint64_t samples = 40) {
  tune::Record record;
  record.key = key;
  record.target = "gfx942:sramecc+:xnack-";
  record.compute_units = 304;
  record.xcds = 8;
  record.clock_mhz = 2100;
  record.evidence = tune::Evidence::measured;
  record.environment = "6.4.43483";
  record.source = "5d41402abc4b2a76b9719d911017c592";
  record.tool_chain = "7d793037a0760186574b0282f2f435e7";
  record.winner = "q256 kv64 w8";
  record.default_configuration = "q128 kv64 w4";
  record.gate = "passed: 64 rows, NaN-filled";
  record.date = 1769860800; // 2026-01-31 12:00:00 UTC
  record.candidates = {{"q128 kv64 w4", "measured", 105.25, 0.02, samples},
                       {"q256 kv64 w8", "measured", 100, 0.0175, samples},
                       {"q64 kv32 w2", "pruned", 0, 0, 0}};
  return record;
}

inline tune::Record modelled_record(const std::string& key, const std::string& profile, std::uint64_t samples = 1) {
  tune::Record record = some_record(key, samples);
  record.evidence = tune::Evidence::modelled;
  record.environment = profile;
  return record;
}

} // namespace hk::test
