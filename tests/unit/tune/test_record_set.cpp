#include "tune/record_set.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "unit/tune/some_record.h"

namespace {

using hk::test::modelled_record;
using hk::test::some_record;
using hk::tune::Record;
using hk::tune::RecordSet;
using hk::tune::WantedRecord;

RecordSet set_of(const std::vector<Record>& records) {
  RecordSet set;
  for (const Record& record : records)
    set.add(record);
  return set;
}

RecordSet merged(RecordSet a, const RecordSet& b) {
  a.merge(b);
  return a;
}

WantedRecord wanted(const Record& record) {
  return {record.key, record.target, record.compute_units, record.xcds, record.clock_mhz, record.source, false, ""};
}

// Few keys and values, so that records of one place meet often.
Record random_record(std::mt19937_64& random) {
  Record record = some_record("k" + std::to_string(random() % 3), 1 + random() % 3);
  record.evidence = random() % 3 == 0 ? hk::tune::Evidence::measured : hk::tune::Evidence::modelled;
  record.environment = random() % 2 == 0 ? "" : "p" + std::to_string(random() % 2);
  record.source = random() % 4 == 0 ? "old" : "new";
  record.clock_mhz = random() % 4 == 0 ? 1900 : 2100;
  record.candidates[1].spread = static_cast<double>(random() % 3) / 100;
  record.date += static_cast<std::int64_t>(random() % 2);
  record.tool_chain = std::to_string(random() % 3);
  return record;
}

RecordSet random_set(std::mt19937_64& random) {
  std::vector<Record> records(random() % 7);
  for (Record& record : records)
    record = random_record(random);
  RecordSet set = set_of(records);
  if (random() % 2 == 0)
    set.merge(RecordSet::parse("hk-tuning 7\nline " + std::to_string(random() % 3) + "\n").records);
  return set;
}

} // namespace

TEST_CASE("Merging is commutative, associative and idempotent, and so is reading texts put together") {
  std::mt19937_64 random(1);
  for (int round = 0; round < 2000; ++round) {
    const RecordSet a = random_set(random);
    const RecordSet b = random_set(random);
    const RecordSet c = random_set(random);
    const std::string ab = merged(a, b).text();
    REQUIRE(ab == merged(b, a).text());
    REQUIRE(merged(merged(a, b), c).text() == merged(a, merged(b, c)).text());
    REQUIRE(merged(a, a).text() == a.text());
    REQUIRE(merged(merged(a, b), b).text() == ab);
    REQUIRE(RecordSet::parse(a.text() + b.text()).records.text() == ab);
    REQUIRE(merged(a, b).digest() == merged(b, a).digest());
  }
}

TEST_CASE("Better evidence wins: measured, then samples, then spread, then date") {
  const auto stays = [](const Record& better, const Record& worse) {
    const RecordSet set = set_of({worse, better});
    CHECK(set.records() == std::vector<Record>{better});
    CHECK(set_of({better, worse}).records() == std::vector<Record>{better});
  };
  stays(some_record("k", 10), modelled_record("k", "p", 1000));
  stays(some_record("k", 11), some_record("k", 10));
  Record narrow = some_record("k", 10);
  narrow.candidates[1].spread = 0.001;
  stays(narrow, some_record("k", 10));
  Record later = some_record("k", 10);
  later.date += 1;
  stays(later, some_record("k", 10));
  stays(some_record("k", 11), later);
}

TEST_CASE("Records of other sources, devices and profiles stand beside each other") {
  Record source = some_record("k");
  source.source = "other";
  Record units = some_record("k");
  units.compute_units = 38;
  Record clock = some_record("k");
  clock.clock_mhz = 1900;
  CHECK(set_of({some_record("k"), source, units, clock}).size() == 4);
  CHECK(set_of({modelled_record("k", "p"), modelled_record("k", "q")}).size() == 2);
  CHECK(set_of({modelled_record("k", "p"), modelled_record("k", "q"), some_record("k")}).size() == 1);
}

TEST_CASE("A text and its set: canonical, sorted, with parts of other versions kept as they are") {
  const std::string a = format_record(some_record("a"));
  const std::string b = format_record(some_record("b"));
  const std::string text = "hk-tuning 2\nfrom the future\n\nhk-tuning 1\n" + b + "\r\n" + a + "\nhk-tuning 2\nmore\n";
  const auto parsed = RecordSet::parse(text);
  CHECK(parsed.damaged == 0);
  CHECK(parsed.foreign == 2);
  CHECK(parsed.records.size() == 2);
  const std::string canonical = "hk-tuning 1\n" + a + "\n" + b + "\nhk-tuning 2\nfrom the future\nmore\n";
  CHECK(parsed.records.text() == canonical);
  CHECK(RecordSet::parse(canonical).records.text() == canonical);
  CHECK(RecordSet().text() == "hk-tuning 1\n");
  CHECK(parsed.records.digest() == set_of({some_record("a"), some_record("b")}).digest());
}

TEST_CASE("Damaged lines are dropped, the others stay; nothing is read before a title") {
  const std::string a = format_record(some_record("a"));
  std::string torn = format_record(some_record("b"));
  torn.resize(torn.size() / 2);
  auto parsed = RecordSet::parse("hk-tuning 1\nnonsense\n" + a + "\n" + torn);
  CHECK(parsed.damaged == 2);
  CHECK(parsed.records == set_of({some_record("a")}));
  CHECK(parsed.records.digest() == set_of({some_record("a")}).digest());
  parsed = RecordSet::parse(a + "\nhk-tuning one more line that is far too long to be the title of any part at all\n");
  CHECK(parsed.damaged == 2);
  CHECK(parsed.records.empty());
  CHECK(RecordSet::parse("").records.empty());
  CHECK(RecordSet::parse(std::string("\0\n\n\r\xff", 5)).damaged == 2);
}

TEST_CASE("The digest is that of what decides: key, device, source and winner") {
  const RecordSet set = set_of({some_record("k")});
  Record same = some_record("k");
  same.candidates[0].median = 7;
  same.date += 100;
  same.gate = "passed again";
  same.environment = "another runtime";
  same.tool_chain = "another";
  CHECK(set_of({same}).digest() == set.digest());
  const auto differs = [&](auto change) {
    Record record = some_record("k");
    change(record);
    CHECK(set_of({record}).digest() != set.digest());
  };
  differs([](Record& record) { record.winner = record.default_configuration; });
  differs([](Record& record) { record.key = "j"; });
  differs([](Record& record) { record.target = "gfx950:sramecc+:xnack-"; });
  differs([](Record& record) { record.compute_units = 256; });
  differs([](Record& record) { record.source = "changed"; });
  CHECK(set_of({some_record("k"), some_record("l")}).digest() != set.digest());
  CHECK(RecordSet().digest() != set.digest());
}

TEST_CASE("A record decides only for its key, device and source") {
  const Record record = some_record("k");
  const RecordSet set = set_of({record, some_record("other")});
  REQUIRE(set.decision(wanted(record)) != nullptr);
  CHECK(*set.decision(wanted(record)) == record);
  const auto refused = [&](auto change) {
    WantedRecord other = wanted(record);
    change(other);
    CHECK(set.decision(other) == nullptr);
  };
  refused([](WantedRecord& other) { other.key = "j"; });
  refused([](WantedRecord& other) { other.target = "gfx942:sramecc-:xnack-"; });
  refused([](WantedRecord& other) { other.compute_units = 38; });
  refused([](WantedRecord& other) { other.xcds = 1; });
  refused([](WantedRecord& other) { other.source = "changed"; });
  WantedRecord unknown = wanted(record);
  unknown.xcds = 0;
  unknown.clock_mhz = 1; // a power cap makes no other device
  CHECK(set.decision(unknown) != nullptr);
  CHECK(RecordSet().decision(wanted(record)) == nullptr);
}

TEST_CASE("A modelled record decides for the simulated device of its profile, never on hardware") {
  const RecordSet set = set_of({modelled_record("k", "p", 9), modelled_record("k", "q")});
  WantedRecord hardware = wanted(some_record("k"));
  CHECK(set.decision(hardware) == nullptr);
  CHECK(!set.likely_order(hardware).empty());
  WantedRecord simulated = hardware;
  simulated.simulated = true;
  simulated.profile = "q";
  REQUIRE(set.decision(simulated) != nullptr);
  CHECK(set.decision(simulated)->environment == "q");
  simulated.profile = "r";
  CHECK(set.decision(simulated) == nullptr);
  // Measured beats modelled everywhere.
  const RecordSet both = merged(set, set_of({some_record("k")}));
  CHECK(both.decision(simulated)->evidence == hk::tune::Evidence::measured);
}

TEST_CASE("Of several that decide, that of the wanted clock does") {
  Record slow = some_record("k", 100);
  slow.clock_mhz = 1900;
  const RecordSet set = set_of({slow, some_record("k", 10)});
  CHECK(set.decision(wanted(some_record("k")))->clock_mhz == 2100);
  CHECK(set.decision(wanted(slow))->clock_mhz == 1900);
  WantedRecord other = wanted(slow);
  other.clock_mhz = 1000;
  CHECK(set.decision(other)->samples() == 100);
}

TEST_CASE("Sets of equal digests choose alike, however many samples their records have") {
  Record slow = some_record("k");
  slow.clock_mhz = 1900;
  slow.winner = slow.default_configuration;
  const auto with_samples = [](Record record, std::uint64_t samples) {
    for (hk::tune::CandidateRecord& candidate : record.candidates)
      candidate.samples = samples;
    return record;
  };
  const RecordSet one = set_of({with_samples(slow, 100), with_samples(some_record("k"), 10)});
  const RecordSet other = set_of({with_samples(slow, 10), with_samples(some_record("k"), 100)});
  REQUIRE(one.digest() == other.digest());
  WantedRecord capped = wanted(slow);
  capped.clock_mhz = 1000; // neither record's
  CHECK(one.decision(capped)->winner == slow.winner);
  CHECK(other.decision(capped)->winner == slow.winner);
}

TEST_CASE("The likely order: the winner, then by time, of the nearest record of the same processor") {
  Record old = some_record("k");
  old.source = "old";
  old.candidates.push_back({"q32", "stopped early", 101, 0.1, 4});
  const RecordSet set = set_of({old});
  CHECK(set.likely_order(wanted(some_record("k"))) == std::vector<std::string>{"q256 kv64 w8", "q32", "q128 kv64 w4"});
  CHECK(set.likely_order(wanted(some_record("j"))).empty());
  WantedRecord other = wanted(some_record("k"));
  other.target = "gfx950:sramecc+:xnack-";
  CHECK(set.likely_order(other).empty());
  other.target = "gfx942:sramecc-:xnack-";
  CHECK(set.likely_order(other).size() == 3);
}

TEST_CASE("Overriding puts the other's records in the place of one's own, and leaves the rest") {
  RecordSet set = set_of({some_record("a", 100), some_record("b", 100)});
  Record theirs = some_record("a", 1);
  theirs.winner = theirs.default_configuration;
  set.override_with(set_of({theirs}));
  CHECK(set == set_of({theirs, some_record("b", 100)}));
}
