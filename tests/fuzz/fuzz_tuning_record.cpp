// Any text may lie in a record file or be imported. The text is read as it is, and once more with the checksum of each
// line made right, as somebody who means harm would; what is accepted must be written and read again to the same, and
// merge with itself to itself.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/hash.h"
#include "tune/record_set.h"

namespace {

constexpr std::string_view k_check = " check=";

void expect(bool condition) {
  if (!condition)
    std::abort();
}

void read(std::string_view text) {
  using hk::tune::RecordSet;
  const RecordSet set = RecordSet::parse(text).records;
  const std::string canonical = set.text();
  const auto again = RecordSet::parse(canonical);
  expect(again.damaged == 0);
  expect(again.records.text() == canonical);
  expect(again.records.digest() == set.digest());
  RecordSet twice = set;
  twice.merge(again.records);
  expect(twice.text() == canonical);
  for (const hk::tune::Record& record : set.records()) {
    const hk::tune::WantedRecord wanted{record.key,  record.target,     record.compute_units,
                                        record.xcds, record.clock_mhz,  record.source,
                                        true,        record.environment};
    expect(set.decision(wanted) != nullptr);
    expect(!set.likely_order(wanted).empty());
  }
}

std::string with_checks(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (const std::size_t check = line.rfind(k_check); check != std::string::npos) {
      line.resize(check);
      const std::uint64_t sum = hk::base::hash64(line);
      line.append(k_check);
      for (int shift = 60; shift >= 0; shift -= 4)
        line.push_back("0123456789abcdef"[(sum >> shift) & 15]);
    }
    result.append(line).append("\n");
  }
  return result;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  read(text);
  read(with_checks(text));
  return 0;
}
