#pragma once
// The simple model of time: every instruction takes its issue clocks on one port of its compute unit, ports work side
// by side, and the busiest one decides. No memory, cache, latency or clock throttling: a lower bound to compare
// variants of a kernel by, not a prediction of run time.

#include <array>
#include <cstdint>
#include <vector>

#include "sim/machine/device_model.h"
#include "sim/machine/workgroup.h"

namespace hk::sim {

// Engine clocks that the ports of one compute unit are busy.
struct PortClocks {
  static constexpr int k_simds = 8; // more than any device has
  std::array<std::uint64_t, k_simds> vector{};
  std::array<std::uint64_t, k_simds> matrix{};
  std::array<std::uint64_t, k_simds> scalar{};
  std::uint64_t lds = 0;
  std::uint64_t vector_memory = 0;

  [[nodiscard]] std::uint64_t busiest() const;
};

class ModelledTime {
 public:
  explicit ModelledTime(const DeviceModel& device);
  // A workgroup that has ended. Wave i runs on SIMD i mod the number of SIMDs.
  void add(const Workgroup& workgroup);
  void add(const ModelledTime& other);
  // Of the compute unit that is busy longest.
  [[nodiscard]] std::uint64_t clocks() const;
  [[nodiscard]] double nanoseconds() const;

 private:
  DeviceModel m_device;
  std::vector<PortClocks> m_units; // by XCD, then by compute unit
};

} // namespace hk::sim
