#pragma once
// KernelTable: identity -> loaded kernel. find() takes no lock and allocates nothing; it is what every warm call runs.
//
// An open-addressing table of atomic pointers. Kernels are never removed while the table lives, and a table that has
// become too small is replaced but kept, so a reader needs no protection whichever generation it looks at.

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "service/kernel_identity.h"
#include "service/served_kernel.h"

namespace hk::service {

class KernelTable {
 public:
  KernelTable();
  ~KernelTable();
  KernelTable(const KernelTable&) = delete;
  KernelTable& operator=(const KernelTable&) = delete;

  // Null if there is none. Any thread, any time.
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
  struct Generation {
    explicit Generation(std::size_t capacity) : slots(capacity) {}
    std::vector<std::atomic<const Node*>> slots; // a power of two of them, never full
  };

  static void place(Generation& generation, const Node* node) noexcept;

  std::atomic<const Generation*> m_current{nullptr};
  mutable std::mutex m_mutex; // of everything below
  std::vector<std::unique_ptr<Generation>> m_generations;
  std::vector<std::unique_ptr<Node>> m_nodes;
};

} // namespace hk::service
