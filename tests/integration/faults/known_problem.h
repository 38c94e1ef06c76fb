#pragma once
// A problem whose right answer is known without a reference: Q and K are zero, so every key weighs the same, and value
// row j is j everywhere. With `rows` keys each output element is (rows - 1) / 2.

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hk/hk.hpp"

namespace hk::test {

// An empty folder that goes away with its owner.
class FaultFolder {
 public:
  FaultFolder();
  ~FaultFolder();
  FaultFolder(const FaultFolder&) = delete;
  FaultFolder& operator=(const FaultFolder&) = delete;
  [[nodiscard]] const std::string& path() const { return m_path; }

 private:
  std::string m_path;
};

// Variables for the time of one test; the environment is read by hk_context_create.
class Variables {
 public:
  explicit Variables(std::vector<std::pair<std::string, std::string>> variables);
  ~Variables();
  Variables(const Variables&) = delete;
  Variables& operator=(const Variables&) = delete;

 private:
  std::vector<std::string> m_names;
};

class KnownProblem {
 public:
  static constexpr int k_rows = 33;
  static constexpr std::uint16_t k_unwritten = 0x7fff; // a NaN

  // Opens the device; cache_folder "none" keeps nothing.
  explicit KnownProblem(const std::string& cache_folder, const std::string& device = "sim:mi355x");

  [[nodiscard]] const Context& context() const { return *m_context; }
  hk_attention_args& args() { return m_args; }
  hk_status run(); // the call and the wait for it
  [[nodiscard]] bool output_is_right() const;
  [[nodiscard]] bool output_is_untouched() const;

 private:
  [[nodiscard]] bool all_are(std::uint16_t bits) const;

  std::unique_ptr<Context> m_context;
  std::vector<DeviceArray<std::uint16_t>> m_tensors; // q, k, v, o
  hk_attention_args m_args = HK_ATTENTION_ARGS_INIT;
};

} // namespace hk::test
