#include "entry_table.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <ctime>
#include <vector>

#include <nlohmann/json.hpp>

namespace hk::command {
namespace {

struct Row {
  std::string name;
  std::string size;
  std::string last_use;
  std::string target;
  std::string symbol;
  std::int64_t seconds = 0;
};

std::string time_text(std::int64_t seconds) {
  const auto when = static_cast<std::time_t>(seconds);
  std::tm parts{};
  std::array<char, 32> text{};
  if (::gmtime_r(&when, &parts) == nullptr || std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M", &parts) == 0)
    return "?";
  return text.data();
}

Row row_of(const nlohmann::json& entry) {
  Row row;
  row.name = entry.value("name", "");
  row.size = std::to_string(entry.value("bytes", std::uint64_t{0}));
  row.seconds = entry.value("last_use_seconds", std::int64_t{0});
  row.last_use = time_text(row.seconds);
  row.target = entry.value("target", "-");
  row.symbol = entry.contains("problem") ? "DAMAGED: " + entry.value("problem", "") : entry.value("symbol", "-");
  return row;
}

// How many leading characters tell all names apart.
std::size_t telling_length(std::vector<std::string> names) {
  std::size_t length = 12;
  std::sort(names.begin(), names.end());
  for (std::size_t i = 1; i < names.size(); ++i) {
    const auto differ = std::mismatch(names[i - 1].begin(), names[i - 1].end(), names[i].begin(), names[i].end());
    length = std::max(length, static_cast<std::size_t>(differ.first - names[i - 1].begin()) + 1);
  }
  return length;
}

void append_padded(std::string& line, const std::string& text, std::size_t width, bool right) {
  const std::string padding(width > text.size() ? width - text.size() : 0, ' ');
  line += right ? padding + text + "  " : text + padding + "  ";
}

} // namespace

std::string entry_table(const std::string& json) {
  const nlohmann::json list = nlohmann::json::parse(json);
  std::vector<Row> rows;
  std::vector<std::string> names;
  for (const nlohmann::json& entry : list.at("entries")) {
    rows.push_back(row_of(entry));
    names.push_back(rows.back().name);
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row& left, const Row& right) { return left.seconds > right.seconds; });
  const std::size_t length = telling_length(names);
  for (Row& row : rows)
    row.name.resize(std::min(row.name.size(), length));
  rows.insert(rows.begin(), {"NAME", "BYTES", "LAST USE (UTC)", "TARGET", "SYMBOL", 0});
  std::array<std::size_t, 4> widths{};
  for (const Row& row : rows) {
    const std::array<std::size_t, 4> sizes = {row.name.size(), row.size.size(), row.last_use.size(), row.target.size()};
    for (std::size_t i = 0; i < widths.size(); ++i)
      widths[i] = std::max(widths[i], sizes[i]);
  }
  std::string table = "folder: " + list.value("folder", "") + "\n";
  for (const Row& row : rows) {
    append_padded(table, row.name, widths[0], false);
    append_padded(table, row.size, widths[1], true);
    append_padded(table, row.last_use, widths[2], false);
    append_padded(table, row.target, widths[3], false);
    table += row.symbol + "\n";
  }
  return table;
}

} // namespace hk::command
