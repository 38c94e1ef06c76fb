#pragma once
// ExactPlaces: how many exact kernels a family may have (HK_JIT_EXACT_MAX), and which specs have them.
//
// A place belongs to a spec whatever its configuration: what a tuner compiled and dropped takes none.

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <unordered_set>

#include "ops/attention/spec.h"
#include "service/kernel_identity.h"

namespace hk::ops {

class ExactPlaces {
 public:
  explicit ExactPlaces(std::uint32_t limit) : m_limit(limit) {}

  // Whether a spec of this family that has no place would get one. Takes no lock: a hint.
  [[nodiscard]] bool any_left(const AttentionSpec& spec) const noexcept {
    return m_taken[family_index(spec)].load(std::memory_order_relaxed) < m_limit;
  }

  enum class Taken { now, before, none_left };
  Taken take(const AttentionSpec& spec);
  // Of Taken::now, when nothing came of it.
  void give_back(const AttentionSpec& spec);

 private:
  const std::uint32_t m_limit;
  std::array<std::atomic<std::uint32_t>, k_attention_families> m_taken{};
  std::mutex m_mutex; // of m_specs and of writing m_taken
  std::unordered_set<service::KernelIdentity, service::KernelIdentityHash> m_specs;
};

} // namespace hk::ops
