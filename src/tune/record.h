#pragma once
// One tuning record: what was measured for one problem on one kind of device, and what follows from it.
//
// A record is one line of text, for people as well as for programs:
//   key=... target=... cus=304 xcds=8 clock_mhz=2100 evidence=measured environment=... source=... tool_chain=...
//   winner=... default=... gate=... date=2026-01-31T12:00:00Z candidates=NAME:STATE:MEDIAN_US:SPREAD:SAMPLES,...
//   [fields of later versions, by name] check=<XXH3-64 of the text before " check=", 16 digits>
// In values, bytes other than visible ASCII and the signs % , : = are written as % and two digits. There is exactly one
// way to write a record, and nothing else is accepted.

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hk::tune {

enum class Evidence {
  modelled, // on a simulated device: its clock's opinion
  measured, // on hardware
};

struct CandidateRecord {
  std::string configuration;
  std::string state; // candidate_state_name
  double median = 0; // microseconds; 0 without samples
  double spread = 0; // relative
  std::uint64_t samples = 0;
  friend bool operator==(const CandidateRecord&, const CandidateRecord&) = default;
};

struct Record {
  std::string key;    // the problem: spec without configuration, and size buckets
  std::string target; // full target id
  std::uint32_t compute_units = 0;
  std::uint32_t xcds = 0; // 0 = not known
  std::uint32_t clock_mhz = 0;
  Evidence evidence = Evidence::modelled;
  std::string environment; // modelled: digest of the device profile; measured: version of the runtime
  std::string source;      // digest of the kernel source
  std::string tool_chain;  // digest of the tool chain
  std::string winner;
  std::string default_configuration;
  std::string gate;      // what the correctness gate compared, and its result
  std::int64_t date = 0; // seconds since 1970, UTC
  std::vector<CandidateRecord> candidates;
  std::map<std::string, std::string> unknown_fields; // of later versions; kept as they are

  // The winner's; 0 if the candidates do not list it.
  [[nodiscard]] std::uint64_t samples() const;
  [[nodiscard]] double spread() const;
  friend bool operator==(const Record&, const Record&) = default;
};

inline constexpr std::size_t k_max_record_bytes = 65536; // of the line

// The line, without its end. Numbers that are no times (not finite, negative) and dates outside the years 1970 to 9999
// become 0.
std::string format_record(const Record& record);

// Nothing if the line is damaged in any way.
std::optional<Record> parse_record(std::string_view line);

} // namespace hk::tune
