// Counts where glibc's malloc and its relatives begin; operator new ends there too. Under a sanitizer, which brings its
// own malloc, the sanitizer's hook counts.

#include "counted_allocations.h"

#include <cerrno>
#include <cstddef>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HK_TEST_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HK_TEST_SANITIZED 1
#endif
#endif

namespace {

thread_local std::uint64_t allocations = 0;

} // namespace

namespace hk::test {

std::uint64_t allocations_of_this_thread() noexcept {
  return allocations;
}

} // namespace hk::test

#if defined(HK_TEST_SANITIZED)

extern "C" __attribute__((visibility("default"))) void __sanitizer_malloc_hook(const volatile void*, std::size_t) {
  ++allocations;
}

#else

extern "C" {
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* pointer, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);
}

// Visible, so that the C++ library calls these and not glibc's.
#pragma GCC visibility push(default)
extern "C" {

void* malloc(std::size_t bytes) {
  ++allocations;
  return __libc_malloc(bytes);
}

void* calloc(std::size_t count, std::size_t bytes) {
  ++allocations;
  return __libc_calloc(count, bytes);
}

void* realloc(void* pointer, std::size_t bytes) {
  ++allocations;
  return __libc_realloc(pointer, bytes);
}

void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  ++allocations;
  return __libc_memalign(alignment, bytes);
}

int posix_memalign(void** pointer, std::size_t alignment, std::size_t bytes) {
  ++allocations;
  *pointer = __libc_memalign(alignment, bytes);
  return *pointer == nullptr ? ENOMEM : 0;
}

} // extern "C"
#pragma GCC visibility pop

#endif
