#pragma once
// Fault injection below the library: this test program's own definitions of some system calls (intercepted_calls.cpp)
// ask a filter first. They stand in for network file systems, full disks and kill -9 at a chosen instant.

#include <cstddef>
#include <functional>

namespace hk::test {

enum class SystemCall { open, read, write, sync, link, rename, make_folder, change_mode, unlink };

class InterceptedCalls {
 public:
  // Called before each call: 0 = let it happen, E > 0 = fail with errno E instead, -E = let it happen and then say E (a
  // network file system that lost its answer).
  using Filter = std::function<int(SystemCall)>;

  explicit InterceptedCalls(Filter filter);
  InterceptedCalls(const InterceptedCalls&) = delete;
  InterceptedCalls& operator=(const InterceptedCalls&) = delete;
  ~InterceptedCalls();

  // At most so many bytes a call.
  std::size_t largest_transfer = static_cast<std::size_t>(-1);

  [[nodiscard]] int ask(SystemCall call) const { return m_filter(call); }

 private:
  Filter m_filter;
};

} // namespace hk::test
