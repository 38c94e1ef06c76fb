#include "service/header_bundle.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "cache/key.h"
#include "codeobj/processor.h"
#include "service/embedded_sources.h"

namespace hk::service {
namespace {

constexpr std::string_view k_target_header = "hk/target.h";

// The name in a line such as `#include <hk/tile/tile.h>`.
std::optional<std::string_view> included_name(std::string_view line) {
  const auto skip_blanks = [&line] { line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size())); };
  skip_blanks();
  if (!line.starts_with('#'))
    return std::nullopt;
  line.remove_prefix(1);
  skip_blanks();
  constexpr std::string_view k_include = "include";
  if (!line.starts_with(k_include))
    return std::nullopt;
  line.remove_prefix(k_include.size());
  skip_blanks();
  if (!line.starts_with('<') && !line.starts_with('"'))
    return std::nullopt;
  const char closing = line.front() == '<' ? '>' : '"';
  line.remove_prefix(1);
  const std::size_t end = line.find(closing);
  if (end == std::string_view::npos)
    return std::nullopt;
  return line.substr(0, end);
}

// Walks the includes depth first; `from` names the including file in messages.
Status collect(std::string_view text, std::string_view from, const std::string& target_line,
               std::map<std::string_view, std::string_view>& found) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::optional<std::string_view> name = included_name(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!name || found.contains(*name))
      continue;
    std::string_view header;
    if (*name == k_target_header) {
      header = target_line;
    } else if (const EmbeddedSource* source = find_embedded_source(*name)) {
      header = source->text;
    } else {
      return {StatusCode::internal, std::string(from) + " includes <" + std::string(*name) +
                                        ">, which is not among the embedded kernel sources"};
    }
    found.emplace(*name, header);
    HK_RETURN_IF_ERROR(collect(header, *name, target_line, found));
  }
  return {};
}

} // namespace

Result<HeaderBundle> reachable_headers(std::string_view unit, std::string_view processor) {
  const codeobj::Processor* const listed = codeobj::find_processor(processor);
  if (listed == nullptr)
    return fail(StatusCode::internal, "no kernel sources are written for processor " + std::string(processor));
  const std::string target_line = "#include <hk/arch/" + std::string(listed->sources) + "/target.h>\n";
  std::map<std::string_view, std::string_view> found;
  HK_RETURN_IF_ERROR(collect(unit, "the translation unit", target_line, found));
  HeaderBundle bundle;
  cache::KeyText text;
  for (const auto& [name, header] : found) {
    bundle.headers.push_back({std::string(name), std::string(header)});
    text.add(name, header);
  }
  bundle.digest = base::hash128(text.text());
  return bundle;
}

} // namespace hk::service
