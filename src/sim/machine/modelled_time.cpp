#include "sim/machine/modelled_time.h"

#include <algorithm>

namespace hk::sim {

namespace {

// A matrix instruction occupies the vector port for one issue slot (hw_numbers: "an MFMA uses the VALU issue slot").
constexpr std::uint64_t k_issue_slot_clocks = 4;

std::uint64_t clocks_of(const Wave& wave, OperationClass which) {
  return wave.issue_clocks_by_class[std::size_t(which)];
}

} // namespace

std::uint64_t PortClocks::busiest() const {
  std::uint64_t most = std::max(lds, vector_memory);
  for (const auto* port : {&vector, &matrix, &scalar})
    most = std::max(most, *std::max_element(port->begin(), port->end()));
  return most;
}

ModelledTime::ModelledTime(const DeviceModel& device)
    : m_device(device), m_units(std::max(device.compute_units, device.xcds)) {}

void ModelledTime::add(const Workgroup& workgroup) {
  const std::size_t per_xcd = std::max(1U, m_device.compute_units / m_device.xcds);
  PortClocks& unit = m_units[workgroup.xcd * per_xcd + workgroup.compute_unit];
  const std::uint32_t simds = std::clamp<std::uint32_t>(m_device.simds_per_compute_unit, 1, PortClocks::k_simds);
  for (const auto& pointer : workgroup.waves) {
    const Wave& wave = *pointer;
    const std::uint32_t simd = wave.wave_index % simds;
    unit.vector[simd] += clocks_of(wave, OperationClass::vector) + clocks_of(wave, OperationClass::transcendental) +
                         wave.executed_by_class[std::size_t(OperationClass::matrix)] * k_issue_slot_clocks;
    unit.matrix[simd] += clocks_of(wave, OperationClass::matrix);
    unit.scalar[simd] += clocks_of(wave, OperationClass::scalar) + clocks_of(wave, OperationClass::scalar_memory) +
                         clocks_of(wave, OperationClass::branch);
    unit.lds += clocks_of(wave, OperationClass::lds);
    unit.vector_memory += clocks_of(wave, OperationClass::vector_memory);
  }
}

void ModelledTime::add(const ModelledTime& other) {
  for (std::size_t i = 0; i < m_units.size(); ++i) {
    for (std::size_t simd = 0; simd < PortClocks::k_simds; ++simd) {
      m_units[i].vector[simd] += other.m_units[i].vector[simd];
      m_units[i].matrix[simd] += other.m_units[i].matrix[simd];
      m_units[i].scalar[simd] += other.m_units[i].scalar[simd];
    }
    m_units[i].lds += other.m_units[i].lds;
    m_units[i].vector_memory += other.m_units[i].vector_memory;
  }
}

std::uint64_t ModelledTime::clocks() const {
  std::uint64_t most = 0;
  for (const PortClocks& unit : m_units)
    most = std::max(most, unit.busiest());
  return most;
}

double ModelledTime::nanoseconds() const {
  return m_device.dispatch_overhead_ns + double(clocks()) * 1000.0 / m_device.engine_clock_mhz;
}

} // namespace hk::sim
