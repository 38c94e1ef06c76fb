#include "cache/layout.h"

#include <sys/stat.h>

#include <cerrno>

#include "base/temporary_file.h"
#include "cache/entry.h"

namespace hk::cache {
namespace {

using base::FileResult;
using base::UniqueFd;

constexpr std::string_view k_suffix = ".hk";
constexpr mode_t k_folder_mode = 0700;
constexpr int k_open_folder = O_RDONLY | O_DIRECTORY | O_NOFOLLOW;

// From https://bford.info/cachedir/
constexpr std::string_view k_tag_text =
    "Signature: 8a477f597d28d172789f06886806bc55\n"
    "# Compiled GPU kernels of hk. Everything here can be rebuilt; `hk cache clear` removes it.\n";

// Opens parent/name, making it first if it does not exist.
FileResult<UniqueFd> open_or_make(int parent, const std::string& name, const std::string& path) {
  auto folder = base::open_file(parent, name, k_open_folder);
  if (folder || folder.error().number != ENOENT)
    return folder;
  if (::mkdirat(parent, name.c_str(), k_folder_mode) == 0) {
    // The umask may have taken bits away; the user's own rights are needed below.
    if (::fchmodat(parent, name.c_str(), k_folder_mode, 0) != 0)
      return base::file_failure("chmod", path);
  } else if (errno != EEXIST) {
    return base::file_failure("make folder", path);
  }
  return base::open_file(parent, name, k_open_folder);
}

// A tag that cannot be written harms nobody.
void write_tag(int folder, const std::string& path) {
  auto file = base::TemporaryFile::create(folder, path, 0600);
  if (file && file->write(base::as_bytes(k_tag_text)) && file->sync())
    (void)file->publish_new("CACHEDIR.TAG");
}

// mkdir -p of an absolute or relative path.
FileResult<void> make_folders(const std::string& path) {
  for (std::size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
    const std::string part = path.substr(0, slash);
    if (::mkdir(part.c_str(), k_folder_mode) == 0) {
      if (::chmod(part.c_str(), k_folder_mode) != 0)
        return base::file_failure("chmod", part);
    } else if (errno != EEXIST) {
      return base::file_failure("make folder", part);
    }
    if (slash == std::string::npos)
      return {};
  }
}

FileResult<UniqueFd> make_cache_folder(const std::string& folder) {
  auto opened = open_cache_folder(folder);
  if (opened || opened.error().number != ENOENT)
    return opened;
  if (auto made = make_folders(folder); !made)
    return tl::unexpected<base::FileError>(std::move(made.error()));
  opened = open_cache_folder(folder);
  if (opened)
    write_tag(opened->get(), folder);
  return opened;
}

} // namespace

std::string format_folder() {
  return "v" + std::to_string(k_entry_format_version);
}

std::string entry_folder(const Key& key) {
  const std::string name = key.name();
  return format_folder() + "/" + name[0] + "/" + name[1];
}

std::string entry_file(const Key& key) {
  return key.name() + std::string(k_suffix);
}

std::string_view entry_name_of(std::string_view file) {
  if (!file.ends_with(k_suffix))
    return {};
  const std::string_view name = file.substr(0, file.size() - k_suffix.size());
  const bool well_formed = name.size() == 65 && name[32] == '-' && base::digest_from_hex(name.substr(0, 32)) &&
                           base::digest_from_hex(name.substr(33));
  return well_formed ? name : std::string_view{};
}

FileResult<UniqueFd> open_cache_folder(const std::string& folder) {
  auto opened = base::open_file(AT_FDCWD, folder, k_open_folder);
  if (!opened)
    return opened;
  struct stat information{};
  if (::fstat(opened->get(), &information) != 0)
    return base::file_failure("stat", folder);
  if (information.st_uid != ::geteuid())
    return base::file_failure("use (it belongs to another user)", folder, EPERM);
  if ((information.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    return base::file_failure("use (other users can write to it: chmod go-w)", folder, EPERM);
  return opened;
}

FileResult<UniqueFd> make_entry_folder(const std::string& folder, const Key& key) {
  auto current = make_cache_folder(folder);
  std::string path = folder;
  const std::string name = key.name();
  for (const std::string& part : {format_folder(), name.substr(0, 1), name.substr(1, 1)}) {
    if (!current)
      return current;
    path += "/" + part;
    current = open_or_make(current->get(), part, path);
  }
  return current;
}

} // namespace hk::cache
