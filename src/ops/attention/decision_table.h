#pragma once
// DecisionTable: which configuration serves a problem, as every warm call looks it up: no lock, no allocation, numbers
// only.

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>

#include "ops/attention/configuration.h"
#include "service/identity_table.h"

namespace hk::ops {

// Who decided.
enum class DecisionSource : std::uint8_t {
  default_rule,
  modelled_record, // a tuning record of a simulated device
  measured_record, // a tuning record of hardware
  tuned,           // this context's own tuner
};

struct Decision {
  AttentionConfiguration configuration;
  DecisionSource source = DecisionSource::default_rule;

  bool operator==(const Decision&) const = default;
};

class DecisionTable {
 public:
  struct Found {
    bool known = false;               // set() or mark() have been called for it once
    std::optional<Decision> decision; // nothing since the last forget()
  };
  // Any thread, any time. identity: tuning_identity().
  [[nodiscard]] Found find(const service::KernelIdentity& identity) const noexcept;

  // Decisions are made of records; whoever read the records before they changed must not leave his decision behind.
  [[nodiscard]] std::uint64_t generation() const noexcept { return m_generation.load(std::memory_order_acquire); }
  // Unless generation() has changed since `seen`. Returns whether the decision stands.
  bool set(const service::KernelIdentity& identity, const Decision& decision, std::uint64_t seen);
  // Makes it known without a decision, and so that forget() does not undo it.
  void mark(const service::KernelIdentity& identity);
  // Takes every decision back: each is made again when it is next wanted.
  void forget();

 private:
  struct Node {
    explicit Node(const service::KernelIdentity& of) : identity(of) {}
    service::KernelIdentity identity;
    std::atomic<std::uint64_t> packed{0}; // a decision, or 0
  };

  std::atomic<std::uint64_t> m_generation{0};
  std::mutex m_mutex; // of everything but finding
  service::IdentityTable<Node> m_nodes;
};

} // namespace hk::ops
