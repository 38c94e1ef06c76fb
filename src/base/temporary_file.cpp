#include "base/temporary_file.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstdio>

#include "base/hash.h"

namespace hk::base {
namespace {

constexpr std::string_view k_prefix = ".temporary-";

// File systems without hard links (FAT, some FUSE and SMB mounts) answer with one of these.
bool links_unsupported(int number) {
  return number == EPERM || number == EOPNOTSUPP || number == ENOSYS || number == EMLINK;
}

// Whether folder/name is the open file. A network file system may lose its answer and then repeat the request, so that
// a link or a rename that succeeded looks as if it had failed.
bool leads_to(int folder, const std::string& name, int file) {
  struct stat named{};
  struct stat opened{};
  return ::fstatat(folder, name.c_str(), &named, AT_SYMLINK_NOFOLLOW) == 0 && ::fstat(file, &opened) == 0 &&
         named.st_dev == opened.st_dev && named.st_ino == opened.st_ino;
}

} // namespace

FileResult<TemporaryFile> TemporaryFile::create(int folder, const std::string& folder_name, mode_t mode) {
  auto random = random_name();
  if (!random)
    return tl::unexpected<FileError>(std::move(random.error()));
  std::string name = std::string(k_prefix) + *random;
  auto file = open_file(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
  if (!file)
    return file_failure("create a file in", folder_name, file.error().number);
  TemporaryFile temporary(folder, folder_name, std::move(name), std::move(*file));
  if (::fchmod(temporary.descriptor(), mode) != 0)
    return file_failure("chmod a file in", folder_name);
  // A program without standard streams may have printed into it just before it was moved above them.
  if (::ftruncate(temporary.descriptor(), 0) != 0 || ::lseek(temporary.descriptor(), 0, SEEK_SET) != 0)
    return file_failure("begin a file in", folder_name);
  return temporary;
}

TemporaryFile::TemporaryFile(int folder, std::string folder_name, std::string name, UniqueFd file)
    : m_folder(folder), m_folder_name(std::move(folder_name)), m_name(std::move(name)), m_file(std::move(file)) {}

TemporaryFile::TemporaryFile(TemporaryFile&& other) noexcept
    : m_folder(other.m_folder), m_folder_name(std::move(other.m_folder_name)), m_name(std::exchange(other.m_name, {})),
      m_file(std::move(other.m_file)) {}

TemporaryFile::~TemporaryFile() {
  if (!m_name.empty())
    ::unlinkat(m_folder, m_name.c_str(), 0);
}

FileResult<void> TemporaryFile::write(ByteView bytes) {
  return write_all(m_file.get(), bytes, "a file in " + m_folder_name);
}

FileResult<void> TemporaryFile::sync() {
  return sync_file(m_file.get(), "a file in " + m_folder_name);
}

FileResult<void> TemporaryFile::publish_new(const std::string& name) {
  // link() instead of rename(): the first writer wins and the others learn of it.
  const int failed = ::linkat(m_folder, m_name.c_str(), m_folder, name.c_str(), 0) == 0 ? 0 : errno;
  if (failed == 0 || (failed == EEXIST && leads_to(m_folder, name, m_file.get()))) {
    ::unlinkat(m_folder, m_name.c_str(), 0);
    m_name.clear();
    return {};
  }
  if (links_unsupported(failed))
    return publish_replacing(name);
  return file_failure("link", m_folder_name + "/" + name, failed);
}

FileResult<void> TemporaryFile::publish_replacing(const std::string& name) {
  const int failed = ::renameat(m_folder, m_name.c_str(), m_folder, name.c_str()) == 0 ? 0 : errno;
  if (failed != 0 && !(failed == ENOENT && leads_to(m_folder, name, m_file.get())))
    return file_failure("rename", m_folder_name + "/" + name, failed);
  m_name.clear();
  return {};
}

bool is_temporary_name(std::string_view name) {
  return name.starts_with(k_prefix) && digest_from_hex(name.substr(k_prefix.size())).has_value();
}

} // namespace hk::base
