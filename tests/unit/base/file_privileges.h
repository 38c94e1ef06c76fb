#pragma once
// Root ignores file permissions through two capabilities. Permission tests lay them down first, and prove that they
// did.

#include <linux/capability.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>

#include <doctest/doctest.h>

namespace hk::test {

// For its lifetime, the calling thread has neither CAP_DAC_OVERRIDE nor CAP_DAC_READ_SEARCH.
class WithoutFilePrivileges {
 public:
  WithoutFilePrivileges() {
    __user_cap_header_struct header = k_header;
    REQUIRE(::syscall(SYS_capget, &header, m_before.data()) == 0);
    auto without = m_before;
    without[0].effective &= ~(1U << CAP_DAC_OVERRIDE | 1U << CAP_DAC_READ_SEARCH);
    header = k_header;
    REQUIRE(::syscall(SYS_capset, &header, without.data()) == 0);
  }
  WithoutFilePrivileges(const WithoutFilePrivileges&) = delete;
  WithoutFilePrivileges& operator=(const WithoutFilePrivileges&) = delete;
  ~WithoutFilePrivileges() {
    __user_cap_header_struct header = k_header;
    ::syscall(SYS_capset, &header, m_before.data());
  }

 private:
  static constexpr __user_cap_header_struct k_header{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, 2> m_before{};
};

} // namespace hk::test
