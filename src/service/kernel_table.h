#pragma once
// KernelTable: identity -> loaded kernel, as every warm call looks it up.

#include <cstddef>
#include <mutex>

#include "service/identity_table.h"
#include "service/served_kernel.h"

namespace hk::service {

class KernelTable {
 public:
  // Null if there is none. Any thread, any time; no lock, no allocation.
  [[nodiscard]] const ServedKernel* find(const KernelIdentity& identity) const noexcept;

  // Keeps the kernel; if the identity is already there, the earlier kernel stays and the new one is dropped. Returns
  // the kernel that find() returns from now on.
  const ServedKernel* insert(const KernelIdentity& identity, ServedKernel kernel);

  [[nodiscard]] std::size_t size() const;

 private:
  struct Node {
    KernelIdentity identity;
    ServedKernel kernel;
  };

  mutable std::mutex m_mutex; // of everything but finding
  IdentityTable<Node> m_nodes;
};

} // namespace hk::service
