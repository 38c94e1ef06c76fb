#pragma once
// Fault injection below the library: this test program's own definitions of some system calls (intercepted_calls.cpp)
// ask a filter first. They stand in for network file systems, full disks and kill -9 at a chosen instant.

#include <cstddef>
#include <functional>
#include <string>

namespace hk::test {

enum class SystemCall { open, read, write, sync, link, rename, make_folder, change_mode, unlink, lock, set_times };

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

  // What the call is about: its (last) path as it was given; empty for calls on a descriptor.
  [[nodiscard]] const std::string& path() const { return m_path; }

  int ask(SystemCall call, const char* path) {
    m_path = path != nullptr ? path : "";
    return m_filter(call);
  }

 private:
  Filter m_filter;
  std::string m_path;
};

} // namespace hk::test
