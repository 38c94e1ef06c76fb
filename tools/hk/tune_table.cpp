#include "tune_table.h"

#include <algorithm>
#include <cstdio>
#include <vector>

#include <nlohmann/json.hpp>

#include "tune/record_set.h"

namespace hk::command {
namespace {

using Json = nlohmann::ordered_json;
using Row = std::vector<std::string>;

// Columns as wide as their widest cell.
std::string aligned(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i)
      line += row[i] + std::string(widths[i] - row[i].size() + 2, ' ');
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string number(double value, const char* format) {
  char text[48];
  std::snprintf(text, sizeof(text), format, value);
  return text;
}

// A member's text; "-" where there is none, as for a candidate that did not compile.
std::string cell(const Json& json, const char* name) {
  const auto found = json.find(name);
  return found == json.end() ? "-" : found->dump();
}

double best_median(const tune::Record& record, const std::string& configuration) {
  for (const tune::CandidateRecord& candidate : record.candidates) {
    if (candidate.configuration == configuration)
      return candidate.median;
  }
  return 0;
}

const char* evidence_text(const tune::Record& record) {
  return record.evidence == tune::Evidence::measured ? "measured" : "modelled";
}

} // namespace

std::string candidate_table(const std::string& description) {
  const Json json = Json::parse(description);
  const auto tuning = json.find("tuning");
  if (tuning == json.end() || !tuning->contains("candidates"))
    return {};
  std::vector<Row> rows = {
      {"configuration", "VGPRs", "AGPRs", "LDS", "waves/CU", "median us", "spread", "samples", "state", "why"}};
  const std::string winner = tuning->at("winner");
  for (const Json& candidate : tuning->at("candidates")) {
    const std::string name = candidate.at("configuration");
    const bool sampled = candidate.at("samples").get<int>() != 0;
    rows.push_back({(name == winner ? "* " : "  ") + name, cell(candidate, "vgprs"), cell(candidate, "agprs"),
                    cell(candidate, "lds_bytes"), cell(candidate, "waves_per_cu"),
                    sampled ? number(candidate.at("median_us"), "%.3f") : "-",
                    sampled ? number(100 * candidate.at("spread").get<double>(), "%.2f %%") : "-",
                    cell(candidate, "samples"), candidate.at("state"), candidate.value("why", "")});
  }
  return aligned(rows) + "* " + winner + ": " + tuning->value("reason", "") + "\n";
}

std::string record_table(const std::string& records) {
  const tune::ParsedRecords parsed = tune::RecordSet::parse(records);
  if (parsed.records.empty())
    return "no records\n";
  std::vector<Row> rows = {{"problem", "device", "evidence", "winner", "us", "default", "us", "samples"}};
  for (const tune::Record& record : parsed.records.records())
    rows.push_back({record.key, record.target + ", " + std::to_string(record.compute_units) + " CUs",
                    evidence_text(record), record.winner, number(best_median(record, record.winner), "%.3f"),
                    record.default_configuration, number(best_median(record, record.default_configuration), "%.3f"),
                    std::to_string(record.samples())});
  return aligned(rows);
}

std::string record_json(const std::string& records) {
  Json array = Json::array();
  for (const tune::Record& record : tune::RecordSet::parse(records).records.records()) {
    Json json = {{"key", record.key},
                 {"target", record.target},
                 {"compute_units", record.compute_units},
                 {"clock_mhz", record.clock_mhz},
                 {"evidence", evidence_text(record)},
                 {"environment", record.environment},
                 {"source", record.source},
                 {"winner", record.winner},
                 {"default", record.default_configuration},
                 {"gate", record.gate},
                 {"date_seconds", record.date}};
    for (const tune::CandidateRecord& candidate : record.candidates)
      json["candidates"].push_back({{"configuration", candidate.configuration},
                                    {"state", candidate.state},
                                    {"median_us", candidate.median},
                                    {"spread", candidate.spread},
                                    {"samples", candidate.samples}});
    array.push_back(std::move(json));
  }
  return array.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace hk::command
