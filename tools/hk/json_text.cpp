#include "json_text.h"

#include <nlohmann/json.hpp>

namespace hk::command {
namespace {

using Json = nlohmann::ordered_json;

template <typename Value>
Json or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json();
}

std::string scalar_text(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

void append_lines(const Json& value, const std::string& indent, std::string& text) {
  for (const auto& [name, member] : value.items()) {
    text.append(indent).append(value.is_array() ? "-" : name + ":");
    if (!member.is_structured()) {
      text.append(" ").append(scalar_text(member)).append("\n");
    } else if (member.empty()) {
      text += " none\n";
    } else {
      text += "\n";
      append_lines(member, indent + "  ", text);
    }
  }
}

} // namespace

std::string to_json(const AttentionReport& report) {
  Json json = Json::object();
  json["status"] = report.status;
  json["device"] = report.device;
  json["kernel"] = or_null(report.kernel);
  json["cache"] = or_null(report.cache);
  json["compile_ms"] = or_null(report.compile_ms);
  json["call_us"] = or_null(report.call_us);
  json["modelled_us"] = or_null(report.modelled_us);
  json["max_abs_err"] = or_null(report.max_abs_err);
  json["lowprec_max_abs_err"] = or_null(report.lowprec_max_abs_err);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string text_member(const std::string& json, const std::string& name) {
  const Json parsed = Json::parse(json);
  const auto found = parsed.find(name);
  return found == parsed.end() ? std::string() : scalar_text(*found);
}

std::size_t count_member(const std::string& json, const std::string& name) {
  return Json::parse(json).at(name).size();
}

std::string readable(const std::string& json) {
  std::string text;
  append_lines(Json::parse(json), "", text);
  return text;
}

} // namespace hk::command
