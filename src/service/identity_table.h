#pragma once
// IdentityTable: nodes by KernelIdentity. find() takes no lock and allocates nothing; it is what every warm call runs.
//
// An open-addressing table of atomic pointers. Nodes are never removed while the table lives, and a table that has
// become too small is replaced but kept, so a reader needs no protection whichever generation it looks at.

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "service/kernel_identity.h"

namespace hk::service {

// Node: has a member `identity`, which does not change. The owner serialises everything but find().
template <typename Node>
class IdentityTable {
 public:
  IdentityTable() { m_current.store(add_generation(k_first_capacity), std::memory_order_release); }
  IdentityTable(const IdentityTable&) = delete;
  IdentityTable& operator=(const IdentityTable&) = delete;

  // Null if there is none. Any thread, any time.
  [[nodiscard]] Node* find(const KernelIdentity& identity) const noexcept {
    const Generation& generation = *m_current.load(std::memory_order_acquire);
    const std::size_t last = generation.slots.size() - 1;
    for (std::size_t i = identity.hash() & last;; i = (i + 1) & last) {
      Node* node = generation.slots[i].load(std::memory_order_acquire);
      if (node == nullptr || node->identity == identity)
        return node;
    }
  }

  // Of an identity that is not there yet.
  Node& insert(std::unique_ptr<Node> node) {
    m_nodes.push_back(std::move(node));
    Generation* current = m_generations.back().get();
    // At most half full, so that a search always meets an empty slot soon.
    if (m_nodes.size() * 2 > current->slots.size()) {
      current = add_generation(current->slots.size() * 2);
      for (const std::unique_ptr<Node>& known : m_nodes)
        place(*current, known.get());
      m_current.store(current, std::memory_order_release);
    } else {
      place(*current, m_nodes.back().get());
    }
    return *m_nodes.back();
  }

  // In the order of insertion.
  [[nodiscard]] const std::vector<std::unique_ptr<Node>>& nodes() const noexcept { return m_nodes; }

 private:
  static constexpr std::size_t k_first_capacity = 64;

  struct Generation {
    explicit Generation(std::size_t capacity) : slots(capacity) {}
    std::vector<std::atomic<Node*>> slots; // a power of two of them, never full
  };

  Generation* add_generation(std::size_t capacity) {
    m_generations.push_back(std::make_unique<Generation>(capacity));
    return m_generations.back().get();
  }

  static void place(Generation& generation, Node* node) noexcept {
    const std::size_t last = generation.slots.size() - 1;
    std::size_t i = node->identity.hash() & last;
    while (generation.slots[i].load(std::memory_order_relaxed) != nullptr)
      i = (i + 1) & last;
    generation.slots[i].store(node, std::memory_order_release);
  }

  std::atomic<const Generation*> m_current{nullptr};
  std::vector<std::unique_ptr<Generation>> m_generations;
  std::vector<std::unique_ptr<Node>> m_nodes;
};

} // namespace hk::service
