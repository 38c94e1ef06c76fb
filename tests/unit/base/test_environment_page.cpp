// docs/ENVIRONMENT.md against the code: the page can neither forget a variable nor describe one wrongly.

#include <doctest/doctest.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "base/config.h"
#include "unit/base/scratch_folder.h"

using hk::base::Config;
using hk::base::environment_variables;
using hk::base::EnvironmentVariable;

namespace {

const std::filesystem::path k_source_folder = HK_SOURCE_FOLDER;

struct Row {
  std::string accepted;
  std::string default_value;
  std::string meaning;
};

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(' ');
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

std::string page() {
  return hk::test::read_text((k_source_folder / "docs" / "ENVIRONMENT.md").string());
}

// The rows of the page's table of four columns.
std::map<std::string, Row> documented() {
  std::map<std::string, Row> rows;
  std::istringstream lines(page());
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> cells;
    std::istringstream parts(line);
    for (std::string cell; std::getline(parts, cell, '|');)
      cells.push_back(trimmed(cell));
    if (cells.size() == 5 && cells[1].starts_with('`') && cells[1].ends_with('`'))
      rows[cells[1].substr(1, cells[1].size() - 2)] = {cells[2], cells[3], cells[4]};
  }
  return rows;
}

std::map<std::string, Row> in_code() {
  std::map<std::string, Row> rows;
  for (const EnvironmentVariable& variable : environment_variables()) {
    const std::string value = variable.show(Config{});
    rows[variable.name] = {variable.accepted, value.empty() ? "unset" : "`" + value + "`", variable.meaning};
  }
  return rows;
}

std::string code_outside_base() {
  std::string code;
  for (const char* folder : {"src", "cache", "tools"})
    for (const auto& file : std::filesystem::recursive_directory_iterator(k_source_folder / folder))
      if (file.path().extension() == ".cpp" && file.path().parent_path().filename() != "base")
        code += hk::test::read_text(file.path().string());
  return code;
}

// The expression, not as the beginning of a longer name.
bool uses(const std::string& code, const std::string& expression) {
  for (std::size_t at = code.find(expression); at != std::string::npos; at = code.find(expression, at + 1)) {
    const auto next = static_cast<unsigned char>(code[at + expression.size()]);
    if (std::isalnum(next) == 0 && next != '_')
      return true;
  }
  return false;
}

// HK_DEV_* and HK_DEBIAN_* in a text.
std::set<std::string> tool_variables(const std::string& text) {
  std::set<std::string> found;
  for (const std::string prefix : {"HK_DEV_", "HK_DEBIAN_"}) {
    for (std::size_t begin = text.find(prefix); begin != std::string::npos; begin = text.find(prefix, begin + 1)) {
      const std::size_t end = text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_", begin);
      if (end != begin + prefix.size())
        found.insert(text.substr(begin, end - begin));
    }
  }
  return found;
}

} // namespace

TEST_SUITE_BEGIN("base.environment_page");

TEST_CASE("docs/ENVIRONMENT.md has the rows of the table in the code, word by word") {
  const auto page_rows = documented();
  const auto code_rows = in_code();
  for (const auto& [name, row] : code_rows) {
    CAPTURE(name);
    REQUIRE(page_rows.contains(name));
    CHECK(page_rows.at(name).accepted == row.accepted);
    CHECK(page_rows.at(name).default_value == row.default_value);
    CHECK(page_rows.at(name).meaning == row.meaning);
  }
  for (const auto& [name, row] : page_rows)
    CHECK_MESSAGE(code_rows.contains(name), name << " is documented but not read");
}

TEST_CASE("every field of Config is used outside base") {
  const std::string header = hk::test::read_text((k_source_folder / "src/base/config.h").string());
  const std::size_t begin = header.find("struct Config {");
  std::istringstream fields(header.substr(begin, header.find("};", begin) - begin));
  const std::string code = code_outside_base();
  int found = 0;
  for (std::string line; std::getline(fields, line);) {
    const std::size_t end = line.find_first_of("=;");
    if (line.starts_with("struct") || end == std::string::npos)
      continue;
    const std::string declaration = trimmed(line.substr(0, end));
    const std::string name = declaration.substr(declaration.find_last_of(' ') + 1);
    CHECK_MESSAGE((uses(code, "config." + name) || uses(code, "config->" + name)), name << " is read and then ignored");
    ++found;
  }
  CHECK(found == static_cast<int>(environment_variables().size()));
}

TEST_CASE("only base/config.cpp reads the environment") {
  int files = 0;
  for (const char* folder : {"src", "cache"}) {
    for (const auto& file : std::filesystem::recursive_directory_iterator(k_source_folder / folder)) {
      const std::string extension = file.path().extension().string();
      if (extension != ".cpp" && extension != ".h")
        continue;
      ++files;
      const bool reader = file.path().filename() == "config.cpp" && file.path().parent_path().filename() == "base";
      CHECK_MESSAGE((hk::test::read_text(file.path().string()).find("getenv(") != std::string::npos) == reader,
                    file.path().string());
    }
  }
  CHECK(files > 20);
}

TEST_CASE("the variables of tools/dev are those that the page lists") {
  std::string scripts = hk::test::read_text((k_source_folder / "tools" / "dev").string());
  for (const auto& file : std::filesystem::recursive_directory_iterator(k_source_folder / "tools" / "dev.d"))
    if (file.is_regular_file())
      scripts += hk::test::read_text(file.path().string());
  CHECK(tool_variables(scripts) == tool_variables(page()));
}

TEST_SUITE_END();
