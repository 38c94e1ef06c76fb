#pragma once
// Problems on the device under test.

#include <string>

#include "hk/hk.hpp"
#include "problem.h"

namespace hk::test {

// HK_DEVICE, else sim:mi355x.
std::string device_under_test();

// All contexts of a process share one cache folder, so that each kernel is compiled once: HK_CACHE_DIR, else a folder
// that goes with the process.
const char* kernel_folder();

Context open_context(hk_specialize specialize = HK_SPECIALIZE_FAMILY, const std::string& device = device_under_test());

// A problem whose tensors have been copied to the device; outputs are NaN there.
class DeviceProblem {
 public:
  DeviceProblem(const Context& context, Problem& problem);

  [[nodiscard]] hk_attention_args args() const { return m_args; }
  // Copies outputs back, behind the work on `stream`. Checks that guard bands and inputs are as they were.
  void fetch(void* stream = nullptr);

 private:
  using Elements = DeviceArray<std::uint16_t>;

  Problem& m_problem;
  Elements m_q, m_k, m_v, m_o;
  DeviceArray<std::uint32_t> m_lse;
  hk_attention_args m_args;
};

// Spoils the outputs, calls hk_attention, waits and fetches. Throws hk::Error.
void run(const Context& context, Problem& problem, void* stream = nullptr);

} // namespace hk::test
