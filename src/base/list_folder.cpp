#include "base/list_folder.h"

#include <dirent.h>

#include <algorithm>
#include <cerrno>
#include <memory>

namespace hk::base {
namespace {

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};

} // namespace

FileResult<std::vector<std::string>> list_folder(int folder, const std::string& name) {
  // Opened anew: a duplicate would share its reading position with the caller's descriptor.
  auto own = open_file(folder, ".", O_RDONLY | O_DIRECTORY);
  if (!own)
    return file_failure("list", name, own.error().number);
  const std::unique_ptr<DIR, CloseFolder> stream(::fdopendir(own->get()));
  if (!stream)
    return file_failure("list", name);
  (void)own->release(); // closedir closes it
  std::vector<std::string> names;
  errno = 0;
  while (const dirent* entry = ::readdir(stream.get())) {
    const std::string_view found = entry->d_name;
    if (found != "." && found != "..")
      names.emplace_back(found);
    errno = 0;
  }
  if (errno != 0)
    return file_failure("list", name);
  std::sort(names.begin(), names.end());
  return names;
}

} // namespace hk::base
