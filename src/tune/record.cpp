#include "tune/record.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "base/bytes.h"
#include "base/hash.h"

namespace hk::tune {
namespace {

constexpr std::string_view k_check = " check=";
constexpr std::size_t k_check_digits = 16;
constexpr char k_digits[] = "0123456789abcdef";
constexpr std::int64_t k_end_of_dates = 253402300800; // 10000-01-01
constexpr std::size_t k_candidate_parts = 5;

// ---- writing

std::string escaped(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (const char character : text) {
    const auto byte = static_cast<unsigned char>(character);
    if (byte > 0x20 && byte < 0x7f && std::string_view("%,:=").find(character) == std::string_view::npos)
      result.push_back(character);
    else
      result.append({'%', k_digits[byte >> 4], k_digits[byte & 15]});
  }
  return result;
}

std::string number_text(double value) {
  if (!std::isfinite(value) || value <= 0)
    return "0";
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

std::string date_text(std::int64_t seconds) {
  if (seconds < 0 || seconds >= k_end_of_dates)
    seconds = 0;
  const std::chrono::sys_seconds time{std::chrono::seconds(seconds)};
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02dZ", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()));
  return text.data();
}

std::string candidates_text(const std::vector<CandidateRecord>& candidates) {
  std::string text;
  for (const CandidateRecord& candidate : candidates) {
    if (!text.empty())
      text.push_back(',');
    text.append(escaped(candidate.configuration)).append(":").append(escaped(candidate.state));
    text.append(":").append(number_text(candidate.median)).append(":").append(number_text(candidate.spread));
    text.append(":").append(std::to_string(candidate.samples));
  }
  return text;
}

std::string check_of(std::string_view text) {
  const std::uint64_t check = base::hash64(text);
  std::string digits(k_check_digits, '0');
  for (std::size_t i = 0; i < k_check_digits; ++i)
    digits[i] = k_digits[(check >> (60 - 4 * i)) & 15];
  return digits;
}

// ---- reading

int digit_of(char digit) {
  if (digit >= '0' && digit <= '9')
    return digit - '0';
  return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

// What is not well-formed comes out as something that is written differently, and is found out by that.
std::string unescaped(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      result.push_back(text[i]);
      continue;
    }
    if (i + 2 >= text.size())
      break;
    const int value = digit_of(text[i + 1]) * 16 + digit_of(text[i + 2]);
    result.push_back(static_cast<char>(value));
    i += 2;
  }
  return result;
}

template <typename Number>
bool parse_number(std::string_view text, Number& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t end = text.find(separator); end != std::string_view::npos; end = text.find(separator)) {
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  parts.push_back(text);
  return parts;
}

bool parse_date(std::string_view text, std::int64_t& seconds) {
  constexpr std::string_view pattern = "0000-00-00T00:00:00Z";
  if (text.size() != pattern.size())
    return false;
  std::array<int, 6> parts{};
  constexpr std::array<std::pair<std::size_t, std::size_t>, 6> places{
      {{0, 4}, {5, 2}, {8, 2}, {11, 2}, {14, 2}, {17, 2}}};
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (!parse_number(text.substr(places[i].first, places[i].second), parts[i]) || parts[i] < 0)
      return false;
  const std::chrono::year_month_day date{std::chrono::year(parts[0]),
                                         std::chrono::month(static_cast<unsigned>(parts[1])),
                                         std::chrono::day(static_cast<unsigned>(parts[2]))};
  if (!date.ok())
    return false;
  const std::int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  seconds = ((days * 24 + parts[3]) * 60 + parts[4]) * 60 + parts[5];
  return true;
}

bool parse_candidates(std::string_view text, std::vector<CandidateRecord>& candidates) {
  if (text.empty())
    return true;
  for (const std::string_view item : split(text, ',')) {
    const std::vector<std::string_view> parts = split(item, ':');
    CandidateRecord candidate;
    if (parts.size() != k_candidate_parts || !parse_number(parts[2], candidate.median) ||
        !parse_number(parts[3], candidate.spread) || !parse_number(parts[4], candidate.samples))
      return false;
    candidate.configuration = unescaped(parts[0]);
    candidate.state = unescaped(parts[1]);
    candidates.push_back(std::move(candidate));
  }
  return true;
}

bool parse_evidence(std::string_view text, Evidence& evidence) {
  evidence = text == "measured" ? Evidence::measured : Evidence::modelled;
  return text == "measured" || text == "modelled";
}

bool assign_field(Record& record, std::string_view name, std::string_view value) {
  const std::array<std::pair<std::string_view, std::string*>, 8> texts{{
      {"key", &record.key},
      {"target", &record.target},
      {"environment", &record.environment},
      {"source", &record.source},
      {"tool_chain", &record.tool_chain},
      {"winner", &record.winner},
      {"default", &record.default_configuration},
      {"gate", &record.gate},
  }};
  const auto* text = std::find_if(texts.begin(), texts.end(), [&](const auto& field) { return field.first == name; });
  if (text != texts.end()) {
    *text->second = unescaped(value);
    return true;
  }
  if (name == "cus")
    return parse_number(value, record.compute_units);
  if (name == "xcds")
    return parse_number(value, record.xcds);
  if (name == "clock_mhz")
    return parse_number(value, record.clock_mhz);
  if (name == "evidence")
    return parse_evidence(value, record.evidence);
  if (name == "date")
    return parse_date(value, record.date);
  if (name == "candidates")
    return parse_candidates(value, record.candidates);
  record.unknown_fields.emplace(unescaped(name), unescaped(value));
  return true;
}

const CandidateRecord* winner_of(const Record& record) {
  const auto found =
      std::find_if(record.candidates.begin(), record.candidates.end(),
                   [&](const CandidateRecord& candidate) { return candidate.configuration == record.winner; });
  return found == record.candidates.end() ? nullptr : &*found;
}

} // namespace

std::uint64_t Record::samples() const {
  const CandidateRecord* candidate = winner_of(*this);
  return candidate == nullptr ? 0 : candidate->samples;
}

double Record::spread() const {
  const CandidateRecord* candidate = winner_of(*this);
  return candidate == nullptr ? 0 : candidate->spread;
}

std::string format_record(const Record& record) {
  std::string line;
  const auto field = [&](std::string_view name, const std::string& value) {
    line.append(line.empty() ? "" : " ").append(name).append("=").append(value);
  };
  field("key", escaped(record.key));
  field("target", escaped(record.target));
  field("cus", std::to_string(record.compute_units));
  field("xcds", std::to_string(record.xcds));
  field("clock_mhz", std::to_string(record.clock_mhz));
  field("evidence", record.evidence == Evidence::measured ? "measured" : "modelled");
  field("environment", escaped(record.environment));
  field("source", escaped(record.source));
  field("tool_chain", escaped(record.tool_chain));
  field("winner", escaped(record.winner));
  field("default", escaped(record.default_configuration));
  field("gate", escaped(record.gate));
  field("date", date_text(record.date));
  field("candidates", candidates_text(record.candidates));
  for (const auto& [name, value] : record.unknown_fields)
    field(escaped(name), escaped(value));
  const std::string check = check_of(line);
  return line.append(k_check).append(check);
}

std::optional<Record> parse_record(std::string_view line) {
  if (line.size() > k_max_record_bytes || line.size() < k_check.size() + k_check_digits)
    return std::nullopt;
  const std::string_view text = line.substr(0, line.size() - k_check.size() - k_check_digits);
  if (line.substr(text.size(), k_check.size()) != k_check ||
      line.substr(text.size() + k_check.size()) != check_of(text))
    return std::nullopt;
  Record record;
  for (const std::string_view field : split(text, ' ')) {
    const std::size_t equals = field.find('=');
    if (equals == std::string_view::npos || !assign_field(record, field.substr(0, equals), field.substr(equals + 1)))
      return std::nullopt;
  }
  // Fields that are missing, doubled or out of order, other spellings of a number, of a date, of a sign: all of them
  // show in that the record is not written as it was read.
  if (record.key.empty() || record.target.empty() || record.winner.empty() || format_record(record) != line)
    return std::nullopt;
  return record;
}

} // namespace hk::tune
