#pragma once
// CannedCompiler: the canned worker as a test sees it. Each has a folder of its own, from which its workers take orders
// and in which they count.

#include <filesystem>
#include <string>
#include <vector>

#include "compile_record.h"
#include "unit/base/scratch_folder.h"

namespace hk::test {

class CannedCompiler {
 public:
  CannedCompiler() : m_scratch("/tmp") { std::filesystem::create_symlink(HK_CANNED_WORKER, worker()); }

  // For HK_COMPILE_WORKER.
  [[nodiscard]] std::string worker() const { return m_scratch / "worker"; }
  // Lines of canned_worker.cpp; replaces earlier ones.
  void order(const std::string& lines) const { write_text(m_scratch / "orders", lines + "\n"); }

  // "symbol target" of every request so far.
  [[nodiscard]] std::vector<std::string> compiled() const {
    const std::string records = read_text(m_scratch / "compiles");
    std::vector<std::string> texts;
    for (std::size_t at = 0; at + k_compile_record_bytes <= records.size(); at += k_compile_record_bytes) {
      const std::string record = records.substr(at, k_compile_record_bytes - 1);
      texts.push_back(record.substr(0, record.find_last_not_of(' ') + 1));
    }
    return texts;
  }
  [[nodiscard]] std::size_t compiles() const {
    std::error_code absent;
    const auto bytes = std::filesystem::file_size(m_scratch / "compiles", absent);
    return absent ? 0 : bytes / k_compile_record_bytes;
  }

 private:
  ScratchFolder m_scratch;
};

} // namespace hk::test
