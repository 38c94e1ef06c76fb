// Tuning records from elsewhere: refresh, import, and records that cannot be followed.
#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

#include "base/scratch_folder.h"
#include "tuning_machine.h"

TEST_SUITE_BEGIN("ops");

using namespace hk::ops;
using namespace hk::test;
using hk::Status;
using hk::StatusCode;

TEST_CASE("ops.attention.tuning: refresh and import let records decide anew") {
  const hk::test::ScratchFolder folder;
  Machine reader(TuneMode::lookup, disk(folder.path()));
  Tensors tensors(reader.device, k_sizes);
  const AttentionProblem problem = tensors.problem();
  REQUIRE(reader.attention.run(problem, nullptr).ok());
  CHECK(reader.device.launched().back().find("__q128_kv64_w4") != std::string::npos);

  Machine tuner(TuneMode::missing, disk(folder.path()));
  REQUIRE(tuner.attention.prepare(problem).ok());
  CHECK(reader.attention.records().digest() != tuner.attention.records().digest());

  // Nothing changes by itself.
  REQUIRE(reader.attention.run(problem, nullptr).ok());
  CHECK(reader.device.launched().back().find("__q128_kv64_w4") != std::string::npos);
  SUBCASE("refresh") {
    REQUIRE(reader.attention.refresh_records().ok());
  }
  SUBCASE("import") {
    REQUIRE(reader.attention.import_records(tuner.attention.records().text(), ImportHow::replace, false).ok());
  }
  CHECK(reader.attention.records().digest() == tuner.attention.records().digest());
  REQUIRE(reader.attention.run(problem, nullptr).ok());
  CHECK(reader.device.launched().back().find(Machine::k_fastest) != std::string::npos);

  // A damaged text changes nothing.
  std::string damaged = tuner.attention.records().text();
  damaged[damaged.size() / 2] ^= 1;
  CHECK(reader.attention.import_records(damaged, ImportHow::replace, false).code == StatusCode::invalid_argument);
  CHECK(reader.attention.records().digest() == tuner.attention.records().digest());
}

TEST_CASE("ops.attention.tuning: forced measuring gives way to records that are imported after it") {
  Machine slow(TuneMode::force);
  slow.device.microseconds = [](const std::string&) { return 10.0; };
  Tensors tensors(slow.device, k_sizes);
  const AttentionProblem problem = tensors.problem();
  REQUIRE(slow.attention.prepare(problem).ok());
  CHECK(slow.says(problem, R"("source":"tuned now, measured")"));
  Machine exporter(TuneMode::force);
  REQUIRE(exporter.attention.prepare(problem).ok());
  REQUIRE(slow.attention.import_records(exporter.attention.records().text(), ImportHow::replace, false).ok());
  REQUIRE(slow.attention.run(problem, nullptr).ok());
  CHECK(slow.device.launched().back().find(Machine::k_fastest) != std::string::npos);
  CHECK(slow.service.counters().tuner_runs == 1);
}

TEST_CASE("ops.attention.tuning: import stores when asked, and says when it cannot") {
  Machine tuner(TuneMode::missing);
  Tensors tensors(tuner.device, k_sizes);
  REQUIRE(tuner.attention.prepare(tensors.problem()).ok());
  const std::string text = tuner.attention.records().text();
  const hk::test::ScratchFolder folder;
  {
    Machine machine(TuneMode::lookup, disk(folder.path()));
    REQUIRE(machine.attention.import_records(text, ImportHow::merge, true).ok());
  }
  Machine later(TuneMode::lookup, disk(folder.path()));
  CHECK(later.attention.records().digest() == tuner.attention.records().digest());
  Machine without_folder(TuneMode::lookup);
  CHECK(without_folder.attention.import_records(text, ImportHow::merge, true).code == StatusCode::unsupported);
  CHECK(without_folder.attention.records().digest() == tuner.attention.records().digest());
  Machine off(TuneMode::off);
  CHECK(off.attention.import_records(text, ImportHow::merge, false).code == StatusCode::unsupported);
}

TEST_CASE("ops.attention.tuning: a record that names what cannot be used does not stop the problem") {
  const hk::test::ScratchFolder folder;
  {
    Machine machine(TuneMode::missing, disk(folder.path()));
    Tensors tensors(machine.device, k_sizes);
    REQUIRE(machine.attention.prepare(tensors.problem()).ok());
  }
  class RefusingDevice final : public ComputingDevice {
   public:
    hk::Result<std::unique_ptr<hk::device::Module>> load(std::span<const std::byte> code,
                                                         const std::string& symbol) override {
      if (symbol.find(Machine::k_fastest) != std::string::npos)
        return hk::fail(StatusCode::load_failed, "the driver refuses it");
      return ComputingDevice::load(code, symbol);
    }
  } device;
  hk::test::CompilerControl compiler;
  hk::service::KernelService service(device, *hk::codeobj::parse_target_id("gfx950:sramecc+:xnack-"),
                                     std::make_unique<hk::test::FakeCompiler>(compiler), disk(folder.path()));
  Attention attention(device, service, policy_of(TuneMode::lookup));
  Tensors tensors(device, k_sizes);
  REQUIRE(attention.run(tensors.problem(), nullptr).ok());
  CHECK(device.launched().back().find("__q128_kv64_w4") != std::string::npos);
}

TEST_SUITE_END();
