// What happens to a kernel that is not loaded: turns, kept failures, self-checks.
#include <doctest/doctest.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/scratch_folder.h"
#include "cache/disk_store.h"
#include "cache/heard_warnings.h"
#include "cache/memory_store.h"
#include "device/null/null_driver.h"
#include "fake_compiler.h"
#include "service/kernel_maker.h"

TEST_SUITE_BEGIN("service");

using hk::Result;
using hk::Status;
using hk::StatusCode;
using hk::service::KernelMaker;
using hk::service::KernelOrigin;
using hk::service::KernelRecipe;
using hk::service::SelfCheckOutcome;
using hk::service::ServedKernel;
using hk::service::ServicePolicy;
using hk::test::CompilerControl;
using hk::test::FakeCompiler;
using hk::test::ScratchFolder;

namespace {

// A memory store in which another process can have been busy: what it publishes appears while this one waits.
class SharedStore : public hk::cache::MemoryStore {
 public:
  hk::cache::Turn wait_for_turn(hk::cache::TurnOf, const hk::base::Digest128&, std::chrono::steady_clock::time_point,
                                const std::function<bool()>& settled) override {
    ++turns;
    if (while_waiting)
      while_waiting(*this);
    hk::cache::Turn turn;
    turn.kind = settled() ? hk::cache::Turn::Kind::settled : without_others;
    return turn;
  }
  void reject(const hk::cache::Key& key, const hk::cache::Metadata& metadata, hk::base::ByteView payload,
              std::string_view reason) override {
    rejected.emplace_back(reason);
    MemoryStore::reject(key, metadata, payload, reason);
  }

  std::function<void(SharedStore&)> while_waiting;
  hk::cache::Turn::Kind without_others = hk::cache::Turn::Kind::ours;
  int turns = 0;
  std::vector<std::string> rejected;
};

// A null device on which loading can fail.
class RefusingDriver : public hk::device::NullDriver {
 public:
  using NullDriver::NullDriver;
  Result<std::unique_ptr<hk::device::Module>> load(std::span<const std::byte> code_object,
                                                   const std::string& symbol) override {
    if (!failure.ok())
      return hk::fail(failure);
    return NullDriver::load(code_object, symbol);
  }

  Status failure;
};

struct Fixture {
  explicit Fixture(const ServicePolicy& policy = {}) : maker(driver, target, fake, store, policy, counters) {}

  CompilerControl compiler;
  FakeCompiler fake{compiler};
  RefusingDriver driver{"null", "gfx950"};
  hk::codeobj::TargetId target = *hk::codeobj::parse_target_id("gfx950:sramecc+:xnack-");
  SharedStore store;
  hk::service::ServiceCounters counters;
  KernelMaker maker;
};

KernelRecipe recipe(const std::string& symbol, hk::service::SelfCheck check = {}) {
  return {symbol, "#include <hk/tile/mask_kind.h>\n", std::move(check)};
}

void publish(SharedStore& store, const hk::cache::Key& key, const std::string& symbol) {
  store.publish(key, {}, hk::test::RenamedCodeObject(symbol).bytes());
}

} // namespace

TEST_CASE("service.kernel_maker: what another process published during the wait is loaded, not compiled") {
  Fixture fixture;
  const auto key = fixture.maker.key_of(recipe("theirs"));
  REQUIRE(key);
  fixture.store.while_waiting = [&](SharedStore& store) { publish(store, *key, "theirs"); };
  const auto made = fixture.maker.make(recipe("theirs"));
  REQUIRE_MESSAGE(made, made.error().message);
  CHECK(made->origin == KernelOrigin::cached);
  CHECK(fixture.compiler.compiles == 0);
  CHECK(fixture.counters.waited == 1);
  CHECK(fixture.counters.disk_hits == 1);
}

TEST_CASE("service.kernel_maker: after a wait that was too long the kernel is compiled here") {
  Fixture fixture;
  fixture.store.without_others = hk::cache::Turn::Kind::timed_out;
  const hk::test::HeardWarnings warnings;
  REQUIRE(fixture.maker.make(recipe("late")));
  CHECK(fixture.compiler.compiles == 1);
  CHECK(fixture.counters.waited == 0);
  REQUIRE(warnings.texts().size() == 1);
  CHECK(warnings.texts()[0].find("late") != std::string::npos);
}

TEST_CASE("service.kernel_maker: a stored kernel takes no turn") {
  Fixture fixture;
  REQUIRE(fixture.maker.make(recipe("stored")));
  CHECK(fixture.store.turns == 1);
  const auto again = fixture.maker.make(recipe("stored"));
  REQUIRE(again);
  CHECK(again->origin == KernelOrigin::cached);
  CHECK(fixture.store.turns == 1);
}

TEST_CASE("service.kernel_maker: HK_JIT=off gives what is stored and NOT_CACHED for the rest") {
  Fixture fixture(ServicePolicy{.compile = false});
  const auto missing = fixture.maker.make(recipe("absent"));
  REQUIRE(!missing);
  CHECK(missing.error().code == StatusCode::not_cached);
  CHECK(missing.error().message.find("absent") != std::string::npos);
  CHECK(missing.error().message.find("HK_JIT") != std::string::npos);
  CHECK(fixture.compiler.compiles == 0);
  publish(fixture.store, *fixture.maker.key_of(recipe("present")), "present");
  CHECK(fixture.maker.make(recipe("present")));
}

TEST_CASE("service.kernel_maker: a failed compile is not repeated, and says so with its log") {
  Fixture fixture;
  fixture.compiler.failure = Status(StatusCode::compile_failed, "broken.hip does not compile", "line 1: error");
  REQUIRE(!fixture.maker.make(recipe("broken")));
  fixture.compiler.failure = Status();
  const auto again = fixture.maker.make(recipe("broken"));
  REQUIRE(!again);
  CHECK(again.error().code == StatusCode::compile_failed);
  CHECK(again.error().message.find("broken.hip does not compile") != std::string::npos);
  CHECK(again.error().message.find("60 s") != std::string::npos);
  CHECK(again.error().detail == "line 1: error");
  CHECK(fixture.compiler.compiles == 1);
  CHECK(fixture.counters.kept_failures == 1);
  CHECK(fixture.maker.make(recipe("another")));
}

TEST_CASE("service.kernel_maker: a failure that another process met during the wait is not repeated") {
  Fixture fixture;
  const auto key = fixture.maker.key_of(recipe("broken"));
  fixture.store.while_waiting = [&](SharedStore& store) {
    store.keep_failure(*key, Status(StatusCode::compile_failed, "theirs does not compile"));
  };
  const auto made = fixture.maker.make(recipe("broken"));
  REQUIRE(!made);
  CHECK(made.error().message.find("theirs does not compile") != std::string::npos);
  CHECK(fixture.compiler.compiles == 0);
}

TEST_CASE("service.kernel_maker: a timeout is kept by this context, a crash is not kept") {
  Fixture fixture;
  fixture.compiler.failure = Status(StatusCode::compile_timeout, "the compiler hung");
  REQUIRE(!fixture.maker.make(recipe("slow")));
  REQUIRE(!fixture.maker.make(recipe("slow")));
  CHECK(fixture.compiler.compiles == 1);
  CHECK(!fixture.store.kept_failure(*fixture.maker.key_of(recipe("slow"))));
  fixture.compiler.failure = Status(StatusCode::compiler_crashed, "the compiler died");
  REQUIRE(!fixture.maker.make(recipe("fragile")));
  fixture.compiler.failure = Status();
  CHECK(fixture.maker.make(recipe("fragile")));
}

TEST_CASE("service.kernel_maker: a device without memory, or one that is down, takes no entry out of service") {
  for (const StatusCode code : {StatusCode::out_of_memory, StatusCode::launch_failed}) {
    Fixture fixture;
    REQUIRE(fixture.maker.make(recipe("sound")));
    fixture.driver.failure = Status(code, "the device cannot load anything now");
    const auto refused = fixture.maker.make(recipe("sound"));
    REQUIRE(!refused);
    CHECK(refused.error().code == code);
    CHECK(refused.error().message == "the device cannot load anything now");
    CHECK(fixture.store.rejected.empty());
    CHECK(fixture.counters.rejected_entries == 0);
    CHECK(fixture.compiler.compiles == 1);
    fixture.driver.failure = Status();
    const auto again = fixture.maker.make(recipe("sound"));
    REQUIRE(again);
    CHECK(again->origin == KernelOrigin::cached);
  }
}

TEST_CASE("service.kernel_maker: what the driver does not load is not compiled again and again, by this context") {
  Fixture fixture;
  fixture.driver.failure = Status(StatusCode::load_failed, "the driver is too old");
  REQUIRE(!fixture.maker.make(recipe("modern")));
  const auto again = fixture.maker.make(recipe("modern"));
  REQUIRE(!again);
  CHECK(again.error().code == StatusCode::load_failed);
  CHECK(again.error().message.find("the driver is too old") != std::string::npos);
  CHECK(again.error().message.find("60 s") != std::string::npos);
  CHECK(fixture.compiler.compiles == 1);
  CHECK(fixture.counters.kept_failures == 1);
  CHECK(!fixture.store.kept_failure(*fixture.maker.key_of(recipe("modern"))));
}

TEST_CASE("service.kernel_maker: a self-check that fails once costs a second compile, nothing more") {
  Fixture fixture;
  int checks = 0;
  const auto fails_once = [&](const ServedKernel&) -> Result<SelfCheckOutcome> {
    if (++checks == 1)
      return hk::fail(StatusCode::internal, "row 3 is wrong");
    return SelfCheckOutcome::passed;
  };
  const auto made = fixture.maker.make(recipe("unlucky", fails_once));
  REQUIRE_MESSAGE(made, made.error().message);
  CHECK(fixture.compiler.compiles == 2);
  CHECK(fixture.counters.self_checks == 2);
  CHECK(fixture.counters.self_check_failures == 1);
  REQUIRE(fixture.store.rejected.size() == 1);
  CHECK(fixture.store.rejected[0] == "row 3 is wrong");
  CHECK(fixture.store.contains(*fixture.maker.key_of(recipe("unlucky"))));
}

TEST_CASE("service.kernel_maker: a kernel that is wrong twice is COMPILE_FAILED and is never stored") {
  Fixture fixture;
  const auto wrong = [](const ServedKernel&) -> Result<SelfCheckOutcome> {
    return hk::fail(StatusCode::internal, "row 3 is wrong");
  };
  const auto made = fixture.maker.make(recipe("wrong", wrong));
  REQUIRE(!made);
  CHECK(made.error().code == StatusCode::compile_failed);
  CHECK(made.error().detail == "row 3 is wrong");
  CHECK(fixture.compiler.compiles == 2);
  CHECK(fixture.counters.self_check_failures == 2);
  CHECK(!fixture.store.contains(*fixture.maker.key_of(recipe("wrong"))));
  REQUIRE(!fixture.maker.make(recipe("wrong", wrong)));
  CHECK(fixture.compiler.compiles == 2);
}

TEST_CASE("service.kernel_maker: stored kernels are not checked again, skipped checks are counted") {
  Fixture fixture;
  int checks = 0;
  const auto skips = [&](const ServedKernel&) -> Result<SelfCheckOutcome> {
    ++checks;
    return SelfCheckOutcome::skipped;
  };
  REQUIRE(fixture.maker.make(recipe("large", skips)));
  REQUIRE(fixture.maker.make(recipe("large", skips)));
  CHECK(checks == 1);
  CHECK(fixture.counters.self_checks_skipped == 1);
  CHECK(fixture.counters.self_checks == 0);
}

TEST_SUITE_END();
