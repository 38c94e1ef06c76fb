#include "cache/explain.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "cache/inventory.h"
#include "cache/key_fields.h"

namespace hk::cache {
namespace {

// Values by name. A repeated name counts once: no key has one.
using Fields = std::map<std::string, std::string>;

Fields by_name(const std::vector<KeyField>& fields) {
  Fields map;
  for (const KeyField& field : fields)
    map.emplace(field.name, field.value);
  return map;
}

const std::string* value_of(const Fields& fields, const std::string& name) {
  const auto found = fields.find(name);
  return found == fields.end() ? nullptr : &found->second;
}

bool same_value(const Fields& left, const Fields& right, const std::string& name) {
  const std::string* one = value_of(left, name);
  const std::string* other = value_of(right, name);
  return one != nullptr && other != nullptr && *one == *other;
}

std::string symbol_of(const StoredEntry& entry) {
  const auto found = entry.metadata.find(metadata_names::k_symbol);
  return found == entry.metadata.end() ? std::string() : found->second;
}

// The first field, in the wanted key's order and then in the other's, that is not the same on both sides.
void find_difference(const Key& wanted, const Key& found, MissExplanation& explanation) {
  const std::vector<KeyField> wanted_fields = explained_fields(wanted);
  const std::vector<KeyField> found_fields = explained_fields(found);
  const Fields wanted_values = by_name(wanted_fields);
  const Fields found_values = by_name(found_fields);
  // Both lists are in the order of explanation; a field that only the stored entry has comes where it would be.
  std::vector<std::string> names;
  names.reserve(wanted_fields.size());
  for (const KeyField& field : wanted_fields)
    names.push_back(field.name);
  auto place = names.begin();
  for (const KeyField& field : found_fields) {
    const auto known = std::find(names.begin(), names.end(), field.name);
    place = known != names.end() ? known + 1 : names.insert(place, field.name) + 1;
  }
  for (const std::string& name : names) {
    if (same_value(wanted_values, found_values, name))
      continue;
    const std::string* one = value_of(wanted_values, name);
    const std::string* other = value_of(found_values, name);
    explanation.field = name;
    explanation.wanted_absent = one == nullptr;
    explanation.found_absent = other == nullptr;
    explanation.wanted = one != nullptr ? *one : std::string();
    explanation.found = other != nullptr ? *other : std::string();
    return;
  }
}

} // namespace

std::string MissExplanation::sentence() const {
  if (stored)
    return "the entry is stored: " + nearest;
  if (nearest.empty())
    return "the folder holds no entry that could be compared";
  const std::string which = nearest + (nearest_symbol.empty() ? "" : " (" + nearest_symbol + ")");
  if (field.empty())
    return "the nearest entry " + which + " has the same fields in another text";
  return "the nearest entry " + which + " differs first in \"" + field + "\": wanted " +
         (wanted_absent ? "none" : "\"" + wanted + "\"") + ", stored " + (found_absent ? "none" : "\"" + found + "\"");
}

Result<MissExplanation> explain_miss(const std::string& folder, const Key& wanted) {
  HK_ASSIGN_OR_RETURN(const std::vector<StoredEntry> entries, list_entries(folder));
  MissExplanation explanation;
  const Fields wanted_fields = by_name(explained_fields(wanted));
  explanation.fields = wanted_fields.size();
  const StoredEntry* nearest = nullptr;
  std::tuple<bool, std::size_t> best;
  for (const StoredEntry& entry : entries) {
    if (!entry.problem.empty())
      continue;
    const Fields fields = by_name(explained_fields(entry.key));
    std::size_t equal = 0;
    for (const auto& [name, value] : wanted_fields)
      equal += same_value(wanted_fields, fields, name) ? 1 : 0;
    const std::tuple<bool, std::size_t> closeness = {same_value(wanted_fields, fields, "spec symbol"), equal};
    if (nearest == nullptr || closeness > best) {
      nearest = &entry;
      best = closeness;
    }
  }
  if (nearest == nullptr)
    return explanation;
  explanation.stored = nearest->key == wanted;
  explanation.nearest = nearest->name;
  explanation.nearest_symbol = symbol_of(*nearest);
  explanation.equal_fields = std::get<1>(best);
  if (!explanation.stored)
    find_difference(wanted, nearest->key, explanation);
  return explanation;
}

} // namespace hk::cache
