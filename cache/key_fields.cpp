#include "cache/key_fields.h"

#include <algorithm>
#include <charconv>

namespace hk::cache {
namespace {

// Takes `count ":" bytes` from the front of the text.
bool take_counted(std::string_view& text, std::string_view& taken) {
  std::size_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  const auto digits = static_cast<std::size_t>(end - text.data());
  if (error != std::errc{} || digits >= text.size() || text[digits] != ':')
    return false;
  text.remove_prefix(digits + 1);
  if (count > text.size())
    return false;
  taken = text.substr(0, count);
  text.remove_prefix(count);
  return true;
}

bool take_letter(std::string_view& text, std::string_view allowed, char& letter) {
  if (text.empty() || allowed.find(text[0]) == std::string_view::npos)
    return false;
  letter = text[0];
  text.remove_prefix(1);
  return true;
}

// A field in its place among those that explain a miss.
struct Ranked {
  int rank;
  KeyField field;
};

enum Rank { format, target, spec, options, sources, toolchain, others };

void add_spec(std::vector<Ranked>& ranked, const KeyField& field) {
  const auto inner = parse_key_text(field.value);
  if (!inner || inner->empty()) {
    ranked.push_back({spec, field});
    return;
  }
  for (const KeyField& part : *inner)
    ranked.push_back({spec, {"spec " + part.name, part.type, part.value}});
}

void add_options(std::vector<Ranked>& ranked, const KeyField& field) {
  const auto items = parse_key_list(field.value);
  if (!items) {
    ranked.push_back({options, field});
    return;
  }
  for (std::size_t i = 0; i < items->size(); ++i)
    ranked.push_back({options, {"option " + std::to_string(i + 1), 's', (*items)[i]}});
}

void add_request(std::vector<Ranked>& ranked, std::string_view text) {
  const auto fields = parse_key_text(text);
  if (!fields) {
    ranked.push_back({others, {"request", 's', std::string(text)}});
    return;
  }
  for (const KeyField& field : *fields) {
    if (field.name == "format")
      ranked.push_back({format, field});
    else if (field.name == "target")
      ranked.push_back({target, field});
    else if (field.name == "spec")
      add_spec(ranked, field);
    else if (field.name == "options")
      add_options(ranked, field);
    else if (field.name == "sources")
      ranked.push_back({sources, field});
    else
      ranked.push_back({others, field});
  }
}

void add_toolchain(std::vector<Ranked>& ranked, std::string_view text) {
  const auto fields = parse_key_text(text);
  if (!fields) {
    ranked.push_back({others, {"tool chain", 's', std::string(text)}});
    return;
  }
  for (const KeyField& field : *fields) {
    if (field.name == "format")
      ranked.push_back({format, {"tool chain format", field.type, field.value}});
    else
      ranked.push_back({toolchain, field});
  }
}

} // namespace

std::optional<std::vector<KeyField>> parse_key_text(std::string_view text) {
  std::vector<KeyField> fields;
  while (!text.empty()) {
    std::string_view name;
    std::string_view value;
    char sign = 0;
    KeyField field;
    if (!take_counted(text, name) || !take_letter(text, "=", sign) || !take_letter(text, "sibdl", field.type) ||
        !take_counted(text, value) || !take_letter(text, "\n", sign))
      return std::nullopt;
    field.name = name;
    field.value = value;
    fields.push_back(std::move(field));
  }
  return fields;
}

std::optional<std::vector<std::string>> parse_key_list(std::string_view value) {
  std::vector<std::string> items;
  while (!value.empty()) {
    std::string_view item;
    if (!take_counted(value, item))
      return std::nullopt;
    items.emplace_back(item);
  }
  return items;
}

std::vector<KeyField> explained_fields(const Key& key) {
  std::vector<Ranked> ranked;
  add_request(ranked, key.request_text);
  add_toolchain(ranked, key.toolchain_text);
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const Ranked& left, const Ranked& right) { return left.rank < right.rank; });
  std::vector<KeyField> fields;
  fields.reserve(ranked.size());
  for (Ranked& entry : ranked)
    fields.push_back(std::move(entry.field));
  return fields;
}

} // namespace hk::cache
