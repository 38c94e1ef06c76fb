// Counts where glibc's locking functions begin: std::mutex and its relatives end there.

#include "counted_locks.h"

#if HK_TEST_COUNTS_LOCKS

#include <dlfcn.h>
#include <pthread.h>

namespace {

constinit thread_local std::uint64_t locks = 0;

template <typename Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

} // namespace

namespace hk::test {

std::uint64_t locks_of_this_thread() noexcept {
  return locks;
}

} // namespace hk::test

// Visible, so that shared libraries call these and not glibc's.
#pragma GCC visibility push(default)
extern "C" {

int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  static auto* const original = next<int(pthread_mutex_t*)>("pthread_mutex_lock");
  ++locks;
  return original(mutex);
}

int pthread_mutex_trylock(pthread_mutex_t* mutex) noexcept {
  static auto* const original = next<int(pthread_mutex_t*)>("pthread_mutex_trylock");
  ++locks;
  return original(mutex);
}

int pthread_rwlock_rdlock(pthread_rwlock_t* lock) noexcept {
  static auto* const original = next<int(pthread_rwlock_t*)>("pthread_rwlock_rdlock");
  ++locks;
  return original(lock);
}

int pthread_rwlock_wrlock(pthread_rwlock_t* lock) noexcept {
  static auto* const original = next<int(pthread_rwlock_t*)>("pthread_rwlock_wrlock");
  ++locks;
  return original(lock);
}

int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  static auto* const original = next<int(pthread_cond_t*, pthread_mutex_t*)>("pthread_cond_wait");
  ++locks;
  return original(condition, mutex);
}

} // extern "C"
#pragma GCC visibility pop

#endif
