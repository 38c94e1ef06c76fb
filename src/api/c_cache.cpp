// The cache folder, for programs that look after it. No device is needed.

#include <cstdint>
#include <string>
#include <vector>

#include "api/guard.h"
#include "api/text_output.h"
#include "base/config.h"
#include "base/json.h"
#include "cache/folder.h"
#include "cache/inventory.h"
#include "hk/hk.h"

namespace {

hk::Result<std::string> folder_of(const char* directory) {
  if (directory != nullptr)
    return hk::cache::trusted_folder(directory);
  HK_ASSIGN_OR_RETURN(const hk::base::Config config, hk::base::read_config());
  const hk::cache::FolderChoice choice = hk::cache::choose_cache_folder(config);
  if (!choice.path.empty())
    return choice.path;
  std::string reasons;
  for (const std::string& reason : choice.refused)
    reasons += (reasons.empty() ? "" : "; ") + reason;
  return hk::fail(hk::StatusCode::invalid_argument,
                  "no cache folder can be used (" + reasons + "): set HK_CACHE_DIR to a folder of your own");
}

void set_metadata(hk::base::Json& json, const hk::cache::StoredEntry& entry, const char* name) {
  const auto found = entry.metadata.find(name);
  if (found != entry.metadata.end())
    json.set(name, found->second);
}

hk::base::Json entry_json(const hk::cache::StoredEntry& entry) {
  hk::base::Json json = hk::base::Json::object();
  json.set("name", entry.name).set("bytes", entry.bytes).set("modified_seconds", entry.modified_seconds);
  for (const char* name : {hk::cache::metadata_names::k_symbol, hk::cache::metadata_names::k_target,
                           hk::cache::metadata_names::k_compile_ms, hk::cache::metadata_names::k_compiler})
    set_metadata(json, entry, name);
  if (!entry.problem.empty())
    json.set("problem", entry.problem);
  return json;
}

hk::base::Json entries_json(const std::vector<hk::cache::StoredEntry>& entries) {
  hk::base::Json array = hk::base::Json::array();
  for (const hk::cache::StoredEntry& entry : entries)
    array.append(entry_json(entry));
  return array;
}

} // namespace

hk_status hk_cache_stat(const char* directory, char* text, size_t capacity, size_t* required) HK_NOEXCEPT {
  return hk::api::guard([&]() -> hk::Status {
    HK_ASSIGN_OR_RETURN(const std::string folder, folder_of(directory));
    HK_ASSIGN_OR_RETURN(const hk::cache::FolderStatistics statistics, hk::cache::folder_statistics(folder));
    hk::base::Json json = hk::base::Json::object();
    json.set("folder", folder)
        .set("entries", statistics.entries)
        .set("entry_bytes", statistics.entry_bytes)
        .set("temporary_files", statistics.temporary_files)
        .set("temporary_bytes", statistics.temporary_bytes);
    return hk::api::write_text("hk_cache_stat", json.text(), text, capacity, required);
  });
}

hk_status hk_cache_list(const char* directory, char* text, size_t capacity, size_t* required) HK_NOEXCEPT {
  return hk::api::guard([&]() -> hk::Status {
    HK_ASSIGN_OR_RETURN(const std::string folder, folder_of(directory));
    HK_ASSIGN_OR_RETURN(const std::vector<hk::cache::StoredEntry> entries, hk::cache::list_entries(folder));
    hk::base::Json json = hk::base::Json::object();
    json.set("folder", folder).set("entries", entries_json(entries));
    return hk::api::write_text("hk_cache_list", json.text(), text, capacity, required);
  });
}

hk_status hk_cache_verify(const char* directory, char* text, size_t capacity, size_t* required) HK_NOEXCEPT {
  return hk::api::guard([&]() -> hk::Status {
    HK_ASSIGN_OR_RETURN(const std::string folder, folder_of(directory));
    HK_ASSIGN_OR_RETURN(std::vector<hk::cache::StoredEntry> entries, hk::cache::list_entries(folder));
    const std::size_t count = entries.size();
    hk::base::Json json = hk::base::Json::object();
    json.set("folder", folder)
        .set("entries", count)
        .set("damaged", entries_json(hk::cache::damaged_among(std::move(entries))));
    return hk::api::write_text("hk_cache_verify", json.text(), text, capacity, required);
  });
}

hk_status hk_cache_clear(const char* directory, uint64_t* removed) HK_NOEXCEPT {
  return hk::api::guard([&]() -> hk::Status {
    HK_ASSIGN_OR_RETURN(const std::string folder, folder_of(directory));
    HK_ASSIGN_OR_RETURN(const hk::cache::ClearReport report, hk::cache::clear_entries(folder));
    if (removed != nullptr)
      *removed = report.removed_entries;
    if (!report.problem.empty())
      return {hk::StatusCode::unsupported, "not everything in " + folder + " could be removed: " + report.problem};
    return {};
  });
}
