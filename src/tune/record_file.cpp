#include "tune/record_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <ctime>
#include <utility>

#include "base/files.h"
#include "base/list_folder.h"
#include "base/range_lock.h"
#include "base/temporary_file.h"
#include "base/trusted_folder.h"

namespace hk::tune {
namespace {

using base::FileError;

constexpr char k_folder_name[] = "tune";
constexpr char k_lock_name[] = "locks";
constexpr mode_t k_file_mode = 0600;
constexpr std::time_t k_left_behind_seconds = 600;
// Writing takes milliseconds; who holds the lock for longer is stopped or hung.
constexpr std::chrono::seconds k_lock_patience{5};

enum class FileState { read, absent, untrusted, unreadable };

struct FileText {
  FileState state = FileState::absent;
  std::string text;
  std::string problem;
};

FileText without_text(FileState state, std::string problem) {
  return {state, {}, std::move(problem)};
}

FileText read_text(int folder, const std::string& name, const std::string& path) {
  const auto file = base::open_file(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  if (!file) {
    if (file.error().number == ENOENT)
      return {};
    // ELOOP: a symbolic link; ENXIO: a socket or a device without a driver.
    const bool strange = file.error().number == ELOOP || file.error().number == ENXIO;
    return without_text(strange ? FileState::untrusted : FileState::unreadable,
                        base::file_error("open", path, file.error().number).message);
  }
  struct stat information{};
  if (::fstat(file->get(), &information) != 0)
    return without_text(FileState::unreadable, base::file_error("stat", path).message);
  if (!S_ISREG(information.st_mode))
    return without_text(FileState::untrusted, path + " is not a regular file");
  if (information.st_uid != ::geteuid() || (information.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    return without_text(FileState::untrusted, path + " belongs to another user, or others can write to it");
  const auto bytes = base::read_all(file->get(), k_max_record_file_bytes, path);
  if (!bytes)
    return without_text(bytes.error().number == EFBIG ? FileState::untrusted : FileState::unreadable,
                        bytes.error().message);
  // Files are replaced, never shortened: fewer bytes are a network file system's fault, and the rest would be lost with
  // the next write.
  if (bytes->size() < static_cast<std::uint64_t>(information.st_size))
    return without_text(FileState::unreadable, "the file system returned fewer bytes than " + path + " has");
  return {FileState::read, std::string(base::as_text(*bytes)), {}};
}

// What killed writers left.
void sweep(int folder, const std::string& path) {
  const auto names = base::list_folder(folder, path);
  if (!names)
    return;
  for (const std::string& name : *names) {
    struct stat information{};
    if (base::is_temporary_name(name) && ::fstatat(folder, name.c_str(), &information, AT_SYMLINK_NOFOLLOW) == 0 &&
        information.st_mtime + k_left_behind_seconds < std::time(nullptr))
      ::unlinkat(folder, name.c_str(), 0);
  }
}

base::FileResult<void> replace_file(int folder, const std::string& folder_path, const std::string& name,
                                    const std::string& text) {
  auto file = base::TemporaryFile::create(folder, folder_path, k_file_mode);
  if (!file)
    return tl::unexpected<FileError>(std::move(file.error()));
  auto done = file->write(base::as_bytes(text));
  if (done)
    done = file->sync();
  if (done)
    done = file->publish_replacing(name);
  return done ? base::sync_folder(folder, folder_path) : done;
}

// Nobody else's business fails because of a lock: without it the merge goes on.
base::RangeLock lock_file(int folder, const std::string& name) {
  const std::uint64_t offset = base::hash64(name) % base::RangeLock::k_max_offset;
  auto wait = base::wait_for_lock(folder, k_lock_name, offset, std::chrono::steady_clock::now() + k_lock_patience,
                                  [] { return false; });
  return wait ? std::move(wait->lock) : base::RangeLock();
}

} // namespace

std::string record_file_name(std::string_view target) {
  std::string name;
  for (const char sign : target) {
    const bool plain = (sign >= 'a' && sign <= 'z') || (sign >= 'A' && sign <= 'Z') || (sign >= '0' && sign <= '9') ||
                       sign == '+' || sign == '-' || (sign == '.' && !name.empty());
    name.push_back(plain ? sign : '_');
  }
  return name + ".tuning";
}

RecordFile::RecordFile(std::string cache_folder, std::string_view target, bool network)
    : m_folder(base::path_in(cache_folder, k_folder_name)), m_cache_folder(std::move(cache_folder)),
      m_name(record_file_name(target)), m_network(network) {}

std::string RecordFile::path() const {
  return base::path_in(m_folder, m_name);
}

Result<ParsedRecords> RecordFile::read() const {
  const auto folder = base::open_own_folder(m_folder);
  if (!folder && folder.error().number == ENOENT)
    return ParsedRecords();
  if (!folder)
    return fail(StatusCode::internal, "tuning records are not read: " + folder.error().message);
  const FileText file = read_text(folder->get(), m_name, path());
  if (file.state == FileState::untrusted || file.state == FileState::unreadable)
    return fail(StatusCode::internal, "tuning records are not read: " + file.problem);
  return RecordSet::parse(file.text);
}

Status RecordFile::write(const RecordSet& records, bool displace) const {
  const auto failed = [&](const std::string& problem) {
    return Status(StatusCode::internal, "tuning records are not kept in " + path() + ": " + problem);
  };
  const auto parent = base::make_own_folder(m_cache_folder);
  if (!parent)
    return failed(parent.error().message);
  auto made = base::open_or_make_folder(parent->get(), k_folder_name, m_folder);
  const auto folder = made ? base::open_own_folder(m_folder) : std::move(made);
  if (!folder)
    return failed(folder.error().message);

  const base::RangeLock lock = m_network ? base::RangeLock() : lock_file(folder->get(), m_name);
  const FileText file = read_text(folder->get(), m_name, path());
  if (file.state == FileState::unreadable)
    return failed(file.problem);
  RecordSet merged = RecordSet::parse(file.text).records;
  if (displace)
    merged.override_with(records);
  else
    merged.merge(records);
  const std::string text = merged.text();
  if (file.state == FileState::read && text == file.text)
    return {};
  if (text.size() > k_max_record_file_bytes)
    return failed("it would grow beyond " + std::to_string(k_max_record_file_bytes) + " bytes; remove it");
  sweep(folder->get(), m_folder);
  if (const auto replaced = replace_file(folder->get(), m_folder, m_name, text); !replaced)
    return failed(replaced.error().message);
  return {};
}

} // namespace hk::tune
