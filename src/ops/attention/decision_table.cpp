#include "ops/attention/decision_table.h"

namespace hk::ops {
namespace {

constexpr std::size_t k_first_capacity = 64;

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

DecisionTable::DecisionTable() {
  m_generations.push_back(std::make_unique<Generation>(k_first_capacity));
  m_current.store(m_generations.back().get(), std::memory_order_release);
}

DecisionTable::~DecisionTable() = default;

DecisionTable::Node* DecisionTable::find_node(const service::KernelIdentity& identity) const noexcept {
  const Generation& generation = *m_current.load(std::memory_order_acquire);
  const std::size_t last = generation.slots.size() - 1;
  for (std::size_t i = identity.hash() & last;; i = (i + 1) & last) {
    Node* node = generation.slots[i].load(std::memory_order_acquire);
    if (node == nullptr || node->identity == identity)
      return node;
  }
}

DecisionTable::Found DecisionTable::find(const service::KernelIdentity& identity) const noexcept {
  const Node* node = find_node(identity);
  if (node == nullptr)
    return {};
  const std::uint64_t packed = node->packed.load(std::memory_order_acquire);
  return {true, packed == 0 ? std::nullopt : std::optional(unpack(packed))};
}

void DecisionTable::place(Generation& generation, Node* node) noexcept {
  const std::size_t last = generation.slots.size() - 1;
  std::size_t i = node->identity.hash() & last;
  while (generation.slots[i].load(std::memory_order_relaxed) != nullptr)
    i = (i + 1) & last;
  generation.slots[i].store(node, std::memory_order_release);
}

DecisionTable::Node* DecisionTable::insert(const service::KernelIdentity& identity) {
  m_nodes.push_back(std::make_unique<Node>(identity));
  Generation* current = m_generations.back().get();
  if (m_nodes.size() * 2 > current->slots.size()) {
    m_generations.push_back(std::make_unique<Generation>(current->slots.size() * 2));
    current = m_generations.back().get();
    for (const std::unique_ptr<Node>& node : m_nodes)
      place(*current, node.get());
    m_current.store(current, std::memory_order_release);
  } else {
    place(*current, m_nodes.back().get());
  }
  return m_nodes.back().get();
}

bool DecisionTable::set(const service::KernelIdentity& identity, const Decision& decision, std::uint64_t seen) {
  const std::lock_guard lock(m_mutex);
  if (m_generation.load(std::memory_order_relaxed) != seen)
    return false;
  Node* node = find_node(identity);
  if (node == nullptr)
    node = insert(identity);
  node->packed.store(pack(decision), std::memory_order_release);
  return true;
}

void DecisionTable::mark(const service::KernelIdentity& identity) {
  const std::lock_guard lock(m_mutex);
  if (find_node(identity) == nullptr)
    insert(identity);
}

void DecisionTable::forget() {
  const std::lock_guard lock(m_mutex);
  m_generation.fetch_add(1, std::memory_order_release);
  for (const std::unique_ptr<Node>& node : m_nodes)
    node->packed.store(0, std::memory_order_release);
}

} // namespace hk::ops
