#pragma once
// UniqueFd: owns one file descriptor and closes it.

#include <unistd.h>

#include <utility>

namespace hk::base {

class UniqueFd {
 public:
  UniqueFd() = default;
  explicit UniqueFd(int descriptor) noexcept : m_descriptor(descriptor) {}
  UniqueFd(UniqueFd&& other) noexcept : m_descriptor(other.release()) {}
  UniqueFd& operator=(UniqueFd&& other) noexcept {
    if (this != &other) {
      reset();
      m_descriptor = other.release();
    }
    return *this;
  }
  UniqueFd(const UniqueFd&) = delete;
  UniqueFd& operator=(const UniqueFd&) = delete;
  ~UniqueFd() { reset(); }

  [[nodiscard]] int get() const noexcept { return m_descriptor; }
  [[nodiscard]] bool valid() const noexcept { return m_descriptor >= 0; }
  [[nodiscard]] int release() noexcept { return std::exchange(m_descriptor, -1); }
  // Never retried on EINTR: on Linux the descriptor is gone even then.
  void reset() noexcept {
    if (m_descriptor >= 0)
      ::close(m_descriptor);
    m_descriptor = -1;
  }

 private:
  int m_descriptor = -1;
};

} // namespace hk::base
