#include "service/kernel_table.h"

#include <memory>
#include <utility>

namespace hk::service {

const ServedKernel* KernelTable::find(const KernelIdentity& identity) const noexcept {
  const Node* node = m_nodes.find(identity);
  return node == nullptr ? nullptr : &node->kernel;
}

const ServedKernel* KernelTable::insert(const KernelIdentity& identity, ServedKernel kernel) {
  const std::lock_guard lock(m_mutex);
  if (const ServedKernel* present = find(identity))
    return present;
  return &m_nodes.insert(std::make_unique<Node>(Node{identity, std::move(kernel)})).kernel;
}

std::size_t KernelTable::size() const {
  const std::lock_guard lock(m_mutex);
  return m_nodes.nodes().size();
}

} // namespace hk::service
