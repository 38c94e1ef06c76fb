#include "tune/record.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "base/hash.h"
#include "unit/tune/some_record.h"

namespace {

using hk::test::some_record;
using hk::tune::format_record;
using hk::tune::parse_record;
using hk::tune::Record;

std::string signed_line(const std::string& text) {
  std::string digits;
  const std::uint64_t check = hk::base::hash64(text);
  for (int shift = 60; shift >= 0; shift -= 4)
    digits.push_back("0123456789abcdef"[(check >> shift) & 15]);
  return text + " check=" + digits;
}

std::string unsigned_text(const std::string& line) {
  return line.substr(0, line.rfind(" check="));
}

// The line with one part replaced, and its checksum made right.
std::string with(const std::string& old_part, const std::string& new_part) {
  std::string text = unsigned_text(format_record(some_record()));
  const std::size_t at = text.find(old_part);
  REQUIRE(at != std::string::npos);
  return signed_line(text.replace(at, old_part.size(), new_part));
}

} // namespace

TEST_CASE("The text of a record, word for word") {
  const std::string expected =
      "key=attention%20bf16%20d128 target=gfx942%3asramecc+%3axnack- cus=304 xcds=8 clock_mhz=2100 evidence=measured "
      "environment=6.4.43483 source=5d41402abc4b2a76b9719d911017c592 tool_chain=7d793037a0760186574b0282f2f435e7 "
      "winner=q256%20kv64%20w8 default=q128%20kv64%20w4 gate=passed%3a%2064%20rows%2c%20NaN-filled "
      "date=2026-01-31T12:00:00Z "
      "candidates=q128%20kv64%20w4:measured:105.25:0.02:40,q256%20kv64%20w8:measured:100:0.0175:40,"
      "q64%20kv32%20w2:pruned:0:0:0";
  CHECK(format_record(some_record()) == signed_line(expected));
}

TEST_CASE("A record survives the way through its text, whatever its texts hold") {
  Record record = some_record();
  CHECK(parse_record(format_record(record)) == record);
  std::string everything;
  for (int byte = 0; byte < 256; ++byte)
    everything.push_back(static_cast<char>(byte));
  record.key = everything;
  record.winner = " check=0000000000000000";
  record.candidates[1].configuration = everything;
  record.candidates[2].state = "a:b,c%d=e f\ng";
  record.candidates[0].median = 1e-300;
  record.candidates[0].spread = 0.1 + 0.2;
  record.candidates[0].samples = std::numeric_limits<std::uint64_t>::max();
  record.compute_units = std::numeric_limits<std::uint32_t>::max();
  record.date = 253402300799; // the last second of 9999
  record.unknown_fields = {{"power_watts", "750"}, {"host", "node 7"}};
  CHECK(parse_record(format_record(record)) == record);
  CHECK(format_record(record).find('\n') == std::string::npos);
  record = Record();
  record.key = record.target = record.winner = "x";
  CHECK(parse_record(format_record(record)) == record);
}

TEST_CASE("Fields of later versions stay, and their order is part of the text") {
  Record record = some_record();
  record.unknown_fields["power_watts"] = "750";
  const auto parsed = parse_record(format_record(record));
  REQUIRE(parsed.has_value());
  CHECK(parsed->unknown_fields.at("power_watts") == "750");
  const std::string text = unsigned_text(format_record(some_record()));
  CHECK(parse_record(signed_line(text + " a=1 b=2")).has_value());
  CHECK(!parse_record(signed_line(text + " b=2 a=1")).has_value());
  CHECK(!parse_record(signed_line(text + " a=1 a=2")).has_value());
}

TEST_CASE("Every single byte that changes makes the line damaged, and so does every length") {
  const std::string line = format_record(some_record());
  for (std::size_t i = 0; i < line.size(); ++i) {
    for (const int bit : {1, 2, 16, 128}) {
      std::string damaged = line;
      damaged[i] = static_cast<char>(damaged[i] ^ bit);
      CHECK(!parse_record(damaged).has_value());
    }
    CHECK(!parse_record(line.substr(0, i)).has_value());
  }
  CHECK(!parse_record(line + " ").has_value());
  CHECK(!parse_record("").has_value());
}

TEST_CASE("There is one way to write a record: others with a right checksum are refused") {
  CHECK(parse_record(with("cus=304", "cus=304")).has_value());
  CHECK(!parse_record(with("cus=304", "cus=0304")).has_value());
  CHECK(!parse_record(with("cus=304", "cus=+304")).has_value());
  CHECK(!parse_record(with("cus=304", "cus=-1")).has_value());
  CHECK(!parse_record(with("cus=304", "cus=4294967296")).has_value());
  CHECK(!parse_record(with("cus=304 ", "")).has_value());
  CHECK(!parse_record(with("cus=304", "cus=304 cus=304")).has_value());
  CHECK(!parse_record(with("cus=304 xcds=8", "xcds=8 cus=304")).has_value());
  CHECK(!parse_record(with("bf16%20d128", "%62f16%20d128")).has_value());
  CHECK(!parse_record(with("%20d128", "%2")).has_value());
  CHECK(!parse_record(with("%20d128", "%zz")).has_value());
  CHECK(!parse_record(with("%3a", "%3A")).has_value());
  CHECK(!parse_record(with("=measured ", "=guessed ")).has_value());
  CHECK(!parse_record(with("2026-01-31T", "2026-02-30T")).has_value());
  CHECK(!parse_record(with("T12:00:00Z", "T24:00:00Z")).has_value());
  CHECK(!parse_record(with("T12:00:00Z", "T12:00:00z")).has_value());
  CHECK(!parse_record(with(":105.25:", ":105.250:")).has_value());
  CHECK(!parse_record(with(":105.25:", ":inf:")).has_value());
  CHECK(!parse_record(with(":105.25:", ":nan:")).has_value());
  CHECK(!parse_record(with(":105.25:", ":-1:")).has_value());
  CHECK(!parse_record(with(":105.25:", ":")).has_value());
  CHECK(!parse_record(with(":0:0:0", ":0:0:0,")).has_value());
  CHECK(!parse_record(with("key=attention%20bf16%20d128", "key=")).has_value());
  CHECK(!parse_record(with(" xcds=8", "  xcds=8")).has_value());
  CHECK(!parse_record(with(" xcds=8", " xcds")).has_value());
}

TEST_CASE("Numbers that are none are written as 0, a line beyond the limit is not read") {
  Record record = some_record();
  record.candidates[0].median = std::nan("");
  record.candidates[0].spread = -1;
  record.date = -5;
  const auto parsed = parse_record(format_record(record));
  REQUIRE(parsed.has_value());
  CHECK(parsed->candidates[0].median == 0);
  CHECK(parsed->candidates[0].spread == 0);
  CHECK(parsed->date == 0);
  record.key = std::string(hk::tune::k_max_record_bytes, 'k');
  CHECK(!parse_record(format_record(record)).has_value());
}

TEST_CASE("Samples and spread are the winner's") {
  Record record = some_record("k", 17);
  CHECK(record.samples() == 17);
  CHECK(record.spread() == 0.0175);
  record.winner = "another";
  CHECK(record.samples() == 0);
}
