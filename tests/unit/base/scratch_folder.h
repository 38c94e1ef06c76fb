#pragma once
// ScratchFolder: an empty folder of mode 0700 for one test, removed at its end. In memory where there is /dev/shm: a
// test that stores hundreds of files waits for a busy disk at each fsync otherwise.

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include "base/remove_tree.h"

namespace hk::test {

class ScratchFolder {
 public:
  explicit ScratchFolder(const std::string& parent = ::access("/dev/shm", W_OK | X_OK) == 0 ? "/dev/shm" : "/tmp")
      : m_path(parent + "/hk-test-XXXXXX") {
    REQUIRE(::mkdtemp(m_path.data()) != nullptr);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() { (void)base::remove_tree(m_path); }

  [[nodiscard]] const std::string& path() const { return m_path; }
  [[nodiscard]] std::string operator/(std::string_view name) const { return m_path + "/" + std::string(name); }

 private:
  std::string m_path;
};

inline void write_text(const std::string& path, std::string_view text) {
  std::ofstream file(path, std::ios::binary);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  REQUIRE(file.good());
}

inline std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline bool exists(const std::string& path) {
  struct stat information{};
  return ::lstat(path.c_str(), &information) == 0;
}

inline unsigned mode_of(const std::string& path) {
  struct stat information{};
  REQUIRE(::lstat(path.c_str(), &information) == 0);
  return information.st_mode & 07777;
}

} // namespace hk::test
