#pragma once
// CapturedOutput: what a worker writes to stdout and stderr, kept for error details.

#include <string>

#include "base/status.h"
#include "base/unique_fd.h"

namespace hk::compile {

class CapturedOutput {
 public:
  // Opens the pipe.
  static Result<CapturedOutput> create();

  [[nodiscard]] int read_end() const noexcept { return m_read_end.get(); }
  [[nodiscard]] int write_end() const noexcept { return m_write_end.get(); }
  // Once the worker has its copy.
  void close_write_end() noexcept { m_write_end.reset(); }

  // Takes over what is in the pipe without waiting. The last 64 KiB are kept.
  void drain();
  // Everything since the last call.
  std::string take();

 private:
  base::UniqueFd m_read_end; // does not block
  base::UniqueFd m_write_end;
  std::string m_text;
};

} // namespace hk::compile
