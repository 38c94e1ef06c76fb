#pragma once
// The limit of a worker's address space (RLIMIT_AS).

#include <cstdint>

// Sanitizers reserve terabytes of address space.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HK_UNLIMITED_ADDRESS_SPACE 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HK_UNLIMITED_ADDRESS_SPACE 1
#endif
#endif

namespace hk::compile {

#ifdef HK_UNLIMITED_ADDRESS_SPACE
inline constexpr bool k_limits_address_space = false;
#else
inline constexpr bool k_limits_address_space = true;
#endif

// Of this process, now and until the next call; not above the hard limit.
void limit_address_space(std::uint64_t bytes) noexcept;

} // namespace hk::compile
