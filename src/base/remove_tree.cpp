#include "base/remove_tree.h"

#include <sys/stat.h>

#include <cerrno>
#include <optional>

#include "base/list_folder.h"

namespace hk::base {
namespace {

class TreeRemover {
 public:
  explicit TreeRemover(dev_t device) : m_device(device) {}

  void remove_entry(int parent, const std::string& name, const std::string& path) {
    if (::unlinkat(parent, name.c_str(), 0) == 0 || errno == ENOENT)
      return;
    // Linux says EISDIR for a folder; POSIX allows EPERM.
    if (errno != EISDIR && errno != EPERM)
      return note(file_failure("remove", path));
    remove_contents(parent, name, path);
    if (::unlinkat(parent, name.c_str(), AT_REMOVEDIR) != 0 && errno != ENOENT)
      note(file_failure("remove", path));
  }

  FileResult<void> result() {
    if (m_first_error)
      return tl::unexpected<FileError>(std::move(*m_first_error));
    return {};
  }

 private:
  void remove_contents(int parent, const std::string& name, const std::string& path) {
    auto folder = open_file(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    if (!folder)
      return note(file_failure("open", path, folder.error().number));
    struct stat information{};
    if (::fstat(folder->get(), &information) != 0)
      return note(file_failure("stat", path));
    if (information.st_dev != m_device)
      return note(file_failure("remove (another file system)", path, EXDEV));
    // Names first, removal second: what readdir returns after a removal is unspecified.
    const auto names = list_folder(folder->get(), path);
    if (!names)
      return note(tl::unexpected<FileError>(names.error()));
    for (const std::string& entry : *names)
      remove_entry(folder->get(), entry, path_in(path, entry));
  }

  void note(tl::unexpected<FileError> failure) {
    if (!m_first_error)
      m_first_error = std::move(failure.value());
  }

  dev_t m_device;
  std::optional<FileError> m_first_error;
};

} // namespace

FileResult<void> remove_tree(const std::string& path) {
  struct stat information{};
  if (::lstat(path.c_str(), &information) != 0) {
    if (errno == ENOENT)
      return {};
    return file_failure("stat", path);
  }
  TreeRemover remover(information.st_dev);
  remover.remove_entry(AT_FDCWD, path, path);
  return remover.result();
}

} // namespace hk::base
