#include "cache/entry_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace hk::cache {
namespace {

void describe(EntryFile& file, const struct stat& information) {
  file.bytes = static_cast<std::uint64_t>(information.st_size);
  file.modified_seconds = information.st_mtime;
  file.device = information.st_dev;
  file.inode = information.st_ino;
}

EntryFile unsound(EntryFile file, FileCondition condition, std::string problem) {
  file.condition = condition;
  file.problem = std::move(problem);
  return file;
}

// What open() of an entry says when it fails.
EntryFile not_opened(int folder, const std::string& file, const base::FileError& error) {
  if (error.number == ENOENT || error.number == ENOTDIR)
    return unsound({}, FileCondition::absent, error.message);
  // ELOOP: a symbolic link; ENXIO: a socket or a device without a driver.
  if (error.number != ELOOP && error.number != ENXIO)
    return unsound({}, FileCondition::unreadable, error.message);
  EntryFile found;
  struct stat information{};
  if (::fstatat(folder, file.c_str(), &information, AT_SYMLINK_NOFOLLOW) == 0)
    describe(found, information);
  return unsound(std::move(found), FileCondition::damaged, "not a regular file");
}

FileCondition condition_after(EntryProblem problem) {
  return problem == EntryProblem::other_version ? FileCondition::foreign : FileCondition::damaged;
}

} // namespace

EntryFile read_entry_file(int folder, const std::string& file, const Key* key) {
  const auto opened = base::open_file(folder, file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  if (!opened)
    return not_opened(folder, file, opened.error());
  EntryFile found;
  struct stat information{};
  if (::fstat(opened->get(), &information) != 0)
    return unsound(std::move(found), FileCondition::unreadable, base::file_error("stat", file).message);
  describe(found, information);
  if (!S_ISREG(information.st_mode))
    return unsound(std::move(found), FileCondition::damaged, "not a regular file");
  if (information.st_uid != ::geteuid() || (information.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    return unsound(std::move(found), FileCondition::damaged, "another user owns it or can write to it");
  if (found.bytes > k_max_entry_bytes)
    return unsound(std::move(found), FileCondition::damaged, "larger than any entry");
  const auto bytes = base::read_all(opened->get(), k_max_entry_bytes, file);
  if (!bytes)
    return unsound(std::move(found), FileCondition::unreadable, bytes.error().message);
  if (bytes->size() < found.bytes)
    return unsound(std::move(found), FileCondition::unreadable,
                   "the file system returned fewer bytes than the file has");
  auto entry = key != nullptr ? decode_entry_of(*key, *bytes) : decode_entry(*bytes);
  if (!entry)
    return unsound(std::move(found), condition_after(entry.error()), std::string(entry_problem_text(entry.error())));
  found.condition = FileCondition::sound;
  found.entry = std::move(*entry);
  return found;
}

void remove_unchanged(int folder, const std::string& file, const EntryFile& found) {
  struct stat information{};
  if (::fstatat(folder, file.c_str(), &information, AT_SYMLINK_NOFOLLOW) == 0 && information.st_dev == found.device &&
      information.st_ino == found.inode)
    ::unlinkat(folder, file.c_str(), 0);
}

} // namespace hk::cache
