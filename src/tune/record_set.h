#pragma once
// Record sets: the tuning records that a context knows, one machine has, or two jobs exchange.
//
// The text of a set begins with the line "hk-tuning 1"; every line after it is a record. Texts may be put together:
// each such line begins a part of its own. Parts of a version that this library does not know are kept as they are and
// decide nothing; damaged lines are dropped. The text of a set is canonical: equal sets have equal texts.

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "tune/record.h"

namespace hk::tune {

// The device and the kernel that a record is wanted for.
struct WantedRecord {
  std::string key;
  std::string target;
  std::uint32_t compute_units = 0;
  std::uint32_t xcds = 0; // 0 = not known
  std::uint32_t clock_mhz = 0;
  std::string source;     // digest of the kernel source
  bool simulated = false; // the device
  std::string profile;    // digest of the simulated device's profile; not looked at otherwise
};

struct ParsedRecords;

class RecordSet {
 public:
  // Never fails: what cannot be read is counted.
  static ParsedRecords parse(std::string_view text);
  [[nodiscard]] std::string text() const;

  // Per problem, device and source the better evidence stays: measured displaces modelled; among equals more samples,
  // then the smaller spread, the later date, the text. Modelled records of different profiles stand beside each other.
  // The result does not depend on the order or the number of times in which records arrive.
  void add(Record record);
  void merge(const RecordSet& other);
  // The other's records displace this set's of the same problem, device and source, whatever their evidence.
  void override_with(const RecordSet& other);

  // The record that decides, or null: its key, target, compute units and source are those wanted, its XCDs too where
  // both are known, and it was measured or, for a simulated device, modelled with the same profile. Measured ones are
  // preferred, then the wanted clock; what is left decides in the order of XCDs and clocks, whatever their samples.
  [[nodiscard]] const Record* decision(const WantedRecord& wanted) const;
  // Configurations in the order in which they should be tried, best first, as a record of the same key says that must
  // not decide (another source, device of the same processor, or provenance). Empty if there is none.
  [[nodiscard]] std::vector<std::string> likely_order(const WantedRecord& wanted) const;

  // Of what decides: sets of equal digests lead to the same choices.
  [[nodiscard]] base::Digest128 digest() const;

  // Sorted.
  [[nodiscard]] std::vector<Record> records() const;
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] bool empty() const { return size() == 0; }
  friend bool operator==(const RecordSet& a, const RecordSet& b) { return a.text() == b.text(); }

 private:
  // Problem, device and source.
  struct Place {
    std::string key;
    std::string target;
    std::uint32_t compute_units = 0;
    std::uint32_t xcds = 0;
    std::uint32_t clock_mhz = 0;
    std::string source;
    friend auto operator<=>(const Place&, const Place&) = default;
  };
  static Place place_of(const Record& record);

  // At a place either one measured record (under the empty name), or modelled ones by profile.
  std::map<Place, std::map<std::string, Record>> m_records;
  std::map<std::string, std::set<std::string>> m_foreign; // lines of other versions by their part's first line
};

struct ParsedRecords {
  RecordSet records;
  std::size_t parts = 0;   // titles; without any it is no text of a set
  std::size_t damaged = 0; // lines dropped
  std::size_t foreign = 0; // lines of other versions
};

} // namespace hk::tune
