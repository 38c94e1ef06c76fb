#pragma once
// LaunchControl: how a device runs its kernels, where that differs from the defaults, and what it last ran.

#include <cstdint>
#include <mutex>
#include <string>

#include "sim/machine/dispatch.h"

namespace hk::sim {

// A zero means the default.
struct LaunchOptions {
  std::uint64_t max_wave_instructions = 0; // more are a fault
  std::uint64_t turn = 0;                  // see DispatchOptions
  bool forgive_missing_waits = false;
  std::uint64_t trace_lines = 0;      // of the wave below; 0: no trace
  std::uint64_t traced_workgroup = 0; // number in the grid, x fastest
  std::uint32_t traced_wave = 0;
};

class LaunchControl {
 public:
  void set_options(const LaunchOptions& options);
  [[nodiscard]] LaunchOptions options() const;

  // A kernel has been run, to its end or to a fault.
  void record(const std::string& kernel, const DispatchResult& result, std::string trace);
  // One JSON object about the last kernel; empty before the first.
  [[nodiscard]] std::string last_launch() const;
  // One line per instruction; empty if none was asked for.
  [[nodiscard]] std::string last_trace() const;

 private:
  mutable std::mutex m_mutex;
  LaunchOptions m_options;
  std::string m_last_launch;
  std::string m_last_trace;
};

// "scalar", "matrix", ...
const char* operation_class_name(OperationClass which);

} // namespace hk::sim
