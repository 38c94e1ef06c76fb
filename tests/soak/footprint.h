#pragma once
// What a process and a folder occupy, sampled over time, and whether it grew.

#include <sys/stat.h>
#include <sys/types.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace hk::test {

// Bytes of memory in use by a process; 0 if it is gone.
inline std::uint64_t resident_bytes(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/statm");
  std::uint64_t total = 0;
  std::uint64_t resident = 0;
  constexpr std::uint64_t k_page = 4096;
  return file >> total >> resident ? resident * k_page : 0;
}

inline std::uint64_t descriptors_of(pid_t process) {
  std::error_code gone;
  const std::filesystem::directory_iterator entries("/proc/" + std::to_string(process) + "/fd", gone);
  return gone ? 0 : static_cast<std::uint64_t>(std::distance(entries, {}));
}

struct FolderUse {
  std::uint64_t files = 0;
  std::uint64_t bytes = 0; // allocated
};

// Of all files below a folder, which may come and go meanwhile.
inline FolderUse use_of(const std::string& folder) {
  FolderUse use;
  std::error_code error;
  auto item = std::filesystem::recursive_directory_iterator(folder, error);
  for (; !error && item != std::filesystem::recursive_directory_iterator(); item.increment(error)) {
    struct stat information{};
    if (::lstat(item->path().c_str(), &information) != 0 || !S_ISREG(information.st_mode))
      continue;
    ++use.files;
    use.bytes += static_cast<std::uint64_t>(information.st_blocks) * 512;
  }
  return use;
}

// Samples of one quantity. The first fifth is warm-up; growth is the median of the last fifth less that of the second.
class Series {
 public:
  explicit Series(std::string name) : m_name(std::move(name)) {}

  void add(std::uint64_t sample) { m_samples.push_back(sample); }
  [[nodiscard]] const std::string& name() const { return m_name; }
  [[nodiscard]] std::uint64_t early() const { return median(1); }
  [[nodiscard]] std::uint64_t late() const { return median(4); }
  [[nodiscard]] std::uint64_t largest() const { return *std::max_element(m_samples.begin(), m_samples.end()); }

 private:
  [[nodiscard]] std::uint64_t median(std::size_t fifth) const {
    const auto begin = m_samples.begin() + static_cast<std::ptrdiff_t>(m_samples.size() * fifth / 5);
    std::vector<std::uint64_t> part(begin, begin + static_cast<std::ptrdiff_t>(m_samples.size() / 5));
    std::nth_element(part.begin(), part.begin() + static_cast<std::ptrdiff_t>(part.size() / 2), part.end());
    return part[part.size() / 2];
  }

  std::string m_name;
  std::vector<std::uint64_t> m_samples;
};

} // namespace hk::test
