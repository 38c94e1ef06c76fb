#include "codeobj/target_id.h"

#include <algorithm>
#include <optional>

#include "codeobj/processor.h"

namespace hk::codeobj {
namespace {

constexpr std::string_view k_triple = "amdgcn-amd-amdhsa--";

constexpr std::uint32_t k_machine_mask = 0xff;
constexpr int k_xnack_shift = 8;    // EF_AMDGPU_FEATURE_XNACK_V4: 0 unsupported, 1 any, 2 off, 3 on
constexpr int k_sramecc_shift = 10; // EF_AMDGPU_FEATURE_SRAMECC_V4: the same
constexpr std::uint32_t k_known_flags = 0xfff;

std::string supported_list() {
  std::string list;
  for (const Processor& processor : processors()) {
    list += list.empty() ? "" : ", ";
    list += processor.name;
  }
  return list;
}

std::string quoted(std::string_view text) {
  std::string result = "'";
  for (char character : text.substr(0, 80))
    result += (character >= 0x20 && character < 0x7f) ? character : '?';
  return result + "'";
}

bool is_nvidia_name(std::string_view name) {
  constexpr std::string_view k_prefix = "sm_";
  return name.starts_with(k_prefix) && name.size() > k_prefix.size() && name.size() <= 8 &&
         name.find_first_not_of("0123456789", k_prefix.size()) == std::string_view::npos;
}

bool is_processor_name(std::string_view name) {
  if (is_nvidia_name(name))
    return true;
  if (name.size() < 6 || name.size() > 32 || !name.starts_with("gfx"))
    return false;
  return std::all_of(name.begin(), name.end(),
                     [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; });
}

const char* suffix_of(FeatureSetting setting) {
  return setting == FeatureSetting::on ? "+" : "-";
}

std::optional<FeatureSetting> setting_from_field(std::uint32_t field) {
  if (field == 0)
    return std::nullopt;
  return static_cast<FeatureSetting>(field - 1);
}

bool admits(FeatureSetting object, FeatureSetting device) {
  return object == FeatureSetting::any || object == device;
}

} // namespace

std::string TargetId::to_string() const {
  std::string text = processor;
  if (sramecc != FeatureSetting::any)
    text += std::string(":sramecc") + suffix_of(sramecc);
  if (xnack != FeatureSetting::any)
    text += std::string(":xnack") + suffix_of(xnack);
  return text;
}

Result<TargetId> parse_target_id(std::string_view text) {
  const std::string_view whole = text;
  if (text.starts_with(k_triple))
    text.remove_prefix(k_triple.size());
  TargetId target;
  std::size_t end = std::min(text.find(':'), text.size());
  if (!is_processor_name(text.substr(0, end)))
    return fail(StatusCode::invalid_argument,
                quoted(whole) +
                    " is not a target id; write it as gfx942:sramecc+:xnack- (processor, then features) or sm_90");
  target.processor = text.substr(0, end);
  if (is_nvidia_name(target.processor) && end < text.size())
    return fail(StatusCode::invalid_argument, "target id " + quoted(whole) +
                                                  " has features, which an NVIDIA processor does not; write " +
                                                  quoted(target.processor));
  while (end < text.size()) {
    const std::size_t begin = end + 1;
    end = std::min(text.find(':', begin), text.size());
    const std::string_view feature = text.substr(begin, end - begin);
    const std::string_view name = feature.substr(0, feature.empty() ? 0 : feature.size() - 1);
    FeatureSetting* setting = name == "sramecc" ? &target.sramecc : name == "xnack" ? &target.xnack : nullptr;
    const char sign = feature.empty() ? '\0' : feature.back();
    if (setting == nullptr || (sign != '+' && sign != '-'))
      return fail(StatusCode::invalid_argument, "target id " + quoted(whole) + " has the unknown feature " +
                                                    quoted(feature) + "; known are sramecc+, sramecc-, xnack+, xnack-");
    if (*setting != FeatureSetting::any)
      return fail(StatusCode::invalid_argument,
                  "target id " + quoted(whole) + " names the feature " + quoted(name) + " twice; name it once");
    *setting = sign == '+' ? FeatureSetting::on : FeatureSetting::off;
  }
  return target;
}

bool is_supported_processor(std::string_view processor) {
  return find_processor(processor) != nullptr;
}

Result<TargetId> parse_supported_target_id(std::string_view text) {
  HK_ASSIGN_OR_RETURN(TargetId target, parse_target_id(text));
  if (!is_supported_processor(target.processor))
    return fail(StatusCode::unsupported,
                "processor " + quoted(target.processor) + " is not supported; supported are " + supported_list());
  return target;
}

Platform platform_of(const TargetId& target) {
  return is_nvidia_name(target.processor) ? Platform::nvidia : Platform::amd;
}

Result<std::uint32_t> elf_flags(const TargetId& target) {
  const Processor* const processor = find_processor(target.processor);
  if (processor == nullptr || processor->platform != Platform::amd)
    return fail(StatusCode::unsupported, "no AMDGPU ELF flags are known for processor " + quoted(target.processor) +
                                             "; supported are " + supported_list());
  return processor->machine | (static_cast<std::uint32_t>(target.xnack) + 1) << k_xnack_shift |
         (static_cast<std::uint32_t>(target.sramecc) + 1) << k_sramecc_shift;
}

Result<TargetId> target_id_from_elf_flags(std::uint32_t flags) {
  const std::span<const Processor> list = processors();
  const auto processor = std::find_if(list.begin(), list.end(), [flags](const Processor& candidate) {
    return candidate.platform == Platform::amd && candidate.machine == (flags & k_machine_mask);
  });
  const std::optional<FeatureSetting> xnack = setting_from_field(flags >> k_xnack_shift & 3);
  const std::optional<FeatureSetting> sramecc = setting_from_field(flags >> k_sramecc_shift & 3);
  if (processor == list.end() || !xnack || !sramecc || (flags & ~k_known_flags) != 0)
    return fail(StatusCode::unsupported, "the code object is for another processor (ELF flags " +
                                             std::to_string(flags) + "); supported are " + supported_list());
  return TargetId{std::string(processor->name), *sramecc, *xnack};
}

bool runs_on(const TargetId& object, const TargetId& device) {
  return object.processor == device.processor && admits(object.sramecc, device.sramecc) &&
         admits(object.xnack, device.xnack);
}

} // namespace hk::codeobj
