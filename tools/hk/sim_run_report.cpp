#include "sim_run_report.h"

#include <nlohmann/json.hpp>

#include "codeobj/inspect.h"

namespace hk::command {
namespace {

using Json = nlohmann::ordered_json;

std::string one_line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json arguments_json(const codeobj::KernelMetadata& metadata) {
  Json list = Json::array();
  for (const codeobj::KernelArgument& argument : metadata.arguments) {
    if (argument.is_hidden())
      continue;
    list.push_back(
        {{"name", argument.name}, {"offset", argument.offset}, {"size", argument.size}, {"kind", argument.kind_text}});
  }
  return list;
}

} // namespace

std::string run_json(const RunFacts& facts, const std::string& counted) {
  Json json = Json::object();
  json["device"] = facts.device;
  json["target"] = facts.target;
  json["grid"] = facts.grid;
  json["block"] = facts.block;
  json["lds_bytes"] = facts.lds_bytes;
  const Json parsed = Json::parse(counted, nullptr, false);
  if (parsed.is_object())
    json.update(parsed);
  json["profile"] = facts.profile;
  json["host_ms"] = facts.host_ms;
  return one_line(json);
}

std::string list_json(const codeobj::CodeObject& object) {
  Json json = Json::object();
  json["target"] = object.target.to_string();
  json["code_object_version"] = object.version;
  json["kernels"] = Json::array();
  for (const codeobj::Kernel& kernel : object.kernels) {
    const codeobj::KernelResources resources = codeobj::resources_of(kernel);
    json["kernels"].push_back({{"name", kernel.metadata.name},
                               {"vgprs", resources.vgprs},
                               {"agprs", resources.agprs},
                               {"sgprs", resources.sgprs},
                               {"lds_bytes", resources.lds_bytes},
                               {"scratch_bytes", resources.scratch_bytes},
                               {"max_workgroup_size", resources.max_workgroup_size},
                               {"kernarg_bytes", kernel.metadata.kernarg_segment_size},
                               {"arguments", arguments_json(kernel.metadata)}});
  }
  return one_line(json);
}

} // namespace hk::command
