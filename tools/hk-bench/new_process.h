#pragma once
// New processes of this program: what is measured there has loaded nothing before.

#include <string>
#include <vector>

#include <sys/types.h>

namespace hk::bench {

// Runs this program with arguments, and with variables ("NAME=value") over its own environment; returns what it
// printed. Throws std::runtime_error if it fails; its message is on stderr then.
std::string run_self(const std::vector<std::string>& arguments, const std::vector<std::string>& variables = {});

// The same without waiting. stdin and stdout: descriptors of this process for the new one, which gets no other.
pid_t start_self(const std::vector<std::string>& arguments, const std::vector<std::string>& variables,
                 int standard_input, int standard_output);

// A new folder for a cache, removed at the end of the scope.
class CacheFolder {
 public:
  CacheFolder();
  CacheFolder(const CacheFolder&) = delete;
  CacheFolder& operator=(const CacheFolder&) = delete;
  ~CacheFolder();

  [[nodiscard]] const std::string& path() const { return m_path; }
  [[nodiscard]] std::string variable() const { return "HK_CACHE_DIR=" + m_path; }

 private:
  std::string m_path;
};

} // namespace hk::bench
