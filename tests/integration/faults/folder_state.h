#pragma once
// What a cache folder of the canned worker must look like, whatever happened to its users.

#include <fcntl.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/files.h"
#include "base/unique_fd.h"
#include "cache/entry.h"
#include "integration/canned_compiler/canned_object.h"
#include "unit/base/scratch_folder.h"

namespace hk::test {

// Paths below a folder whose names start with `prefix` and end with `suffix`; folders may come and go meanwhile.
inline std::vector<std::string> files_below(const std::string& folder, std::string_view prefix,
                                            std::string_view suffix) {
  std::vector<std::string> found;
  std::error_code error;
  auto item = std::filesystem::recursive_directory_iterator(folder, error);
  for (; !error && item != std::filesystem::recursive_directory_iterator(); item.increment(error)) {
    const std::string name = item->path().filename();
    if (name.starts_with(prefix) && name.ends_with(suffix))
      found.push_back(item->path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

inline std::vector<std::string> stored_entries(const std::string& folder) {
  return files_below(folder, "", ".hk");
}

inline std::vector<std::string> left_temporaries(const std::string& folder) {
  return files_below(folder, ".temporary-", "");
}

// Why a file is not the whole entry that its name says with the code object that was compiled for it; empty if it is,
// or is gone.
inline std::string entry_fault(const std::string& path) {
  if (!exists(path))
    return {};
  const std::string bytes = read_text(path);
  const auto entry = cache::decode_entry(base::as_bytes(bytes));
  if (!entry)
    return exists(path) ? path + ": " + std::string(cache::entry_problem_text(entry.error())) : "";
  if (entry->key.name() + ".hk" != std::filesystem::path(path).filename())
    return path + ": holds another key";
  const auto text = [&](const char* name) {
    const auto found = entry->metadata.find(name);
    return found != entry->metadata.end() ? found->second : std::string();
  };
  const bool right =
      entry->payload == canned_object(text(cache::metadata_names::k_symbol), text(cache::metadata_names::k_target));
  return right ? "" : path + ": holds another code object";
}

// Every entry is whole and right, and there are this many.
inline void check_entries(const std::string& folder, std::size_t count) {
  const auto entries = stored_entries(folder);
  CHECK(entries.size() == count);
  for (const std::string& path : entries) {
    const std::string fault = entry_fault(path);
    REQUIRE_MESSAGE(fault.empty(), fault);
  }
}

// Nobody holds a byte of a lock file below the folder.
inline void check_no_lock(const std::string& folder) {
  for (const std::string& path : files_below(folder, "locks", "")) {
    const base::UniqueFd file(::open(path.c_str(), O_RDWR | O_CLOEXEC));
    REQUIRE(file.get() >= 0);
    struct flock whole{};
    whole.l_type = F_WRLCK;
    REQUIRE(::fcntl(file.get(), F_OFD_GETLK, &whole) == 0);
    CHECK(whole.l_type == F_UNLCK);
  }
}

// Moves the time of a file's last change, as a clock that is set back (seconds > 0) or years of waiting (< 0) do.
inline void shift_time(const std::string& path, long seconds) {
  struct timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  now.tv_sec += seconds;
  const struct timespec times[2] = {now, now};
  REQUIRE(::utimensat(AT_FDCWD, path.c_str(), times, AT_SYMLINK_NOFOLLOW) == 0);
}

} // namespace hk::test
