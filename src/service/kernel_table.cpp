#include "service/kernel_table.h"

#include <utility>

namespace hk::service {
namespace {

constexpr std::size_t k_first_capacity = 64;

} // namespace

KernelTable::KernelTable() {
  m_generations.push_back(std::make_unique<Generation>(k_first_capacity));
  m_current.store(m_generations.back().get(), std::memory_order_release);
}

KernelTable::~KernelTable() = default;

const ServedKernel* KernelTable::find(const KernelIdentity& identity) const noexcept {
  const Generation& generation = *m_current.load(std::memory_order_acquire);
  const std::size_t last = generation.slots.size() - 1;
  for (std::size_t i = identity.hash() & last;; i = (i + 1) & last) {
    const Node* node = generation.slots[i].load(std::memory_order_acquire);
    if (node == nullptr)
      return nullptr;
    if (node->identity == identity)
      return &node->kernel;
  }
}

void KernelTable::place(Generation& generation, const Node* node) noexcept {
  const std::size_t last = generation.slots.size() - 1;
  std::size_t i = node->identity.hash() & last;
  while (generation.slots[i].load(std::memory_order_relaxed) != nullptr)
    i = (i + 1) & last;
  generation.slots[i].store(node, std::memory_order_release);
}

const ServedKernel* KernelTable::insert(const KernelIdentity& identity, ServedKernel kernel) {
  const std::lock_guard lock(m_mutex);
  if (const ServedKernel* present = find(identity))
    return present;
  m_nodes.push_back(std::make_unique<Node>(Node{identity, std::move(kernel)}));
  Generation* current = m_generations.back().get();
  // At most half full, so that a search always meets an empty slot soon.
  if (m_nodes.size() * 2 > current->slots.size()) {
    m_generations.push_back(std::make_unique<Generation>(current->slots.size() * 2));
    current = m_generations.back().get();
    for (const std::unique_ptr<Node>& node : m_nodes)
      place(*current, node.get());
    m_current.store(current, std::memory_order_release);
  } else {
    place(*current, m_nodes.back().get());
  }
  return &m_nodes.back()->kernel;
}

std::size_t KernelTable::size() const {
  const std::lock_guard lock(m_mutex);
  return m_nodes.size();
}

} // namespace hk::service
