#include "cache/key.h"

#include <algorithm>

namespace hk::cache {
namespace {

// Raised when the meaning of a key text changes, so that old entries are no longer found.
constexpr int k_key_version = 1;

std::string counted(std::string_view text) {
  return std::to_string(text.size()) + ":" + std::string(text);
}

} // namespace

KeyText& KeyText::add(std::string_view name, const std::vector<std::string>& items) {
  std::string value;
  for (const std::string& item : items)
    value += counted(item);
  return add_field(name, 'l', value);
}

KeyText& KeyText::add_field(std::string_view name, char type, std::string_view value) {
  m_fields.emplace_back(std::string(name), counted(name) + "=" + type + counted(value) + "\n");
  return *this;
}

std::string KeyText::text() const {
  auto sorted = m_fields;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& left, const auto& right) { return left.first < right.first; });
  std::string text;
  for (const auto& [name, field] : sorted)
    text += field;
  return text;
}

std::string Key::name() const {
  return base::to_hex(request) + "-" + base::to_hex(toolchain);
}

Key make_key(const KeyRequest& request, const std::vector<ToolchainPart>& toolchain) {
  KeyText request_text;
  request_text.add("format", k_key_version)
      .add("spec", request.spec)
      .add("sources", request.sources)
      .add("options", request.options)
      .add("target", request.target);
  KeyText toolchain_text;
  toolchain_text.add("format", k_key_version);
  for (const ToolchainPart& part : toolchain)
    toolchain_text.add("build-id " + part.name, part.build_id);
  return key_from_texts(request_text.text(), toolchain_text.text());
}

Key key_from_texts(std::string request_text, std::string toolchain_text) {
  Key key;
  key.request = base::hash128(request_text);
  key.toolchain = base::hash128(toolchain_text);
  key.request_text = std::move(request_text);
  key.toolchain_text = std::move(toolchain_text);
  return key;
}

} // namespace hk::cache
