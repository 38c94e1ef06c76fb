#pragma once
// PrivateFolder: a temporary folder that only this user can enter and that goes away with its owner.

#include <optional>
#include <string>

#include <sys/types.h>

#include "base/status.h"
#include "base/unique_fd.h"

namespace hk::compile {

class PrivateFolder {
 public:
  // Makes <parent>/hk-compile-<uid>-<random>, mode 0700. Fails with compile_failed naming the parent and the remedy.
  static Result<PrivateFolder> create(const std::string& parent);

  PrivateFolder(PrivateFolder&& other) noexcept;
  PrivateFolder& operator=(PrivateFolder&&) = delete;
  // Removes the folder with its contents, unless this is a forked child of its maker.
  ~PrivateFolder();

  [[nodiscard]] const std::string& path() const noexcept { return m_path; }

 private:
  PrivateFolder(std::string path, base::UniqueFd lock);

  std::string m_path;    // empty: moved from
  base::UniqueFd m_lock; // flock of the folder: held as long as the maker lives
  pid_t m_owner;
};

// Removes folders of this user in `parent` whose makers were killed before they could. A folder that is in use is told
// by its lock. Failures are ignored: this is housekeeping.
void remove_abandoned_folders(const std::string& parent);

// Why a compiler may have failed for want of temporary space: "the temporary folder /tmp is full: ..."; nothing if the
// folder is in order.
std::optional<std::string> temporary_folder_trouble(const std::string& folder);

} // namespace hk::compile
