#pragma once
// Test kernels, compiled by hipRTC when a test asks for them.

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "sim/hip/hip_check.h"

namespace hk::sim::testing {

// The code object of kernels.cpp's source for a target such as "gfx942:sramecc+:xnack-"; compiled once per process and
// target. Nothing if this machine has no hipRTC; a compile error fails the test.
const std::optional<std::vector<std::byte>>& test_kernels(const char* target);

// The test kernels loaded on the current device.
class TestModule {
 public:
  TestModule();
  ~TestModule();
  TestModule(const TestModule&) = delete;
  TestModule& operator=(const TestModule&) = delete;

  // False: there is no hipRTC, and the test has nothing to do.
  [[nodiscard]] bool loaded() const { return m_module != nullptr; }
  [[nodiscard]] hipModule_t get() const { return m_module; }
  hipFunction_t function(const char* name) const;

 private:
  hipModule_t m_module = nullptr;
};

// Launches with one-dimensional grid and block.
hipError_t launch(hipFunction_t function, unsigned grid, unsigned block, unsigned dynamic_lds, hipStream_t stream,
                  std::vector<void*> arguments);

} // namespace hk::sim::testing
