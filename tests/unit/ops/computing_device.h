#pragma once
// ComputingDevice: a null device that computes. A launch of an attention kernel runs the host reference on the
// arguments, and events show times that a test chooses per kernel.

#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "device/null/null_driver.h"
#include "kernels/attention_forward_arguments.h"
#include "ops/attention/reference.h"

namespace hk::test {

class ComputingDevice : public device::NullDriver {
 public:
  ComputingDevice() : NullDriver("null", "gfx950"), m_info(NullDriver::info()) {
    m_info.device = "computing";
    m_info.computes = true;
    m_info.compute_units = 256;
    m_info.lds_bytes = 160 * 1024;
    m_info.clock_mhz = 2400;
  }

  std::function<double(const std::string& symbol)> microseconds = [](const std::string&) { return 10.0; };
  // Called with the outputs of each launch.
  std::function<void(const std::string& symbol, const ops::AttentionProblem& problem)> spoil;
  std::function<Status(const std::string& symbol)> refuse_launch;
  device::DeviceInfo& mutable_info() { return m_info; }
  std::vector<std::string> launched() {
    const std::lock_guard lock(m_mutex);
    return m_launched;
  }

  [[nodiscard]] const device::DeviceInfo& info() const noexcept override { return m_info; }

  Result<std::unique_ptr<device::Module>> load(std::span<const std::byte>, const std::string& symbol) override {
    return std::make_unique<NamedModule>(symbol);
  }

  Status launch(const device::Module& module, device::LaunchShape, std::span<const std::byte> bytes,
                device::Stream) override {
    const std::string& symbol = static_cast<const NamedModule&>(module).symbol;
    if (refuse_launch)
      HK_RETURN_IF_ERROR(refuse_launch(symbol));
    AttentionForwardArguments arguments;
    std::memcpy(&arguments, bytes.data(), sizeof(arguments));
    const ops::AttentionProblem problem = problem_of(symbol, arguments);
    compute(problem);
    if (spoil)
      spoil(symbol, problem);
    const std::lock_guard lock(m_mutex);
    m_now += microseconds(symbol);
    m_launched.push_back(symbol);
    return {};
  }

  Status record(device::Event event, device::Stream) override {
    const std::lock_guard lock(m_mutex);
    m_times[event] = m_now;
    return {};
  }
  Result<double> elapsed(device::Event start, device::Event stop) override {
    const std::lock_guard lock(m_mutex);
    return m_times[stop] - m_times[start];
  }

 private:
  struct NamedModule final : device::Module {
    explicit NamedModule(std::string name) : symbol(std::move(name)) {}
    std::string symbol;
  };

  static ops::AttentionProblem problem_of(const std::string& symbol, const AttentionForwardArguments& arguments) {
    const auto says = [&](const char* text) { return symbol.find(text) != std::string::npos; };
    const auto tensor = [](const void* data, std::int64_t batch, std::int64_t head, std::int64_t row) {
      return ops::AttentionTensor{const_cast<void*>(data), batch / 2, head / 2, row / 2};
    };
    ops::AttentionProblem problem;
    problem.element = says("__fp16") ? ops::ElementType::float16 : ops::ElementType::bfloat16;
    problem.head_dim = says("_d128") ? 128 : 64;
    if (says("_causal_br"))
      problem.mask = ops::AttentionMask::causal_bottom_right;
    if (says("_causal_tl"))
      problem.mask = ops::AttentionMask::causal_top_left;
    problem.scale = static_cast<float>(static_cast<double>(arguments.scale_log2e) / 1.4426950408889634);
    problem.batch = arguments.batch;
    problem.heads_q = arguments.heads_q;
    problem.heads_kv = arguments.heads_kv;
    problem.seq_q = arguments.seq_q;
    problem.seq_k = arguments.seq_k;
    problem.q = tensor(arguments.q, arguments.q_stride_batch, arguments.q_stride_head, arguments.q_stride_row);
    problem.k = tensor(arguments.k, arguments.k_stride_batch, arguments.k_stride_head, arguments.k_stride_row);
    problem.v = tensor(arguments.v, arguments.v_stride_batch, arguments.v_stride_head, arguments.v_stride_row);
    problem.o = tensor(arguments.o, arguments.o_stride_batch, arguments.o_stride_head, arguments.o_stride_row);
    problem.lse = says("_lse") ? static_cast<float*>(arguments.lse) : nullptr;
    problem.lse_stride_batch = arguments.lse_stride_batch / 4;
    problem.lse_stride_head = arguments.lse_stride_head / 4;
    return problem;
  }

  static void compute(const ops::AttentionProblem& problem) {
    const auto rows = static_cast<std::size_t>(problem.batch * problem.heads_q * problem.seq_q);
    std::vector<double> o(rows * static_cast<std::size_t>(problem.head_dim));
    std::vector<double> lse(rows);
    static_cast<void>(ops::attention_reference(problem, ops::ReferencePrecision::fp64, o.data(), lse.data()));
    std::size_t at = 0;
    for (std::int64_t b = 0; b < problem.batch; ++b) {
      for (std::int64_t h = 0; h < problem.heads_q; ++h) {
        for (std::int64_t i = 0; i < problem.seq_q; ++i, ++at) {
          auto* row = static_cast<std::uint16_t*>(problem.o.data) + b * problem.o.stride_batch +
                      h * problem.o.stride_head + i * problem.o.stride_row;
          for (std::int64_t c = 0; c < problem.head_dim; ++c)
            row[c] = ops::float_to_element(problem.element,
                                           static_cast<float>(o[at * static_cast<std::size_t>(problem.head_dim) + c]));
          if (problem.lse != nullptr)
            problem.lse[b * problem.lse_stride_batch + h * problem.lse_stride_head + i] = static_cast<float>(lse[at]);
        }
      }
    }
  }

  device::DeviceInfo m_info;
  std::mutex m_mutex; // of what follows
  double m_now = 0;
  std::map<device::Event, double> m_times;
  std::vector<std::string> m_launched;
};

} // namespace hk::test
