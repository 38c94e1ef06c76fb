#include "api/fork_state.h"

#include <pthread.h>

#include <atomic>

namespace hk::api {
namespace {

std::atomic<std::uint32_t> generation{0};

void count_fork() {
  generation.fetch_add(1, std::memory_order_relaxed);
}

} // namespace

std::uint32_t fork_generation() noexcept {
  static const int installed = pthread_atfork(nullptr, nullptr, count_fork);
  static_cast<void>(installed);
  return generation.load(std::memory_order_relaxed);
}

} // namespace hk::api
