// The cache folder, for programs that look after it. No device is needed.

#include <cstdint>
#include <string>
#include <vector>

#include "api/guard.h"
#include "api/text_output.h"
#include "base/config.h"
#include "base/file_system_kind.h"
#include "base/json.h"
#include "cache/folder.h"
#include "cache/inventory.h"
#include "cache/key_fields.h"
#include "hk/hk.h"

namespace {

using hk::base::Json;
using hk::cache::StoredEntry;
namespace metadata_names = hk::cache::metadata_names;

// The folder that the caller means, how it was chosen, and how large it may be.
struct Chosen {
  hk::cache::FolderChoice choice;
  std::uint64_t max_bytes = 0;
};

hk::Result<Chosen> choose(const char* directory) {
  HK_ASSIGN_OR_RETURN(const hk::base::Config config, hk::base::read_config());
  Chosen chosen;
  chosen.max_bytes = config.cache_max_bytes;
  if (directory != nullptr) {
    HK_ASSIGN_OR_RETURN(chosen.choice.path, hk::cache::trusted_folder(directory));
    chosen.choice.origin = "the caller";
    chosen.choice.network = hk::base::file_system_kind(chosen.choice.path).value_or(hk::base::FileSystemKind::local) ==
                            hk::base::FileSystemKind::network;
    return chosen;
  }
  chosen.choice = hk::cache::choose_cache_folder(config);
  if (!chosen.choice.path.empty())
    return chosen;
  std::string reasons;
  for (const std::string& reason : chosen.choice.refused)
    reasons += (reasons.empty() ? "" : "; ") + reason;
  return hk::fail(hk::StatusCode::invalid_argument,
                  "no cache folder can be used (" + reasons + "): set HK_CACHE_DIR to a folder of your own");
}

hk::Result<std::string> folder_of(const char* directory) {
  HK_ASSIGN_OR_RETURN(Chosen chosen, choose(directory));
  return std::move(chosen.choice.path);
}

const char* kind_name(hk::cache::FileKind kind) {
  switch (kind) {
  case hk::cache::FileKind::rejected:
    return "rejected";
  case hk::cache::FileKind::failure:
    return "failure";
  default:
    return "entry";
  }
}

Json entry_json(const StoredEntry& entry) {
  Json json = Json::object();
  json.set("name", entry.name).set("bytes", entry.bytes).set("last_use_seconds", entry.modified_seconds);
  for (const char* name :
       {metadata_names::k_symbol, metadata_names::k_target, metadata_names::k_compile_ms, metadata_names::k_compiler}) {
    const auto found = entry.metadata.find(name);
    if (found != entry.metadata.end())
      json.set(name, found->second);
  }
  if (!entry.problem.empty())
    json.set("path", entry.path).set("problem", entry.problem);
  return json;
}

Json entries_json(const std::vector<StoredEntry>& entries) {
  Json array = Json::array();
  for (const StoredEntry& entry : entries)
    array.append(entry_json(entry));
  return array;
}

Json inspected_json(const std::string& folder, const StoredEntry& entry) {
  Json json = Json::object();
  json.set("folder", folder)
      .set("name", entry.name)
      .set("kind", kind_name(entry.kind))
      .set("path", entry.path)
      .set("bytes", entry.bytes)
      .set("payload_bytes", entry.payload_bytes)
      .set("last_use_seconds", entry.modified_seconds);
  if (!entry.problem.empty())
    return json.set("problem", entry.problem);
  Json key = Json::object();
  for (const hk::cache::KeyField& field : hk::cache::explained_fields(entry.key))
    key.set(field.name, field.value);
  Json metadata = Json::object();
  for (const auto& [name, value] : entry.metadata)
    metadata.set(name, value);
  return json.set("key", key).set("metadata", metadata);
}

Json statistics_json(const Chosen& chosen, const hk::cache::FolderStatistics& statistics) {
  Json refused = Json::array();
  for (const std::string& reason : chosen.choice.refused)
    refused.append(reason);
  Json json = Json::object();
  json.set("folder", chosen.choice.path)
      .set("chosen_by", chosen.choice.origin)
      .set("file_system", chosen.choice.network ? "network" : "local")
      .set("passed_over", refused)
      .set("entries", statistics.entries)
      .set("entry_bytes", statistics.entry_bytes)
      .set("allocated_bytes", statistics.allocated_bytes)
      .set("max_bytes", chosen.max_bytes)
      .set("temporary_files", statistics.temporary_files)
      .set("temporary_bytes", statistics.temporary_bytes)
      .set("rejected_entries", statistics.rejected_entries)
      .set("rejected_bytes", statistics.rejected_bytes)
      .set("kept_failures", statistics.kept_failures);
  return json;
}

} // namespace

hk_status hk_cache_stat(const char* directory, char* text, size_t capacity, size_t* required) HK_NOEXCEPT {
  return hk::api::guard([&]() -> hk::Status {
    HK_ASSIGN_OR_RETURN(const Chosen chosen, choose(directory));
    HK_ASSIGN_OR_RETURN(const hk::cache::FolderStatistics statistics, hk::cache::folder_statistics(chosen.choice.path));
    return hk::api::write_text("hk_cache_stat", statistics_json(chosen, statistics).text(), text, capacity, required);
  });
}

hk_status hk_cache_list(const char* directory, char* text, size_t capacity, size_t* required) HK_NOEXCEPT {
  return hk::api::guard([&]() -> hk::Status {
    HK_ASSIGN_OR_RETURN(const std::string folder, folder_of(directory));
    HK_ASSIGN_OR_RETURN(const std::vector<StoredEntry> entries, hk::cache::list_entries(folder));
    Json json = Json::object();
    json.set("folder", folder).set("entries", entries_json(entries));
    return hk::api::write_text("hk_cache_list", json.text(), text, capacity, required);
  });
}

hk_status hk_cache_inspect(const char* directory, const char* key, char* text, size_t capacity,
                           size_t* required) HK_NOEXCEPT {
  return hk::api::guard([&]() -> hk::Status {
    if (key == nullptr)
      return {hk::StatusCode::invalid_argument, "hk_cache_inspect: key is null: pass the name of an entry"};
    HK_ASSIGN_OR_RETURN(const std::string folder, folder_of(directory));
    HK_ASSIGN_OR_RETURN(const StoredEntry entry, hk::cache::inspect_entry(folder, key));
    return hk::api::write_text("hk_cache_inspect", inspected_json(folder, entry).text(), text, capacity, required);
  });
}

hk_status hk_cache_verify(const char* directory, char* text, size_t capacity, size_t* required) HK_NOEXCEPT {
  return hk::api::guard([&]() -> hk::Status {
    HK_ASSIGN_OR_RETURN(const std::string folder, folder_of(directory));
    HK_ASSIGN_OR_RETURN(std::vector<StoredEntry> entries, hk::cache::list_entries(folder));
    const std::size_t count = entries.size();
    Json json = Json::object();
    json.set("folder", folder)
        .set("entries", count)
        .set("damaged", entries_json(hk::cache::damaged_among(std::move(entries))));
    return hk::api::write_text("hk_cache_verify", json.text(), text, capacity, required);
  });
}

hk_status hk_cache_gc(const char* directory, uint64_t max_bytes, uint64_t* removed,
                      uint64_t* removed_bytes) HK_NOEXCEPT {
  return hk::api::guard([&]() -> hk::Status {
    HK_ASSIGN_OR_RETURN(const Chosen chosen, choose(directory));
    HK_ASSIGN_OR_RETURN(const hk::cache::HousekeepingReport report,
                        hk::cache::collect_garbage(chosen.choice.path, max_bytes != 0 ? max_bytes : chosen.max_bytes));
    if (removed != nullptr)
      *removed = report.evicted_entries;
    if (removed_bytes != nullptr)
      *removed_bytes = report.evicted_bytes;
    if (!report.problem.empty())
      return {hk::StatusCode::unsupported,
              "not everything in " + chosen.choice.path + " could be removed: " + report.problem};
    return {};
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
