// Tuning through the operation: what is measured, when, and what comes of it.
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/scratch_folder.h"
#include "service/counted_allocations.h"
#include "tuning_machine.h"

TEST_SUITE_BEGIN("ops");

using namespace hk::ops;
using namespace hk::test;
using hk::Status;
using hk::StatusCode;

TEST_CASE("ops.attention.tuning: the first call measures, takes the fastest, and only launches from then on") {
  Machine machine(TuneMode::missing);
  Tensors tensors(machine.device, k_sizes);
  const AttentionProblem problem = tensors.problem();
  CHECK(machine.says(problem, R"("source":"default rule")"));
  REQUIRE(machine.attention.run(problem, nullptr).ok());
  CHECK(machine.device.launched().back() == "attention_forward__bf16_d128_lse_gqa2_q96_k80__q256_kv64_w8");
  CHECK(machine.service.counters().tuner_runs == 1);
  CHECK(machine.service.counters().tuner_candidates == 4);
  CHECK(machine.compiler.compiles == 4);
  CHECK(machine.says(problem, R"("source":"tuned now, measured")"));
  CHECK(machine.says(problem, R"("winner":"q256_kv64_w8","default":"q128_kv64_w4")"));
  CHECK(machine.says(problem, R"("state":"measured","median_us":8.0)"));

  const std::size_t launches = machine.device.launched().size();
  REQUIRE(machine.attention.run(problem, nullptr).ok());
  CHECK(machine.device.launched().size() == launches + 1);
  CHECK(machine.device.launched().back().find(Machine::k_fastest) != std::string::npos);
  CHECK(machine.service.counters().tuner_runs == 1);
}

TEST_CASE("ops.attention.tuning: the caller's tensors see one launch, and a tuned first call gives the second's bits") {
  Machine machine(TuneMode::missing);
  Tensors tensors(machine.device, k_sizes);
  const AttentionProblem problem = tensors.problem();
  std::atomic<int> launches{0}; // candidates are prepared, and checked, on several threads
  machine.device.spoil = [&](const std::string&, const AttentionProblem& launched) {
    const bool callers = launched.q.data == problem.q.data || launched.k.data == problem.k.data ||
                         launched.v.data == problem.v.data || launched.o.data == problem.o.data ||
                         launched.lse == problem.lse;
    launches += callers ? 1 : 0;
  };
  REQUIRE(machine.attention.run(problem, nullptr).ok());
  CHECK(launches == 1);
  const std::vector<std::uint16_t> first = tensors.o();
  REQUIRE(machine.attention.run(problem, nullptr).ok());
  CHECK(tensors.o() == first);
}

TEST_CASE("ops.attention.tuning: a faster configuration that computes wrongly never wins") {
  Machine machine(TuneMode::missing);
  machine.device.spoil = [](const std::string& symbol, const AttentionProblem& set) {
    if (symbol.find(Machine::k_fastest) != std::string::npos)
      static_cast<std::uint16_t*>(set.o.data)[0] = float_to_bfloat16(100.0F);
  };
  Tensors tensors(machine.device, k_sizes);
  REQUIRE(machine.attention.run(tensors.problem(), nullptr).ok());
  CHECK(machine.device.launched().back() == "attention_forward__bf16_d128_lse_gqa2_q96_k80__q128_kv64_w4");
}

TEST_CASE(
    "ops.attention.tuning: a problem that every configuration computes wrongly is refused, and not measured again") {
  Machine machine(TuneMode::missing, std::make_unique<hk::cache::MemoryStore>(), 16, hk::base::SelfCheck::off);
  Tensors tensors(machine.device, k_sizes);
  const AttentionProblem problem = tensors.problem();
  std::atomic<bool> callers{false};
  machine.device.spoil = [&](const std::string&, const AttentionProblem& set) {
    if (set.o.data == problem.o.data)
      callers = true;
    static_cast<std::uint16_t*>(set.o.data)[0] = float_to_bfloat16(100.0F);
  };
  const Status first = machine.attention.run(problem, nullptr);
  CHECK(first.code == StatusCode::compile_failed);
  CHECK_MESSAGE(
      first.message.find("attention_forward__bf16_d128_lse_gqa2_q96_k80__q128_kv64_w4 computes wrong values on "
                         "computing") != std::string::npos,
      first.message);
  const std::size_t launches = machine.device.launched().size();
  CHECK(machine.attention.run(problem, nullptr).code == StatusCode::compile_failed);
  CHECK(machine.device.launched().size() == launches);
  CHECK(!callers);
}

TEST_CASE("ops.attention.tuning: modes") {
  for (const TuneMode mode : {TuneMode::off, TuneMode::lookup}) {
    Machine machine(mode);
    Tensors tensors(machine.device, k_sizes);
    REQUIRE(machine.attention.run(tensors.problem(), nullptr).ok());
    CHECK(machine.device.launched().back().find("__q128_kv64_w4") != std::string::npos);
    CHECK(machine.service.counters().tuner_runs == 0);
    CHECK(machine.compiler.compiles == 1);
  }
  const hk::test::ScratchFolder folder;
  {
    Machine machine(TuneMode::missing, disk(folder.path()));
    Tensors tensors(machine.device, k_sizes);
    REQUIRE(machine.attention.prepare(tensors.problem()).ok());
    CHECK(machine.service.counters().tuner_runs == 1);
  }
  SUBCASE("lookup and missing take the record of the earlier context") {
    for (const TuneMode mode : {TuneMode::lookup, TuneMode::missing}) {
      Machine machine(mode, disk(folder.path()));
      Tensors tensors(machine.device, k_sizes);
      CHECK(machine.says(tensors.problem(), R"("source":"tuning record, measured")"));
      REQUIRE(machine.attention.run(tensors.problem(), nullptr).ok());
      CHECK(machine.device.launched().back().find(Machine::k_fastest) != std::string::npos);
      CHECK(machine.device.launched().size() == 1);
      CHECK(machine.service.counters().tuner_runs == 0);
      CHECK(machine.says(tensors.problem(), R"("winner":"q256_kv64_w8")"));
    }
  }
  SUBCASE("off does not look") {
    Machine machine(TuneMode::off, disk(folder.path()));
    Tensors tensors(machine.device, k_sizes);
    REQUIRE(machine.attention.run(tensors.problem(), nullptr).ok());
    CHECK(machine.device.launched().back().find("__q128_kv64_w4") != std::string::npos);
  }
  SUBCASE("force measures once more, once per context, and displaces the record") {
    Machine machine(TuneMode::force, disk(folder.path()));
    machine.device.microseconds = [](const std::string&) { return 10.0; };
    Tensors tensors(machine.device, k_sizes);
    REQUIRE(machine.attention.run(tensors.problem(), nullptr).ok());
    REQUIRE(machine.attention.run(tensors.problem(), nullptr).ok());
    CHECK(machine.service.counters().tuner_runs == 1);
    CHECK(machine.device.launched().back().find("__q128_kv64_w4") != std::string::npos);
    Machine later(TuneMode::lookup, disk(folder.path()));
    CHECK(later.says(tensors.problem(), R"("winner":"q128_kv64_w4")"));
  }
  SUBCASE("another device does not take it") {
    Machine machine(TuneMode::lookup, disk(folder.path()));
    machine.device.mutable_info().compute_units = 80;
    Tensors tensors(machine.device, k_sizes);
    CHECK(machine.says(tensors.problem(), R"("source":"default rule")"));
  }
}

TEST_CASE("ops.attention.tuning: a simulated device's record is modelled and decides only there") {
  const hk::test::ScratchFolder folder;
  const auto make_simulated = [](Machine& machine, const char* profile) {
    machine.device.mutable_info().simulated = true;
    machine.device.mutable_info().profile = profile;
  };
  Machine machine(TuneMode::missing, disk(folder.path()));
  make_simulated(machine, "a");
  Tensors tensors(machine.device, k_sizes);
  REQUIRE(machine.attention.prepare(tensors.problem()).ok());
  CHECK(machine.says(tensors.problem(), R"("source":"tuned now, modelled")"));
  Machine same(TuneMode::lookup, disk(folder.path()));
  make_simulated(same, "a");
  CHECK(same.says(tensors.problem(), R"("source":"tuning record, modelled")"));
  Machine other(TuneMode::lookup, disk(folder.path()));
  make_simulated(other, "b");
  CHECK(other.says(tensors.problem(), R"("source":"default rule")"));
  Machine hardware(TuneMode::lookup, disk(folder.path()));
  CHECK(hardware.says(tensors.problem(), R"("source":"default rule")"));
}

TEST_CASE("ops.attention.tuning: threads and contexts that want one problem measured measure it once") {
  const hk::test::ScratchFolder folder;
  std::vector<std::unique_ptr<Machine>> machines;
  for (int i = 0; i < 3; ++i)
    machines.push_back(std::make_unique<Machine>(TuneMode::missing, disk(folder.path())));
  std::vector<std::thread> threads;
  std::mutex mutex;
  std::vector<Status> failures;
  for (int i = 0; i < 12; ++i) {
    Machine& machine = *machines[static_cast<std::size_t>(i % 3)];
    threads.emplace_back([&machine, &mutex, &failures] {
      const AttentionProblem problem = *make_attention_problem(sample_args(k_sizes), AttentionUse::query);
      const Status status = machine.attention.prepare(problem);
      const std::lock_guard lock(mutex);
      if (!status.ok())
        failures.push_back(status);
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  CHECK(failures.empty());
  std::uint64_t runs = 0;
  const AttentionProblem problem = *make_attention_problem(sample_args(k_sizes), AttentionUse::query);
  for (const auto& machine : machines) {
    runs += machine->service.counters().tuner_runs;
    CHECK(machine->says(problem, R"(__q256_kv64_w8","reason")"));
  }
  CHECK(runs == 1);
}

TEST_CASE("ops.attention.tuning: dropped candidates take no place of HK_JIT_EXACT_MAX, the winner takes one") {
  Machine machine(TuneMode::missing, std::make_unique<hk::cache::MemoryStore>(), 2);
  SampleSizes sizes = k_sizes;
  for (const std::int64_t seq_q : {96, 97}) {
    sizes.seq_q = seq_q;
    REQUIRE(machine.attention.prepare(*make_attention_problem(sample_args(sizes), AttentionUse::query)).ok());
    CHECK(machine.says(*make_attention_problem(sample_args(sizes), AttentionUse::query), "exact kernel: loaded"));
  }
  CHECK(machine.compiler.compiles == 8);
  sizes.seq_q = 98;
  const AttentionProblem third = *make_attention_problem(sample_args(sizes), AttentionUse::query);
  REQUIRE(machine.attention.prepare(third).ok());
  CHECK(machine.says(third, R"("kernel":"attention_forward__bf16_d128_lse__q256_kv64_w8")"));
  CHECK(machine.says(third, R"("tuning_key":"attention_forward__bf16_d128_lse__bh2_q128_k128")"));
}

TEST_CASE("ops.attention.tuning: at the limit a spec with a place keeps its exact kernel when its sizes change class") {
  Machine machine(TuneMode::lookup, std::make_unique<hk::cache::MemoryStore>(), 1);
  const auto kernel_of = [&](std::int64_t seq_q, std::int64_t seq_k) {
    SampleSizes sizes = k_sizes;
    sizes.seq_q = seq_q;
    sizes.seq_k = seq_k;
    const AttentionProblem problem = *make_attention_problem(sample_args(sizes), AttentionUse::query);
    REQUIRE(machine.attention.prepare(problem).ok());
    return machine.described(problem);
  };
  CHECK(kernel_of(1, 100).find("lse_gqa2__q32_kv32_w1") != std::string::npos);
  CHECK(kernel_of(1, 300).find("lse_gqa2__q32_kv32_w1") != std::string::npos);
  CHECK(machine.compiler.compiles == 1);
  CHECK(kernel_of(96, 300).find("lse__q128_kv64_w4") != std::string::npos);
  REQUIRE(machine.attention.refresh_records().ok());
  CHECK(kernel_of(1, 100).find("lse_gqa2__q32_kv32_w1") != std::string::npos);
  CHECK(kernel_of(1, 5000).find("lse_gqa2__q32_kv32_w1") != std::string::npos);
}

TEST_CASE("ops.attention.tuning: what was decided without a candidate that may work tomorrow is not recorded") {
  // The device has no memory for the fastest one.
  class ShortOfMemory final : public ComputingDevice {
   public:
    hk::Result<std::unique_ptr<hk::device::Module>> load(std::span<const std::byte> code,
                                                         const std::string& symbol) override {
      if (symbol.find(Machine::k_fastest) != std::string::npos)
        return hk::fail(StatusCode::out_of_memory, "full");
      return ComputingDevice::load(code, symbol);
    }
  } device;
  hk::test::CompilerControl compiler;
  hk::service::KernelService service(device, *hk::codeobj::parse_target_id("gfx950:sramecc+:xnack-"),
                                     std::make_unique<hk::test::FakeCompiler>(compiler),
                                     std::make_unique<hk::cache::MemoryStore>());
  Attention attention(device, service, policy_of(TuneMode::missing));
  const std::string nothing = attention.records().text();
  const AttentionProblem problem = *make_attention_problem(sample_args(k_sizes), AttentionUse::query);
  REQUIRE(attention.prepare(problem).ok());
  CHECK(service.counters().tuner_runs == 1);
  CHECK(attention.records().text() == nothing);
  CHECK(attention.describe(problem)->find(R"("state":"failed")") != std::string::npos);
}

TEST_CASE("ops.attention.tuning: a budget in which nothing could be compared leaves no record") {
  ComputingDevice device;
  device.microseconds = [](const std::string&) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2)); // the whole budget for the first candidate
    return 10.0;
  };
  hk::test::CompilerControl compiler;
  hk::service::KernelService service(device, *hk::codeobj::parse_target_id("gfx950:sramecc+:xnack-"),
                                     std::make_unique<hk::test::FakeCompiler>(compiler),
                                     std::make_unique<hk::cache::MemoryStore>());
  AttentionPolicy policy = policy_of(TuneMode::missing);
  policy.tune_budget = std::chrono::milliseconds(1);
  Attention attention(device, service, policy);
  const std::string nothing = attention.records().text();
  const AttentionProblem problem = *make_attention_problem(sample_args(k_sizes), AttentionUse::query);
  REQUIRE(attention.prepare(problem).ok());
  CHECK(service.counters().tuner_runs == 1);
  CHECK(service.counters().tuner_candidates == 1);
  CHECK(attention.records().text() == nothing);
  CHECK(attention.describe(problem)->find(R"("budget_spent":true)") != std::string::npos);
}

TEST_CASE("ops.attention.tuning: nothing is measured for a stream in capture, and any loaded kernel serves it") {
  class CapturingDevice final : public ComputingDevice {
   public:
    hk::Result<bool> is_capturing(hk::device::Stream) override { return capturing; }
    hk::Result<std::unique_ptr<hk::device::Module>> load(std::span<const std::byte> code,
                                                         const std::string& symbol) override {
      if (symbol.find("_q97_") != std::string::npos)
        return hk::fail(StatusCode::load_failed, "the driver refuses it");
      return ComputingDevice::load(code, symbol);
    }
    bool capturing = true;
  } device;
  hk::test::CompilerControl compiler;
  hk::service::KernelService service(device, *hk::codeobj::parse_target_id("gfx950:sramecc+:xnack-"),
                                     std::make_unique<hk::test::FakeCompiler>(compiler),
                                     std::make_unique<hk::cache::MemoryStore>());
  Attention attention(device, service, policy_of(TuneMode::missing, 1));
  SampleSizes other = k_sizes;
  other.seq_q = 97;
  Tensors tensors(device, k_sizes);
  const AttentionProblem problem = tensors.problem();
  CHECK(attention.run(problem, nullptr).code == StatusCode::not_prepared);
  CHECK(compiler.compiles == 0);

  // The only place is being taken by a kernel that will not load: the problem is prepared with the family kernel.
  device.capturing = false;
  compiler.duration = std::chrono::milliseconds(100);
  std::thread loser(
      [&] { CHECK_FALSE(attention.prepare(*make_attention_problem(sample_args(other), AttentionUse::query)).ok()); });
  while (compiler.running == 0)
    std::this_thread::yield();
  REQUIRE(attention.prepare(problem).ok());
  loser.join();

  // Now an exact kernel would be chosen, and it is not loaded.
  device.capturing = true;
  REQUIRE(attention.run(problem, nullptr).ok());
  CHECK(device.launched().back() == "attention_forward__bf16_d128_lse__q128_kv64_w4");
}

TEST_CASE("ops.attention.tuning: where nothing can be measured the default serves, and describe says why") {
  Machine machine(TuneMode::missing);
  machine.device.mutable_info().memory = 1 << 16; // an eighth of it holds no head group
  Tensors tensors(machine.device, k_sizes);
  REQUIRE(machine.attention.run(tensors.problem(), nullptr).ok());
  CHECK(machine.service.counters().tuner_runs == 0);
  CHECK(machine.says(tensors.problem(), R"("source":"default rule")"));
  CHECK(machine.says(tensors.problem(), "it is not tried"));
  Machine null(TuneMode::force);
  null.device.mutable_info().computes = false;
  REQUIRE(null.attention.run(tensors.problem(), nullptr).ok());
  CHECK(null.service.counters().tuner_runs == 0);
  CHECK(null.says(tensors.problem(), "runs nothing"));
}

TEST_CASE("ops.attention.tuning: a warm tuned call allocates nothing") {
  Machine machine(TuneMode::missing);
  Tensors tensors(machine.device, k_sizes);
  const AttentionProblem problem = tensors.problem();
  // The null device's own launch: the computing one allocates.
  class NullLaunches final : public hk::device::NullDriver {
   public:
    NullLaunches() : NullDriver("null", "gfx950") {}
  } device;
  hk::service::KernelService service(device, *hk::codeobj::parse_target_id("gfx950:sramecc+:xnack-"),
                                     std::make_unique<hk::test::FakeCompiler>(machine.compiler),
                                     std::make_unique<hk::cache::MemoryStore>());
  Attention attention(device, service, policy_of(TuneMode::lookup));
  REQUIRE(attention.run(problem, nullptr).ok());
  const std::uint64_t before = hk::test::allocations_of_this_thread();
  bool ok = true;
  for (int i = 0; i < 100; ++i)
    ok = attention.run(problem, nullptr).ok() && ok;
  CHECK(hk::test::allocations_of_this_thread() == before);
  CHECK(ok);
}

TEST_SUITE_END();
