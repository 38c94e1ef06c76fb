#pragma once
// Locks that this thread takes: mutexes, read-write locks and waits for a condition, whoever's code it is.

#include <cstdint>

// A sanitizer has its own view of locks, which must not be disturbed.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HK_TEST_COUNTS_LOCKS 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HK_TEST_COUNTS_LOCKS 0
#endif
#endif
#ifndef HK_TEST_COUNTS_LOCKS
#define HK_TEST_COUNTS_LOCKS 1
#endif

namespace hk::test {

#if HK_TEST_COUNTS_LOCKS
// Since the thread began.
std::uint64_t locks_of_this_thread() noexcept;
#endif

} // namespace hk::test
