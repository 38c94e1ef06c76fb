// Replaces malloc and its relatives by counting wrappers around glibc's own: operator new ends there too.

#include "counted_allocations.h"

#include <cerrno>
#include <cstddef>

extern "C" {
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* pointer, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);
}

namespace {

thread_local std::uint64_t allocations = 0;

} // namespace

namespace hk::test {

std::uint64_t allocations_of_this_thread() noexcept {
  return allocations;
}

} // namespace hk::test

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
