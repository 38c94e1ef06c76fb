#include "sim/machine/pending_accesses.h"

#include <utility>

namespace hk::sim {

PendingAccess& PendingAccesses::prepare() {
  if (m_prepared == nullptr) {
    if (m_free.empty()) {
      m_prepared = std::make_unique<PendingAccess>();
    } else {
      m_prepared = std::move(m_free.back());
      m_free.pop_back();
    }
  }
  PendingAccess& access = *m_prepared;
  access.instruction = nullptr;
  access.counter = Counter::vector_memory;
  access.scalar = false;
  access.exec = 0;
  access.lds_base = 0;
  access.extra = 0;
  access.complete = nullptr;
  access.destination = {};
  access.done = false;
  access.waited_vector_memory = false;
  access.waited_lds = false;
  return access;
}

void PendingAccesses::append_prepared() {
  m_order.push_back(std::move(m_prepared));
}

void PendingAccesses::erase(std::size_t i) {
  m_free.push_back(std::move(m_order[i]));
  m_order.erase(m_order.begin() + std::ptrdiff_t(i));
}

void PendingAccesses::clear() {
  while (!m_order.empty())
    erase(m_order.size() - 1);
}

} // namespace hk::sim
