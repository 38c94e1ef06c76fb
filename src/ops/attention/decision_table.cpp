#include "ops/attention/decision_table.h"

#include <memory>

namespace hk::ops {
namespace {

std::uint64_t pack(const Decision& decision) {
  const auto field = [](std::int32_t value, unsigned shift) { return static_cast<std::uint64_t>(value) << shift; };
  return field(decision.configuration.waves, 0) | field(decision.configuration.tile_q, 8) |
         field(decision.configuration.tile_kv, 24) | static_cast<std::uint64_t>(decision.source) << 40;
}

Decision unpack(std::uint64_t packed) {
  const auto field = [packed](unsigned shift, std::uint64_t mask) {
    return static_cast<std::int32_t>(packed >> shift & mask);
  };
  return {{field(0, 0xff), field(8, 0xffff), field(24, 0xffff)}, static_cast<DecisionSource>(packed >> 40 & 0xff)};
}

} // namespace

DecisionTable::Found DecisionTable::find(const service::KernelIdentity& identity) const noexcept {
  const Node* node = m_nodes.find(identity);
  if (node == nullptr)
    return {};
  const std::uint64_t packed = node->packed.load(std::memory_order_acquire);
  return {true, packed == 0 ? std::nullopt : std::optional(unpack(packed))};
}

bool DecisionTable::set(const service::KernelIdentity& identity, const Decision& decision, std::uint64_t seen) {
  const std::lock_guard lock(m_mutex);
  if (m_generation.load(std::memory_order_relaxed) != seen)
    return false;
  Node* node = m_nodes.find(identity);
  if (node == nullptr)
    node = &m_nodes.insert(std::make_unique<Node>(identity));
  node->packed.store(pack(decision), std::memory_order_release);
  return true;
}

void DecisionTable::mark(const service::KernelIdentity& identity) {
  const std::lock_guard lock(m_mutex);
  if (m_nodes.find(identity) == nullptr)
    m_nodes.insert(std::make_unique<Node>(identity));
}

void DecisionTable::forget() {
  const std::lock_guard lock(m_mutex);
  m_generation.fetch_add(1, std::memory_order_release);
  for (const std::unique_ptr<Node>& node : m_nodes.nodes())
    node->packed.store(0, std::memory_order_release);
}

} // namespace hk::ops
