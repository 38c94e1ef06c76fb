#include "sim/runtime/launch_control.h"

#include <utility>

#include "base/json.h"

namespace hk::sim {

namespace {

std::string json_of(const std::string& kernel, const DispatchResult& result) {
  base::Json by_class = base::Json::object();
  for (std::size_t i = 0; i < result.instructions_by_class.size(); ++i)
    by_class.set(operation_class_name(static_cast<OperationClass>(i)), result.instructions_by_class[i]);
  base::Json json = base::Json::object();
  json.set("kernel", kernel)
      .set("workgroups", result.workgroups)
      .set("waves", result.waves)
      .set("instructions", result.instructions)
      .set("instructions_by_class", by_class)
      .set("missing_waits", result.missing_waits)
      .set("modelled_clocks", result.modelled_clocks)
      .set("modelled_us", result.modelled_ns / 1000);
  return json.text();
}

} // namespace

void LaunchControl::set_options(const LaunchOptions& options) {
  const std::scoped_lock lock(m_mutex);
  m_options = options;
}

LaunchOptions LaunchControl::options() const {
  const std::scoped_lock lock(m_mutex);
  return m_options;
}

void LaunchControl::record(const std::string& kernel, const DispatchResult& result, std::string trace) {
  std::string text = json_of(kernel, result);
  const std::scoped_lock lock(m_mutex);
  m_last_launch = std::move(text);
  m_last_trace = std::move(trace);
}

std::string LaunchControl::last_launch() const {
  const std::scoped_lock lock(m_mutex);
  return m_last_launch;
}

std::string LaunchControl::last_trace() const {
  const std::scoped_lock lock(m_mutex);
  return m_last_trace;
}

const char* operation_class_name(OperationClass which) {
  switch (which) {
  case OperationClass::scalar:
    return "scalar";
  case OperationClass::scalar_memory:
    return "scalar_memory";
  case OperationClass::branch:
    return "branch";
  case OperationClass::vector:
    return "vector";
  case OperationClass::transcendental:
    return "transcendental";
  case OperationClass::matrix:
    return "matrix";
  case OperationClass::lds:
    return "lds";
  case OperationClass::vector_memory:
    return "vector_memory";
  }
  return "unnamed";
}

} // namespace hk::sim
