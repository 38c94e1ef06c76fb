// The operation over the null device and a fake compiler.
#include <doctest/doctest.h>

#include <memory>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include "cache/memory_store.h"
#include "device/null/null_driver.h"
#include "ops/attention/attention.h"
#include "ops/attention/launch.h"
#include "sample_problem.h"
#include "service/counted_allocations.h"
#include "service/fake_compiler.h"

TEST_SUITE_BEGIN("ops");

using namespace hk::ops;
using hk::Status;
using hk::StatusCode;
using hk::base::Specialize;
using hk::test::sample_args;
using hk::test::SampleSizes;

namespace {

// A null device whose answers about streams and pointers can be set.
class ScriptedDriver final : public hk::device::NullDriver {
 public:
  ScriptedDriver() : NullDriver("null", "gfx950") {}

  hk::Result<bool> is_capturing(hk::device::Stream) override {
    ++capture_queries;
    return capturing;
  }
  hk::device::PointerPlace place_of(const void* pointer) noexcept override {
    return pointer == odd_pointer ? odd_place : hk::device::PointerPlace::this_device;
  }
  Status launch(const hk::device::Module& module, hk::device::LaunchShape shape, std::span<const std::byte> arguments,
                hk::device::Stream stream) override {
    last_shape = shape;
    last_argument_bytes = arguments.size();
    last_stream = stream;
    return NullDriver::launch(module, shape, arguments, stream);
  }

  bool capturing = false;
  int capture_queries = 0;
  const void* odd_pointer = nullptr;
  hk::device::PointerPlace odd_place = hk::device::PointerPlace::host;
  hk::device::LaunchShape last_shape;
  std::size_t last_argument_bytes = 0;
  hk::device::Stream last_stream = nullptr;
};

struct Fixture {
  explicit Fixture(Specialize specialize = Specialize::automatic, std::uint32_t exact_max = 16)
      : attention(driver, service, {specialize, exact_max}) {}

  ScriptedDriver driver;
  hk::test::CompilerControl compiler;
  hk::service::KernelService service{driver, *hk::codeobj::parse_target_id("gfx950:sramecc+:xnack-"),
                                     std::make_unique<hk::test::FakeCompiler>(compiler),
                                     std::make_unique<hk::cache::MemoryStore>()};
  Attention attention;

  std::string last_symbol() const { return compiler.requests.back().symbol; }
};

AttentionProblem launchable(const SampleSizes& sizes = {}) {
  auto problem = make_attention_problem(sample_args(sizes), AttentionUse::launch);
  REQUIRE_MESSAGE(problem, problem.error().message);
  return *problem;
}

} // namespace

TEST_CASE("ops.attention: the first call compiles, later ones only launch") {
  Fixture fixture;
  int stream = 0;
  const AttentionProblem problem = launchable();
  REQUIRE(fixture.attention.run(problem, &stream).ok());
  CHECK(fixture.last_symbol() == "attention_forward__bf16_d128_lse_gqa4_q96_k160__q128_kv64_w4");
  CHECK(fixture.driver.last_shape.workgroups == 2 * 8);
  CHECK(fixture.driver.last_shape.workgroup_size == 256);
  CHECK(fixture.driver.last_argument_bytes == sizeof(hk::AttentionForwardArguments));
  CHECK(fixture.driver.last_stream == &stream);
  REQUIRE(fixture.attention.run(problem, nullptr).ok());
  CHECK(fixture.compiler.compiles == 1);
  CHECK(fixture.driver.launches() == 2);
}

TEST_CASE("ops.attention: a warm call allocates nothing, exact or family") {
  for (const Specialize specialize : {Specialize::automatic, Specialize::exact, Specialize::family}) {
    Fixture fixture(specialize);
    const AttentionProblem problem = launchable();
    REQUIRE(fixture.attention.run(problem, nullptr).ok());
    const std::uint64_t before = hk::test::allocations_of_this_thread();
    bool ok = true;
    for (int i = 0; i < 100; ++i)
      ok = fixture.attention.run(problem, nullptr).ok() && ok;
    CHECK(hk::test::allocations_of_this_thread() == before);
    CHECK(ok);
  }
  // The counter itself works. (A direct call: compilers may leave out an allocation made by a new-expression.)
  const std::uint64_t before = hk::test::allocations_of_this_thread();
  ::operator delete(::operator new(100));
  CHECK(hk::test::allocations_of_this_thread() == before + 1);
}

TEST_CASE("ops.attention: nothing to compute launches nothing and compiles nothing") {
  Fixture fixture;
  CHECK(fixture.attention.run(launchable({.batch = 0}), nullptr).ok());
  CHECK(fixture.attention.run(launchable({.seq_q = 0}), nullptr).ok());
  CHECK(fixture.attention.prepare(launchable({.seq_q = 0})).ok());
  CHECK(fixture.compiler.compiles == 0);
  CHECK(fixture.driver.launches() == 0);
  // Without keys there are outputs to write.
  CHECK(fixture.attention.run(launchable({.seq_k = 0}), nullptr).ok());
  CHECK(fixture.driver.launches() == 1);
}

TEST_CASE("ops.attention: after HK_JIT_EXACT_MAX exact kernels of a family the family kernel serves") {
  Fixture fixture(Specialize::automatic, 3);
  for (std::int64_t seq_q = 100; seq_q < 110; ++seq_q)
    REQUIRE(fixture.attention.run(launchable({.seq_q = seq_q}), nullptr).ok());
  CHECK(fixture.compiler.compiles == 4);
  CHECK(fixture.last_symbol() == "attention_forward__bf16_d128_lse__q128_kv64_w4");
  // Those that are loaded stay in use.
  const std::uint64_t hits = fixture.service.counters().memory_hits.sum();
  REQUIRE(fixture.attention.run(launchable({.seq_q = 100}), nullptr).ok());
  CHECK(fixture.compiler.compiles == 4);
  CHECK(fixture.service.counters().memory_hits.sum() == hits + 1);
  // Another family has places of its own.
  REQUIRE(fixture.attention.run(launchable({.seq_q = 100, .head_dim = 64}), nullptr).ok());
  CHECK(fixture.last_symbol() == "attention_forward__bf16_d64_lse_gqa4_q100_k160__q128_kv64_w4");
}

TEST_CASE("ops.attention: a failed compile gives its place back") {
  Fixture fixture(Specialize::automatic, 1);
  fixture.compiler.failure = Status(StatusCode::compiler_crashed, "no");
  for (int i = 0; i < 3; ++i)
    CHECK(fixture.attention.run(launchable(), nullptr).code == StatusCode::compiler_crashed);
  fixture.compiler.failure = Status();
  REQUIRE(fixture.attention.run(launchable(), nullptr).ok());
  CHECK(fixture.last_symbol() == "attention_forward__bf16_d128_lse_gqa4_q96_k160__q128_kv64_w4");
  CHECK(fixture.driver.launches() == 1);
}

TEST_CASE("ops.attention: threads that want one kernel take one place") {
  Fixture fixture(Specialize::automatic, 2);
  fixture.compiler.duration = std::chrono::milliseconds(50);
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] { static_cast<void>(fixture.attention.prepare(launchable())); });
  for (std::thread& thread : threads)
    thread.join();
  CHECK(fixture.service.peek(identity_of(exact_attention_spec(launchable()))) != nullptr);
  REQUIRE(fixture.attention.run(launchable({.seq_q = 200}), nullptr).ok());
  CHECK(fixture.last_symbol() == "attention_forward__bf16_d128_lse_gqa4_q200_k160__q128_kv64_w4");
}

TEST_CASE("ops.attention: exact and family can be forced") {
  Fixture family(Specialize::family);
  REQUIRE(family.attention.run(launchable(), nullptr).ok());
  CHECK(family.last_symbol() == "attention_forward__bf16_d128_lse__q128_kv64_w4");
  Fixture exact(Specialize::exact, 0);
  REQUIRE(exact.attention.run(launchable(), nullptr).ok());
  CHECK(exact.last_symbol() == "attention_forward__bf16_d128_lse_gqa4_q96_k160__q128_kv64_w4");
}

TEST_CASE("ops.attention: an unprepared call in a capture is NOT_PREPARED, a prepared one launches") {
  Fixture fixture;
  fixture.driver.capturing = true;
  const AttentionProblem problem = launchable();
  const Status refused = fixture.attention.run(problem, nullptr);
  CHECK(refused.code == StatusCode::not_prepared);
  CHECK(refused.message.find("hk_attention_prepare") != std::string::npos);
  CHECK(fixture.compiler.compiles == 0);
  CHECK(fixture.driver.launches() == 0);
  REQUIRE(fixture.attention.prepare(problem).ok());
  const int queries = fixture.driver.capture_queries;
  CHECK(fixture.attention.run(problem, nullptr).ok());
  CHECK(fixture.driver.launches() == 1);
  CHECK(fixture.driver.capture_queries == queries); // a warm call does not even ask
}

TEST_CASE("ops.attention: pointers of the host or of another device are refused by name") {
  Fixture fixture;
  const AttentionProblem problem = launchable();
  const std::pair<const char*, const void*> pointers[] = {{"q.data", problem.q.data},
                                                          {"k.data", problem.k.data},
                                                          {"v.data", problem.v.data},
                                                          {"o.data", problem.o.data},
                                                          {"lse", problem.lse}};
  for (const auto& [name, pointer] : pointers) {
    fixture.driver.odd_pointer = pointer;
    for (const auto place : {hk::device::PointerPlace::host, hk::device::PointerPlace::other_device}) {
      fixture.driver.odd_place = place;
      const Status status = fixture.attention.run(problem, nullptr);
      CHECK(status.code == StatusCode::invalid_argument);
      CHECK(status.message.find(name) == 0);
    }
  }
  CHECK(fixture.compiler.compiles == 0);
  CHECK(fixture.driver.launches() == 0);
}

TEST_CASE("ops.attention: describe compiles nothing and says what would run, then what is loaded") {
  Fixture fixture;
  const AttentionProblem problem = launchable();
  auto text = fixture.attention.describe(problem);
  REQUIRE(text);
  CHECK(text->find(R"("kernel":"attention_forward__bf16_d128_lse_gqa4_q96_k160__q128_kv64_w4")") != std::string::npos);
  CHECK(text->find(R"("loaded":false)") != std::string::npos);
  CHECK(fixture.compiler.compiles == 0);
  REQUIRE(fixture.attention.prepare(problem).ok());
  text = fixture.attention.describe(problem);
  REQUIRE(text);
  CHECK(text->find(R"("loaded":true)") != std::string::npos);
  CHECK(text->find(R"("origin":"compiled")") != std::string::npos);
  CHECK(text->find(R"("compile_ms":12.5)") != std::string::npos);
}

TEST_CASE("ops.attention: a grid that no packet can hold is unsupported before anything is compiled") {
  Fixture fixture;
  SampleSizes sizes;
  sizes.batch = 1 << 20;
  sizes.heads_q = sizes.heads_kv = 1024;
  const AttentionProblem problem = launchable(sizes);
  CHECK(fixture.attention.run(problem, nullptr).code == StatusCode::unsupported);
  CHECK(fixture.attention.supported(problem).code == StatusCode::unsupported);
  CHECK(fixture.attention.prepare(problem).code == StatusCode::unsupported);
  CHECK(fixture.compiler.compiles == 0);
}

TEST_SUITE_END();
