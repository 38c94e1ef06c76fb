#pragma once
// A machine for tests of tuning: an operation on a device that computes with the host reference and shows times of the
// test's choice.

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "cache/disk_store.h"
#include "cache/memory_store.h"
#include "computing_device.h"
#include "ops/attention/attention.h"
#include "sample_problem.h"
#include "service/fake_compiler.h"

namespace hk::test {

using base::TuneMode;

// Memory of the device for one problem, filled with something.
struct Tensors {
  Tensors(ComputingDevice& where, const SampleSizes& sizes) : args(sample_args(sizes)), device(where) {
    const std::int64_t queries = sizes.batch * sizes.heads_q * sizes.seq_q;
    const std::int64_t keys = sizes.batch * sizes.heads_kv * sizes.seq_k;
    for (hk_tensor* tensor : {&args.q, &args.k, &args.v, &args.o}) {
      const std::int64_t rows = tensor == &args.q || tensor == &args.o ? queries : keys;
      tensor->data = *device.allocate(static_cast<std::size_t>(rows * sizes.head_dim * 2 + 64));
      auto* bits = static_cast<std::uint16_t*>(tensor->data);
      for (std::int64_t i = 0; i < rows * sizes.head_dim; ++i)
        bits[i] = ops::float_to_bfloat16(static_cast<float>(i % 7) - 3);
    }
    args.lse = static_cast<float*>(*device.allocate(static_cast<std::size_t>(queries * 4)));
    elements = queries * sizes.head_dim;
  }
  Tensors(const Tensors&) = delete;
  Tensors& operator=(const Tensors&) = delete;
  ~Tensors() {
    for (void* pointer : {args.q.data, args.k.data, args.v.data, args.o.data, static_cast<void*>(args.lse)})
      CHECK(device.free(pointer).ok());
  }
  [[nodiscard]] std::vector<std::uint16_t> o() const {
    const auto* bits = static_cast<const std::uint16_t*>(args.o.data);
    return {bits, bits + elements};
  }
  [[nodiscard]] ops::AttentionProblem problem() const {
    auto made = ops::make_attention_problem(args, ops::AttentionUse::launch);
    REQUIRE_MESSAGE(made, made.error().message);
    return *made;
  }
  hk_attention_args args;
  ComputingDevice& device;
  std::int64_t elements = 0;
};

inline constexpr SampleSizes k_sizes = {.batch = 1, .heads_q = 2, .heads_kv = 1, .seq_q = 96, .seq_k = 80};

inline ops::AttentionPolicy policy_of(TuneMode mode, std::uint32_t exact_max = 16,
                                      base::SelfCheck self_check = base::SelfCheck::automatic) {
  ops::AttentionPolicy policy;
  policy.self_check = self_check;
  policy.tune = mode;
  policy.exact_max = exact_max;
  policy.repeatable_times = true;
  policy.tune_budget = std::chrono::milliseconds(60000);
  return policy;
}

struct Machine {
  explicit Machine(TuneMode mode, std::unique_ptr<cache::Store> store = std::make_unique<cache::MemoryStore>(),
                   std::uint32_t exact_max = 16, base::SelfCheck self_check = base::SelfCheck::automatic)
      : service(device, *codeobj::parse_target_id("gfx950:sramecc+:xnack-"), std::make_unique<FakeCompiler>(compiler),
                std::move(store)),
        attention(device, service, policy_of(mode, exact_max, self_check)) {
    device.microseconds = [](const std::string& symbol) {
      return symbol.find(k_fastest) != std::string::npos ? 8.0 : 10.0;
    };
  }

  // A member of the describe text, by a plain search.
  std::string described(const ops::AttentionProblem& problem) {
    auto text = attention.describe(problem);
    REQUIRE(text);
    return *text;
  }
  bool says(const ops::AttentionProblem& problem, const char* part) {
    return described(problem).find(part) != std::string::npos;
  }

  static constexpr const char* k_fastest = "__q256_kv64_w8"; // not the default of 96 rows
  ComputingDevice device;
  CompilerControl compiler;
  service::KernelService service;
  ops::Attention attention;
};

inline std::unique_ptr<cache::Store> disk(const std::string& folder) {
  return std::make_unique<cache::DiskStore>(folder);
}

} // namespace hk::test
