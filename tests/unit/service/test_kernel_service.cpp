#include <doctest/doctest.h>
#include <fstream>
#include <iterator>

#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/scratch_folder.h"
#include "cache/disk_store.h"
#include "cache/heard_warnings.h"
#include "cache/inventory.h"
#include "cache/memory_store.h"
#include "compile/compile_options.h"
#include "device/null/null_driver.h"
#include "fake_compiler.h"
#include "service/kernel_service.h"

TEST_SUITE_BEGIN("service");

using hk::Status;
using hk::StatusCode;
using hk::service::KernelIdentity;
using hk::service::KernelOrigin;
using hk::service::KernelRecipe;
using hk::service::KernelService;
using hk::service::ServedKernel;
using hk::test::CompilerControl;
using hk::test::FakeCompiler;
using hk::test::ScratchFolder;

namespace {

constexpr const char* k_target = "gfx950:sramecc+:xnack-";

KernelIdentity identity(std::uint64_t number) {
  return {{7, number, 0, 0}};
}

KernelRecipe recipe(const std::string& symbol, const std::string& source = "#include <hk/tile/mask_kind.h>\n") {
  return {symbol, source};
}

std::string only_entry_below(const std::string& folder) {
  std::string found;
  for (const auto& item : std::filesystem::recursive_directory_iterator(folder)) {
    if (!item.is_regular_file() || item.file_size() < 1024) // a small file marks the folder as a cache
      continue;
    REQUIRE(found.empty());
    found = item.path();
  }
  REQUIRE(!found.empty());
  return found;
}

// A service over the null device with a fake compiler; its store is a folder, or memory if there is none.
class Fixture {
 public:
  explicit Fixture(const std::string& folder = {})
      : service(driver, *hk::codeobj::parse_target_id(k_target), std::make_unique<FakeCompiler>(compiler),
                open(folder)) {}

  CompilerControl compiler;
  hk::device::NullDriver driver{"null", "gfx950"};
  KernelService service;

 private:
  static std::unique_ptr<hk::cache::Store> open(const std::string& folder) {
    if (folder.empty())
      return std::make_unique<hk::cache::MemoryStore>();
    return std::make_unique<hk::cache::DiskStore>(folder);
  }
};

} // namespace

TEST_CASE("service.kernel_service: a miss compiles, a second request finds the kernel in memory") {
  Fixture fixture;
  CHECK(fixture.service.find(identity(1)) == nullptr);
  const auto obtained = fixture.service.obtain(identity(1), recipe("first"));
  REQUIRE_MESSAGE(obtained, obtained.error().message);
  CHECK(obtained->created);
  CHECK(obtained->kernel->symbol == "first");
  CHECK(obtained->kernel->origin == KernelOrigin::compiled);
  CHECK(obtained->kernel->compile_ms == 12.5);
  CHECK(fixture.service.find(identity(1)) == obtained->kernel);
  const auto again = fixture.service.obtain(identity(1), recipe("first"));
  REQUIRE(again);
  CHECK(!again->created);
  CHECK(again->kernel == obtained->kernel);
  CHECK(fixture.compiler.compiles == 1);
  CHECK(fixture.service.counters().compiles == 1);
  CHECK(fixture.service.counters().memory_hits.sum() == 1);
}

TEST_CASE("service.kernel_service: the compiler gets the unit, its headers, the full target id and the symbol") {
  Fixture fixture;
  REQUIRE(fixture.service.obtain(identity(1), recipe("named_kernel")));
  REQUIRE(fixture.compiler.requests.size() == 1);
  const hk::compile::CompileRequest& request = fixture.compiler.requests[0];
  CHECK(request.program_name == "named_kernel.hip");
  CHECK(request.symbol == "named_kernel");
  CHECK(request.target_id == k_target);
  CHECK(request.source == "#include <hk/tile/mask_kind.h>\n");
  REQUIRE(request.headers.size() == 1);
  CHECK(request.headers[0].name == "hk/tile/mask_kind.h");
  CHECK(!request.scratch_allowed);
}

TEST_CASE("service.kernel_service: a new process hits the disk") {
  const ScratchFolder folder;
  {
    Fixture first(folder / "cache");
    REQUIRE(first.service.obtain(identity(1), recipe("stored")));
    CHECK(first.compiler.compiles == 1);
  }
  Fixture second(folder / "cache");
  const auto obtained = second.service.obtain(identity(1), recipe("stored"));
  REQUIRE(obtained);
  CHECK(second.compiler.compiles == 0);
  CHECK(obtained->kernel->origin == KernelOrigin::cached);
  CHECK(obtained->kernel->store_kind == "disk");
  CHECK(obtained->kernel->compile_ms == 12.5);
  CHECK(second.service.counters().disk_hits == 1);
}

TEST_CASE("service.kernel_service: another source, symbol or header set is another entry") {
  const ScratchFolder folder;
  Fixture fixture(folder / "cache");
  REQUIRE(fixture.service.obtain(identity(1), recipe("same")));
  REQUIRE(fixture.service.obtain(identity(2), recipe("same", "#include <hk/tile/mask_kind.h>\nint changed;\n")));
  REQUIRE(fixture.service.obtain(identity(3), recipe("other")));
  REQUIRE(fixture.service.obtain(identity(4), recipe("same", "#include <hk/tile/integers.h>\n")));
  CHECK(fixture.compiler.compiles == 4);
  // The same recipe under another identity is the same entry.
  REQUIRE(fixture.service.obtain(identity(5), recipe("same")));
  CHECK(fixture.compiler.compiles == 4);
  CHECK(fixture.service.counters().disk_hits == 1);
}

TEST_CASE("service.kernel_service: the stored key names every pinned compiler option") {
  const ScratchFolder folder;
  Fixture fixture(folder / "cache");
  REQUIRE(fixture.service.obtain(identity(1), recipe("keyed")));
  std::string stored;
  for (const auto& item : std::filesystem::recursive_directory_iterator(folder / "cache")) {
    std::ifstream file(item.path(), std::ios::binary);
    if (item.path().extension() == ".hk")
      stored.assign(std::istreambuf_iterator<char>(file), {});
  }
  REQUIRE(!stored.empty());
  REQUIRE(!hk::compile::pinned_options(hk::codeobj::Platform::amd).empty());
  for (const std::string_view option : hk::compile::pinned_options(hk::codeobj::Platform::amd))
    CHECK_MESSAGE(stored.find(option) != std::string::npos, std::string(option));
}

TEST_CASE("service.kernel_service: eight threads that want one kernel compile once") {
  Fixture fixture;
  fixture.compiler.duration = std::chrono::milliseconds(100);
  std::vector<std::thread> threads;
  std::vector<const ServedKernel*> kernels(8);
  std::atomic<int> created{0};
  for (const ServedKernel*& kernel : kernels)
    threads.emplace_back([&fixture, &kernel, &created] {
      const auto obtained = fixture.service.obtain(identity(1), recipe("shared"));
      if (obtained) {
        kernel = obtained->kernel;
        created += obtained->created ? 1 : 0;
      }
    });
  for (std::thread& thread : threads)
    thread.join();
  CHECK(fixture.compiler.compiles == 1);
  CHECK(created == 1);
  for (const ServedKernel* kernel : kernels) {
    CHECK(kernel != nullptr);
    CHECK(kernel == kernels[0]);
  }
}

TEST_CASE("service.kernel_service: different kernels compile side by side") {
  Fixture fixture;
  fixture.compiler.duration = std::chrono::milliseconds(200);
  const auto start = std::chrono::steady_clock::now();
  std::vector<std::thread> threads;
  for (std::uint64_t i = 0; i < 4; ++i)
    threads.emplace_back([&fixture, i] {
      static_cast<void>(fixture.service.obtain(identity(i), recipe("kernel_" + std::to_string(i))));
    });
  for (std::thread& thread : threads)
    thread.join();
  CHECK(fixture.compiler.compiles == 4);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::milliseconds(700)); // in sequence: 800
}

TEST_CASE("service.kernel_service: a failing compile reaches every waiting thread, and is not repeated for a minute") {
  Fixture fixture;
  fixture.compiler.duration = std::chrono::milliseconds(50);
  fixture.compiler.failure = Status(StatusCode::compile_failed, "broken.hip does not compile", "line 1: error");
  std::vector<std::thread> threads;
  std::vector<Status> statuses(4);
  for (Status& status : statuses)
    threads.emplace_back([&fixture, &status] {
      const auto obtained = fixture.service.obtain(identity(1), recipe("broken"));
      if (!obtained)
        status = obtained.error();
    });
  for (std::thread& thread : threads)
    thread.join();
  for (const Status& status : statuses) {
    CHECK(status.code == StatusCode::compile_failed);
    CHECK(status.message.starts_with("broken.hip does not compile"));
    CHECK(status.detail == "line 1: error");
  }
  CHECK(fixture.service.peek(identity(1)) == nullptr);
  CHECK(fixture.compiler.compiles == 1);
}

TEST_CASE("service.kernel_service: an exception in the compiler does not leave later callers waiting") {
  Fixture fixture;
  fixture.compiler.throws = true;
  CHECK_THROWS(static_cast<void>(fixture.service.obtain(identity(1), recipe("thrown"))));
  fixture.compiler.throws = false;
  CHECK(fixture.service.obtain(identity(1), recipe("thrown")));
}

TEST_CASE("service.kernel_service: a compiled object without the kernel is refused and not stored") {
  const ScratchFolder folder;
  Fixture fixture(folder / "cache");
  fixture.compiler.code_object = hk::test::RenamedCodeObject("another_kernel").bytes();
  const auto obtained = fixture.service.obtain(identity(1), recipe("wanted_kernel"));
  REQUIRE(!obtained);
  CHECK(obtained.error().message.find("wanted_kernel") != std::string::npos);
  CHECK(hk::cache::folder_statistics(folder / "cache")->entries == 0);
}

TEST_CASE("service.kernel_service: a damaged entry is compiled again and replaced") {
  const ScratchFolder folder;
  {
    Fixture first(folder / "cache");
    REQUIRE(first.service.obtain(identity(1), recipe("damaged")));
  }
  const auto entries = hk::cache::list_entries(folder / "cache");
  REQUIRE(entries);
  REQUIRE(entries->size() == 1);
  const std::string path = only_entry_below(folder / "cache");
  std::string bytes = hk::test::read_text(path);
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 0x10);
  hk::test::write_text(path, bytes);

  const hk::test::HeardWarnings warnings;
  Fixture second(folder / "cache");
  const auto obtained = second.service.obtain(identity(1), recipe("damaged"));
  REQUIRE(obtained);
  CHECK(obtained->kernel->origin == KernelOrigin::compiled);
  CHECK(second.compiler.compiles == 1);
  CHECK(warnings.texts().size() == 1);
  Fixture third(folder / "cache");
  REQUIRE(third.service.obtain(identity(1), recipe("damaged")));
  CHECK(third.compiler.compiles == 0);
}

TEST_CASE("service.kernel_service: a sound entry that cannot be loaded is set aside, and compiled once") {
  const ScratchFolder folder;
  {
    // An entry under the right key that holds another kernel's code object.
    Fixture first(folder / "cache");
    REQUIRE(first.service.obtain(identity(1), recipe("useless")));
  }
  const auto entries = hk::cache::list_entries(folder / "cache");
  REQUIRE(entries);
  REQUIRE(entries->size() == 1);
  hk::cache::DiskStore store(folder / "cache");
  const auto& useless = entries->front();
  store.reject(useless.key, useless.metadata, store.lookup(useless.key)->payload, "for the test");
  store.publish(useless.key, {}, hk::test::RenamedCodeObject("another").bytes());

  const hk::test::HeardWarnings warnings;
  Fixture second(folder / "cache");
  REQUIRE(second.service.obtain(identity(1), recipe("useless")));
  CHECK(second.compiler.compiles == 1);
  CHECK(second.service.counters().rejected_entries == 1);
  REQUIRE(warnings.texts().size() == 1);
  CHECK(warnings.texts()[0].find("useless") != std::string::npos);
  Fixture third(folder / "cache");
  REQUIRE(third.service.obtain(identity(1), recipe("useless")));
  CHECK(third.compiler.compiles == 0);
}

TEST_CASE("service.kernel_service: without a compiler the status says so") {
  CompilerControl control;
  hk::device::NullDriver driver("null", "gfx950");
  KernelService service(driver, *hk::codeobj::parse_target_id(k_target),
                        std::make_unique<FakeCompiler>(control, hk::fail(StatusCode::no_compiler, "no hipRTC found")),
                        std::make_unique<hk::cache::MemoryStore>());
  const auto obtained = service.obtain(identity(1), recipe("any"));
  REQUIRE(!obtained);
  CHECK(obtained.error().code == StatusCode::no_compiler);
  CHECK(obtained.error().message == "no hipRTC found");
  CHECK(control.compiles == 0);
}

TEST_CASE("service.kernel_service: launches are counted where they are made") {
  Fixture fixture;
  const auto obtained = fixture.service.obtain(identity(1), recipe("launched"));
  REQUIRE(obtained);
  const std::byte arguments[8] = {};
  CHECK(fixture.service.launch(*obtained->kernel, {1, 64}, arguments, nullptr).ok());
  CHECK(fixture.service.launch(*obtained->kernel, {1, 64}, arguments, nullptr).ok());
  CHECK(fixture.driver.launches() == 2);
  CHECK(fixture.service.counters().launches.sum() == 2);
}

TEST_SUITE_END();
