#pragma once
// TemporaryFile: a file that appears under its final name whole or not at all.
//
//   create -> write -> sync -> publish_new | publish_replacing -> (caller syncs the folder)
// The temporary file lies in the folder of the final one; whatever is not published is removed by the destructor, and
// what a killed process leaves behind is recognised by is_temporary_name().

#include <string>
#include <string_view>

#include "base/files.h"

namespace hk::base {

class TemporaryFile {
 public:
  // `folder` must stay open while the object lives; `folder_name` is for messages. The file has exactly `mode`,
  // whatever the umask says.
  static FileResult<TemporaryFile> create(int folder, const std::string& folder_name, mode_t mode);

  TemporaryFile(TemporaryFile&& other) noexcept;
  TemporaryFile& operator=(TemporaryFile&&) = delete;
  ~TemporaryFile();

  FileResult<void> write(ByteView bytes);
  FileResult<void> sync();
  // EEXIST if something else of that name is there already.
  FileResult<void> publish_new(const std::string& name);
  FileResult<void> publish_replacing(const std::string& name);

  [[nodiscard]] int descriptor() const { return m_file.get(); }

 private:
  TemporaryFile(int folder, std::string folder_name, std::string name, UniqueFd file);

  int m_folder;
  std::string m_folder_name;
  std::string m_name; // empty once published
  UniqueFd m_file;
};

bool is_temporary_name(std::string_view name);

} // namespace hk::base
