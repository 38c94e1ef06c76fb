#include "tune/record_set.h"

#include <algorithm>
#include <utility>

namespace hk::tune {
namespace {

constexpr std::string_view k_title = "hk-tuning ";
constexpr std::string_view k_own_title = "hk-tuning 1";
constexpr std::size_t k_max_title_bytes = 64;

// A total order, so that the better of two is always the same one.
bool is_better(const Record& a, const Record& b) {
  if (a.samples() != b.samples())
    return a.samples() > b.samples();
  if (a.spread() != b.spread())
    return a.spread() < b.spread();
  if (a.date != b.date)
    return a.date > b.date;
  return format_record(a) < format_record(b);
}

// "gfx942" of "gfx942:sramecc+:xnack-"
std::string_view processor_of(std::string_view target) {
  return target.substr(0, target.find(':'));
}

} // namespace

RecordSet::Place RecordSet::place_of(const Record& record) {
  return {record.key, record.target, record.compute_units, record.xcds, record.clock_mhz, record.source};
}

void RecordSet::add(Record record) {
  std::map<std::string, Record>& here = m_records[place_of(record)];
  const bool measured = record.evidence == Evidence::measured;
  const bool has_measured = !here.empty() && here.begin()->second.evidence == Evidence::measured;
  if (has_measured && !measured)
    return;
  if (measured && !has_measured)
    here.clear();
  const std::string name = measured ? std::string() : record.environment;
  const auto found = here.find(name);
  if (found == here.end())
    here.emplace(name, std::move(record));
  else if (is_better(record, found->second))
    found->second = std::move(record);
}

void RecordSet::merge(const RecordSet& other) {
  for (const auto& [place, here] : other.m_records)
    for (const auto& [name, record] : here)
      add(record);
  for (const auto& [title, lines] : other.m_foreign)
    m_foreign[title].insert(lines.begin(), lines.end());
}

void RecordSet::override_with(const RecordSet& other) {
  for (const auto& [place, here] : other.m_records)
    m_records[place] = here;
  for (const auto& [title, lines] : other.m_foreign)
    m_foreign[title].insert(lines.begin(), lines.end());
}

ParsedRecords RecordSet::parse(std::string_view text) {
  ParsedRecords parsed;
  std::string title; // of the part being read; empty before the first
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r'))
      line.remove_suffix(1);
    if (line.empty())
      continue;
    if (line.starts_with(k_title) && line.size() <= k_max_title_bytes) {
      title = line;
      ++parsed.parts;
    } else if (title == k_own_title) {
      std::optional<Record> record = parse_record(line);
      if (record)
        parsed.records.add(std::move(*record));
      else
        ++parsed.damaged;
    } else if (!title.empty() && line.size() <= k_max_record_bytes) {
      parsed.records.m_foreign[title].emplace(line);
      ++parsed.foreign;
    } else {
      ++parsed.damaged;
    }
  }
  return parsed;
}

std::string RecordSet::text() const {
  std::vector<std::string> lines;
  for (const auto& [place, here] : m_records)
    for (const auto& [name, record] : here)
      lines.push_back(format_record(record));
  std::sort(lines.begin(), lines.end());
  std::string text = std::string(k_own_title) + "\n";
  for (const std::string& line : lines)
    text.append(line).append("\n");
  for (const auto& [title, foreign_lines] : m_foreign) {
    text.append(title).append("\n");
    for (const std::string& line : foreign_lines)
      text.append(line).append("\n");
  }
  return text;
}

const Record* RecordSet::decision(const WantedRecord& wanted) const {
  const Record* best = nullptr;
  // Of equal rank the first in the order of places decides, not the one with more samples: the digest knows places, and
  // equal digests are equal choices.
  const auto rank = [&](const Record& record) {
    return (record.evidence == Evidence::measured ? 2 : 0) + (record.clock_mhz == wanted.clock_mhz ? 1 : 0);
  };
  // Places are sorted by key, then target.
  for (auto place = m_records.lower_bound({wanted.key, wanted.target, wanted.compute_units, 0, 0, {}});
       place != m_records.end() && place->first.key == wanted.key && place->first.target == wanted.target &&
       place->first.compute_units == wanted.compute_units;
       ++place) {
    const bool same_xcds = place->first.xcds == wanted.xcds || place->first.xcds == 0 || wanted.xcds == 0;
    if (place->first.source != wanted.source || !same_xcds)
      continue;
    for (const auto& [name, record] : place->second) {
      const bool suits = record.evidence == Evidence::measured || (wanted.simulated && name == wanted.profile);
      if (suits && (best == nullptr || rank(record) > rank(*best)))
        best = &record;
    }
  }
  return best;
}

std::vector<std::string> RecordSet::likely_order(const WantedRecord& wanted) const {
  const Record* nearest = nullptr;
  const auto nearness = [&](const Record& record) {
    return (record.compute_units == wanted.compute_units ? 4 : 0) + (record.evidence == Evidence::measured ? 2 : 0) +
           (record.source == wanted.source ? 1 : 0);
  };
  for (auto place = m_records.lower_bound({wanted.key, {}, 0, 0, 0, {}});
       place != m_records.end() && place->first.key == wanted.key; ++place) {
    if (processor_of(place->first.target) != processor_of(wanted.target))
      continue;
    for (const auto& [name, record] : place->second)
      if (nearest == nullptr || nearness(record) > nearness(*nearest) ||
          (nearness(record) == nearness(*nearest) && is_better(record, *nearest)))
        nearest = &record;
  }
  if (nearest == nullptr)
    return {};
  std::vector<std::pair<double, std::string>> timed;
  for (const CandidateRecord& candidate : nearest->candidates)
    if (candidate.samples > 0 && candidate.configuration != nearest->winner)
      timed.emplace_back(candidate.median, candidate.configuration);
  std::sort(timed.begin(), timed.end());
  std::vector<std::string> order{nearest->winner};
  for (auto& [time, configuration] : timed)
    order.push_back(std::move(configuration));
  return order;
}

base::Digest128 RecordSet::digest() const {
  std::set<std::string> lines;
  for (const auto& [place, here] : m_records)
    for (const auto& [name, record] : here) {
      // A record of nothing but what decides, so that one notation serves both.
      Record essence;
      essence.key = record.key;
      essence.target = record.target;
      essence.compute_units = record.compute_units;
      essence.xcds = record.xcds;
      essence.clock_mhz = record.clock_mhz;
      essence.evidence = record.evidence;
      essence.environment = name;
      essence.source = record.source;
      essence.winner = record.winner;
      lines.insert(format_record(essence));
    }
  std::string text;
  for (const std::string& line : lines)
    text.append(line).append("\n");
  return base::hash128(text);
}

std::vector<Record> RecordSet::records() const {
  std::vector<Record> all;
  for (const auto& [place, here] : m_records)
    for (const auto& [name, record] : here)
      all.push_back(record);
  return all;
}

std::size_t RecordSet::size() const {
  std::size_t count = 0;
  for (const auto& [place, here] : m_records)
    count += here.size();
  return count;
}

} // namespace hk::tune
