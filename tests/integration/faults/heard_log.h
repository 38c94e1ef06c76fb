#pragma once
// HeardLog: what the library logs at level warning while this lives.

#include <string>
#include <vector>

#include "hk/hk.h"

namespace hk::test {

class HeardLog {
 public:
  HeardLog() { hk_set_log_callback(HK_LOG_LEVEL_WARNING, hear, this); }
  HeardLog(const HeardLog&) = delete;
  HeardLog& operator=(const HeardLog&) = delete;
  ~HeardLog() { hk_set_log_callback(HK_LOG_LEVEL_OFF, nullptr, nullptr); }

  [[nodiscard]] const std::vector<std::string>& texts() const { return m_texts; }

 private:
  static void hear(std::int32_t, const char* message, void* self) {
    static_cast<HeardLog*>(self)->m_texts.emplace_back(message);
  }

  std::vector<std::string> m_texts;
};

} // namespace hk::test
