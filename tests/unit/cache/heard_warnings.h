#pragma once
// HeardWarnings: what the library logs at level warning while this lives.

#include <string>
#include <vector>

#include "base/log.h"

namespace hk::test {

class HeardWarnings {
 public:
  HeardWarnings() { base::set_log_callback(base::LogLevel::warning, hear, this); }
  HeardWarnings(const HeardWarnings&) = delete;
  HeardWarnings& operator=(const HeardWarnings&) = delete;
  ~HeardWarnings() { base::set_log_callback(base::LogLevel::off, nullptr, nullptr); }

  [[nodiscard]] const std::vector<std::string>& texts() const { return m_texts; }

 private:
  static void hear(int, const char* message, void* self) {
    static_cast<HeardWarnings*>(self)->m_texts.emplace_back(message);
  }

  std::vector<std::string> m_texts;
};

} // namespace hk::test
