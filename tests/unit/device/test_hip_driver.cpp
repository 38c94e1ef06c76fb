// The driver of real GPUs over the simulated runtime.
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/bytes.h"
#include "device/open_device.h"
#include "simulated_runtime.h"

TEST_SUITE_BEGIN("device");

using hk::StatusCode;
using hk::device::Driver;
using hk::device::PointerPlace;
using hk::test::SimulatedRuntime;

namespace {

std::unique_ptr<Driver> open(const std::string& device) {
  auto driver = hk::device::open_device({device, {}, HK_SIMULATOR});
  REQUIRE_MESSAGE(driver, driver.error().message);
  return std::move(*driver);
}

hk::base::Bytes code_object(const std::string& name) {
  std::ifstream file(std::string(HK_CODE_OBJECT_DATA "/") + name, std::ios::binary);
  REQUIRE(file.good());
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const hk::base::ByteView view = hk::base::as_bytes(text);
  return {view.begin(), view.end()};
}

// c[i] = a[(i + 1) & 63] + b[i]: tests/unit/codeobj/data/vector_add.hip.
struct VectorAddArguments {
  void* a;
  void* b;
  void* c;
  int n;
  int padding;
};

constexpr int k_count = 64;

class VectorAdd {
 public:
  explicit VectorAdd(Driver& driver) : m_driver(driver) {
    for (void** pointer : {&arguments.a, &arguments.b, &arguments.c})
      *pointer = *driver.allocate(k_count * sizeof(float));
    arguments.n = k_count;
    std::vector<float> a(k_count);
    std::vector<float> b(k_count, 100);
    for (int i = 0; i < k_count; ++i)
      a[static_cast<std::size_t>(i)] = static_cast<float>(i);
    REQUIRE(driver.copy(arguments.a, a.data(), k_count * sizeof(float), nullptr).ok());
    REQUIRE(driver.copy(arguments.b, b.data(), k_count * sizeof(float), nullptr).ok());
  }
  ~VectorAdd() {
    for (void* pointer : {arguments.a, arguments.b, arguments.c})
      static_cast<void>(m_driver.free(pointer));
  }
  VectorAdd(const VectorAdd&) = delete;
  VectorAdd& operator=(const VectorAdd&) = delete;

  [[nodiscard]] hk::base::ByteView bytes() const { return std::as_bytes(std::span(&arguments, 1)); }

  void check_result(void* stream) const {
    std::vector<float> c(k_count);
    REQUIRE(m_driver.copy(c.data(), arguments.c, k_count * sizeof(float), stream).ok());
    for (int i = 0; i < k_count; ++i)
      CHECK(c[static_cast<std::size_t>(i)] == static_cast<float>((i + 1) % k_count + 100));
  }

  VectorAddArguments arguments{};

 private:
  Driver& m_driver;
};

std::unique_ptr<hk::device::Module> load_vector_add(Driver& driver) {
  auto module = driver.load(code_object("vector_add_gfx950_v5.co"), "vector_add");
  REQUIRE_MESSAGE(module, module.error().message);
  return std::move(*module);
}

} // namespace

TEST_CASE("device.hip: each simulated device is found by its name") {
  CHECK(open("sim:mi300x")->info().target == "gfx942:sramecc+:xnack-");
  CHECK(open("sim:mi325x")->info().target == "gfx942:sramecc+:xnack-");
  const auto driver = open("sim:mi355x");
  CHECK(driver->info().target == "gfx950:sramecc+:xnack-");
  CHECK(driver->info().device == "sim:mi355x");
  CHECK(driver->info().simulated);
  CHECK(driver->info().compute_units == 256);
  CHECK(driver->info().lds_bytes == 160 * 1024);
  CHECK(driver->info().runtime_library == HK_SIMULATOR);
  CHECK(open("sim:mi325x")->info().product != open("sim:mi300x")->info().product);
}

TEST_CASE("device.hip: an ordinal that the runtime does not have is NO_DEVICE and says what there is") {
  const auto driver = hk::device::open_device({"hip:7", HK_SIMULATOR, {}});
  REQUIRE(!driver);
  CHECK(driver.error().code == StatusCode::no_device);
  CHECK(driver.error().message.find("hip:7") != std::string::npos);
  CHECK(driver.error().message.find("MI300X") != std::string::npos);
}

TEST_CASE("device.hip: a kernel runs on a stream and its events give a time") {
  const auto driver = open("sim:mi355x");
  const auto module = load_vector_add(*driver);
  const VectorAdd problem(*driver);
  void* const stream = *driver->create_stream();
  void* const start = *driver->create_event();
  void* const stop = *driver->create_event();
  CHECK(driver->record(start, stream).ok());
  CHECK(driver->launch(*module, {1, k_count}, problem.bytes(), stream).ok());
  CHECK(driver->record(stop, stream).ok());
  CHECK(driver->synchronize(stream).ok());
  problem.check_result(stream);
  const auto microseconds = driver->elapsed(start, stop);
  REQUIRE(microseconds);
  CHECK(*microseconds > 0);
  CHECK(driver->destroy_event(start).ok());
  CHECK(driver->destroy_event(stop).ok());
  CHECK(driver->destroy_stream(stream).ok());
}

TEST_CASE("device.hip: damaged code, another target and a missing symbol are LOAD_FAILED and name the kernel") {
  const auto driver = open("sim:mi355x");
  hk::base::Bytes damaged = code_object("vector_add_gfx950_v5.co");
  damaged.resize(damaged.size() / 2);
  for (const auto& [bytes, symbol] :
       {std::pair{damaged, "vector_add"}, std::pair{code_object("vector_add_gfx942_v4.co"), "vector_add"},
        std::pair{code_object("vector_add_gfx950_v5.co"), "no_such_kernel"}}) {
    const auto module = driver->load(bytes, symbol);
    REQUIRE(!module);
    CHECK(module.error().code == StatusCode::load_failed);
    CHECK(module.error().message.find(symbol) != std::string::npos);
    CHECK(module.error().message.find("sim:mi355x") != std::string::npos);
  }
}

TEST_CASE("device.hip: pointers are told apart by place, and asking leaves no error behind") {
  const auto driver = open("sim:mi355x");
  const auto other = open("sim:mi300x");
  const SimulatedRuntime runtime;
  static_cast<void>(runtime.last_error());
  void* const own = *driver->allocate(64);
  void* const foreign = *other->allocate(64);
  const int on_stack = 0;
  CHECK(driver->place_of(own) == PointerPlace::this_device);
  CHECK(driver->place_of(static_cast<char*>(own) + 63) == PointerPlace::this_device);
  CHECK(driver->place_of(foreign) == PointerPlace::other_device);
  CHECK(driver->place_of(&on_stack) == PointerPlace::host);
  CHECK(driver->place_of(nullptr) == PointerPlace::host);
  CHECK(runtime.last_error() == 0);
  CHECK(driver->free(own).ok());
  CHECK(other->free(foreign).ok());
}

TEST_CASE("device.hip: the thread's current device stays what it was") {
  const auto first = open("sim:mi300x");
  const auto third = open("sim:mi355x");
  const SimulatedRuntime runtime;
  for (const int current : {0, 1, 2}) {
    runtime.set_current_device(current);
    const auto module = load_vector_add(*third);
    const VectorAdd problem(*third);
    CHECK(third->launch(*module, {1, k_count}, problem.bytes(), nullptr).ok());
    CHECK(third->synchronize(nullptr).ok());
    problem.check_result(nullptr);
    void* const memory = *first->allocate(16);
    CHECK(first->place_of(memory) == PointerPlace::this_device);
    CHECK(first->free(memory).ok());
    CHECK(runtime.current_device() == current);
  }
  runtime.set_current_device(0);
}

TEST_CASE("device.hip: capture is noticed, and launches in it run when the graph does") {
  const auto driver = open("sim:mi355x");
  const SimulatedRuntime runtime;
  const auto module = load_vector_add(*driver);
  const VectorAdd problem(*driver);
  runtime.set_current_device(2);
  void* const stream = *driver->create_stream();
  CHECK(!*driver->is_capturing(stream));
  runtime.begin_capture(stream);
  CHECK(*driver->is_capturing(stream));
  CHECK(driver->launch(*module, {1, k_count}, problem.bytes(), stream).ok());
  void* const graph = runtime.end_capture(stream);
  REQUIRE(graph != nullptr);
  CHECK(!*driver->is_capturing(stream));
  runtime.launch_graph(graph, stream);
  problem.check_result(stream);
  CHECK(driver->destroy_stream(stream).ok());
  runtime.set_current_device(0);
}

TEST_CASE("device.hip: too much memory is OUT_OF_MEMORY, freeing what was not allocated INVALID_ARGUMENT") {
  const auto driver = open("sim:mi355x");
  const auto refused = driver->allocate(std::size_t{1} << 50);
  REQUIRE(!refused);
  CHECK(refused.error().code == StatusCode::out_of_memory);
  int on_stack = 0;
  CHECK(driver->free(&on_stack).code == StatusCode::invalid_argument);
}

TEST_CASE("device.hip: a fault in a kernel is LAUNCH_FAILED, its place in the detail") {
  const auto driver = open("sim:mi355x");
  const SimulatedRuntime runtime;
  runtime.set_current_device(2);
  const auto module = load_vector_add(*driver);
  {
    VectorAdd problem(*driver);
    VectorAddArguments wrong = problem.arguments;
    wrong.b = static_cast<char*>(wrong.b) + (1 << 20); // far behind its allocation
    CHECK(driver->launch(*module, {1, k_count}, std::as_bytes(std::span(&wrong, 1)), nullptr).ok());
    const hk::Status status = driver->synchronize(nullptr);
    CHECK(status.code == StatusCode::launch_failed);
    CHECK(status.detail.find("vector_add") != std::string::npos);
    CHECK(status.detail.find("lane") != std::string::npos);
  }
  // Another device's failures are its own.
  int on_stack = 0;
  const hk::Status elsewhere = open("sim:mi300x")->free(&on_stack);
  CHECK(elsewhere.code == StatusCode::invalid_argument);
  CHECK(elsewhere.detail.find("vector_add") == std::string::npos);
  CHECK(elsewhere.message.find("device fault") == std::string::npos);
  CHECK(driver->wait_for_launches().code == StatusCode::launch_failed);
  // A device that is down says nothing about the code that it does not load.
  const auto not_loaded = driver->load(code_object("vector_add_gfx950_v5.co"), "vector_add");
  REQUIRE(!not_loaded);
  CHECK(not_loaded.error().code == StatusCode::launch_failed);
  runtime.reset_fault();
  CHECK(driver->wait_for_launches().ok());
  runtime.set_current_device(0);
}

TEST_CASE("device.hip: memory of another device is not freed") {
  const auto driver = open("sim:mi355x");
  const auto other = open("sim:mi300x");
  void* const foreign = *other->allocate(64);
  const hk::Status status = driver->free(foreign);
  CHECK(status.code == StatusCode::invalid_argument);
  CHECK(status.message.find("another device") != std::string::npos);
  CHECK(other->place_of(foreign) == PointerPlace::this_device);
  CHECK(other->free(foreign).ok());
}

TEST_CASE("device.hip: streams and events that are not alive are INVALID_ARGUMENT") {
  const auto driver = open("sim:mi355x");
  const auto module = load_vector_add(*driver);
  const VectorAdd problem(*driver);
  void* const stream = *driver->create_stream();
  void* const event = *driver->create_event();
  REQUIRE(driver->destroy_stream(stream).ok());
  const auto refused = [](const hk::Status& status) {
    INFO(status.message);
    CHECK(status.code == StatusCode::invalid_argument);
    CHECK(status.message.find("alive") != std::string::npos);
  };
  refused(driver->synchronize(stream));
  refused(driver->destroy_stream(stream));
  refused(driver->launch(*module, {1, k_count}, problem.bytes(), stream));
  refused(driver->copy(problem.arguments.a, problem.arguments.b, 4, stream));
  refused(driver->record(event, stream));
  refused(driver->is_capturing(stream).error());
  REQUIRE(driver->destroy_event(event).ok());
  refused(driver->record(event, nullptr));
  refused(driver->destroy_event(event));
  refused(driver->elapsed(event, event).error());
}

namespace {

// Takes its time and then says so.
void finish_late(void* finished) {
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  static_cast<std::atomic<bool>*>(finished)->store(true);
}

} // namespace

TEST_CASE("device.hip: the wait for launches includes every stream that had one, and captures elsewhere go on") {
  const auto driver = open("sim:mi355x");
  const auto other = open("sim:mi355x");
  const SimulatedRuntime runtime;
  const auto module = load_vector_add(*driver);
  const VectorAdd problem(*driver);
  void* const captured = *other->create_stream();
  void* const streams[] = {*driver->create_stream(), nullptr, *driver->create_stream()};
  std::atomic<bool> finished[3] = {};
  runtime.set_current_device(2);
  runtime.begin_capture(captured);
  for (int i = 0; i < 3; ++i) {
    runtime.launch_host_function(streams[i], finish_late, &finished[i]);
    CHECK(driver->launch(*module, {1, k_count}, problem.bytes(), streams[i]).ok());
  }
  const hk::Status waited = driver->wait_for_launches();
  CHECK_MESSAGE(waited.ok(), waited.message);
  for (const std::atomic<bool>& each : finished)
    CHECK(each.load());
  CHECK(runtime.end_capture(captured) != nullptr);
  CHECK(driver->destroy_stream(streams[0]).ok());
  CHECK(driver->destroy_stream(streams[2]).ok());
  CHECK(driver->wait_for_launches().ok()); // destroyed streams are no obstacle
  CHECK(other->destroy_stream(captured).ok());
  runtime.set_current_device(0);
}

TEST_CASE("device.hip: a launch into a capture is not waited for but refused, and the capture stays whole") {
  const auto driver = open("sim:mi355x");
  const SimulatedRuntime runtime;
  const auto module = load_vector_add(*driver);
  const VectorAdd problem(*driver);
  runtime.set_current_device(2);
  void* const own = *driver->create_stream();
  void* const blocking = runtime.create_blocking_stream();
  const auto refused = [&](void* captured, void* launched_on) {
    runtime.begin_capture(captured);
    if (launched_on == captured)
      CHECK(driver->launch(*module, {1, k_count}, problem.bytes(), captured).ok());
    const hk::Status status = driver->wait_for_launches();
    CHECK(status.code == StatusCode::invalid_argument);
    CHECK(status.message.find("end the capture") != std::string::npos);
    CHECK(runtime.end_capture(captured) != nullptr);
    CHECK(driver->wait_for_launches().ok());
  };
  SUBCASE("on its own stream") {
    refused(own, own);
  }
  SUBCASE("on a stream for which the default stream waits") {
    CHECK(driver->launch(*module, {1, k_count}, problem.bytes(), nullptr).ok());
    refused(blocking, nullptr);
  }
  runtime.destroy_stream(blocking);
  CHECK(driver->destroy_stream(own).ok());
  runtime.set_current_device(0);
}

TEST_SUITE_END();
