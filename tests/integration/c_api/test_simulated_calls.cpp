// The C API over the simulated GPU with the real compiler: places of pointers, captures, threads, contexts.
#include <doctest/doctest.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "hk/hk.hpp"
#include "simulated_runtime.h"

TEST_SUITE_BEGIN("c_api");

using hk::Context;
using hk::DeviceArray;
using hk::Stream;
using hk::test::SimulatedRuntime;

namespace {

using Array = DeviceArray<std::uint16_t>;

constexpr std::uint16_t k_one = 0x3f80; // of bfloat16
constexpr int k_third_device = 2;       // sim:mi355x

// Attention whose output is known: all queries and keys zero, all values one, so every output is one.
class Ones {
 public:
  explicit Ones(const Context& context, std::int64_t rows = 64, std::int64_t head_dim = 64)
      : m_count(static_cast<std::size_t>(rows * head_dim)), m_zeros(context, std::vector<std::uint16_t>(m_count, 0)),
        m_ones(context, std::vector<std::uint16_t>(m_count, k_one)),
        m_output(context, std::vector<std::uint16_t>(m_count, 0)) {
    args.batch = args.heads_q = args.heads_kv = 1;
    args.seq_q = args.seq_k = rows;
    args.head_dim = head_dim;
    const auto dense = [&](const Array& array) {
      return hk_tensor{array.data(), HK_DTYPE_BFLOAT16, 0, rows * head_dim, rows * head_dim, head_dim};
    };
    args.q = args.k = dense(m_zeros);
    args.v = dense(m_ones);
    args.o = dense(m_output);
  }

  // Whether every output is the expected number; sets them to zero again.
  bool take_result(void* stream = nullptr) {
    std::vector<std::uint16_t> result(m_count);
    m_output.download(result, stream);
    m_output.upload(std::vector<std::uint16_t>(m_count, 0), stream);
    return result == std::vector<std::uint16_t>(m_count, k_one);
  }

  hk_attention_args args = HK_ATTENTION_ARGS_INIT;

 private:
  std::size_t m_count;
  Array m_zeros;
  Array m_ones;
  Array m_output;
};

hk_status call(const Context& context, const hk_attention_args& args, void* stream = nullptr) {
  return hk_attention(context.get(), &args, nullptr, 0, stream);
}

bool message_has(const char* text) {
  return std::string(hk_last_error_message()).find(text) != std::string::npos;
}

} // namespace

TEST_CASE("c_api.simulated: pointers of the host and of another device are refused by name, nothing is written") {
  const Context context("sim:mi355x");
  const Context other("sim:mi300x");
  Ones ones(context);
  const Ones foreign(other);
  std::vector<std::uint16_t> host(64 * 64, 7);
  const std::pair<const char*, hk_tensor hk_attention_args::*> tensors[] = {{"q.data", &hk_attention_args::q},
                                                                            {"k.data", &hk_attention_args::k},
                                                                            {"v.data", &hk_attention_args::v},
                                                                            {"o.data", &hk_attention_args::o}};
  for (const auto& [name, tensor] : tensors) {
    hk_attention_args args = ones.args;
    (args.*tensor).data = host.data();
    CHECK(call(context, args) == HK_STATUS_INVALID_ARGUMENT);
    CHECK(message_has(name));
    CHECK(message_has("not device memory"));
    (args.*tensor).data = (foreign.args.*tensor).data;
    CHECK(call(context, args) == HK_STATUS_INVALID_ARGUMENT);
    CHECK(message_has(name));
    CHECK(message_has("another device"));
  }
  CHECK(host == std::vector<std::uint16_t>(64 * 64, 7));
  CHECK(context.statistics().launches == 0);
}

TEST_CASE("c_api.simulated: capture refuses an unprepared call, stays valid, and replays a prepared one") {
  const Context context("sim:mi355x");
  const SimulatedRuntime runtime;
  Ones ones(context);
  Ones unprepared(context, 48);
  context.prepare(ones.args);
  const Stream stream(context);
  runtime.set_current_device(k_third_device);
  runtime.begin_capture(stream.get());
  CHECK(call(context, unprepared.args, stream.get()) == HK_STATUS_NOT_PREPARED);
  CHECK(message_has("hk_attention_prepare"));
  CHECK(call(context, ones.args, stream.get()) == HK_STATUS_SUCCESS);
  void* const graph = runtime.end_capture(stream.get());
  REQUIRE(graph != nullptr);
  CHECK(!ones.take_result()); // captured, not run
  runtime.launch_graph(graph, stream.get());
  CHECK(ones.take_result());
  runtime.set_current_device(0);
}

TEST_CASE("c_api.simulated: the thread's current device is neither used nor changed") {
  const SimulatedRuntime runtime;
  const Context context("sim:mi355x");
  for (const int current : {0, 1, 2}) {
    runtime.set_current_device(current);
    Ones ones(context);
    CHECK(call(context, ones.args) == HK_STATUS_SUCCESS);
    CHECK(ones.take_result());
    CHECK(runtime.current_device() == current);
  }
  runtime.set_current_device(0);
}

TEST_CASE("c_api.simulated: threads share a context, each on its own stream; one kernel is compiled once") {
  const Context context("sim:mi300x");
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      const Stream stream(context);
      Ones ones(context);
      for (int n = 0; n < 3; ++n)
        if (call(context, ones.args, stream.get()) == HK_STATUS_SUCCESS && ones.take_result(stream.get()))
          ++right;
    });
  for (std::thread& thread : threads)
    thread.join();
  CHECK(right == 12);
  CHECK(context.statistics().compiles + context.statistics().disk_hits == 1);
  CHECK(context.statistics().launches == 12);
}

TEST_CASE("c_api.simulated: destroying a context waits for its work before it unloads the kernels") {
  const Context owner("sim:mi300x"); // of the memory, which outlives the context under test
  Ones ones(owner, 512);
  hk_context_options options = HK_CONTEXT_OPTIONS_INIT;
  options.device = "sim:mi300x";
  hk_context* context = nullptr;
  void* stream = nullptr;
  REQUIRE(hk_context_create(&options, &context) == HK_STATUS_SUCCESS);
  REQUIRE(hk_stream_create(context, &stream) == HK_STATUS_SUCCESS);
  REQUIRE(hk_attention(context, &ones.args, nullptr, 0, stream) == HK_STATUS_SUCCESS);
  REQUIRE(hk_context_destroy(context) == HK_STATUS_SUCCESS);
  CHECK(ones.take_result());
}

TEST_CASE("c_api.simulated: destroying a context leaves another context's capture whole") {
  const Context owner("sim:mi300x");
  const SimulatedRuntime runtime;
  Ones ones(owner);
  owner.prepare(ones.args);
  const Stream captured(owner);
  hk_context_options options = HK_CONTEXT_OPTIONS_INIT;
  options.device = "sim:mi300x";
  hk_context* context = nullptr;
  void* stream = nullptr;
  REQUIRE(hk_context_create(&options, &context) == HK_STATUS_SUCCESS);
  REQUIRE(hk_stream_create(context, &stream) == HK_STATUS_SUCCESS);
  REQUIRE(hk_attention(context, &ones.args, nullptr, 0, stream) == HK_STATUS_SUCCESS);
  runtime.begin_capture(captured.get());
  CHECK(call(owner, ones.args, captured.get()) == HK_STATUS_SUCCESS);
  CHECK(hk_context_destroy(context) == HK_STATUS_SUCCESS);
  void* const graph = runtime.end_capture(captured.get());
  REQUIRE(graph != nullptr);
  CHECK(ones.take_result());
  runtime.launch_graph(graph, captured.get());
  CHECK(ones.take_result());
}

TEST_CASE("c_api.simulated: a context whose stream is being captured is not destroyed, and works on") {
  const Context owner("sim:mi300x");
  const SimulatedRuntime runtime;
  Ones ones(owner);
  hk_context_options options = HK_CONTEXT_OPTIONS_INIT;
  options.device = "sim:mi300x";
  hk_context* context = nullptr;
  void* stream = nullptr;
  REQUIRE(hk_context_create(&options, &context) == HK_STATUS_SUCCESS);
  REQUIRE(hk_stream_create(context, &stream) == HK_STATUS_SUCCESS);
  REQUIRE(hk_attention_prepare(context, &ones.args) == HK_STATUS_SUCCESS);
  runtime.begin_capture(stream);
  CHECK(hk_attention(context, &ones.args, nullptr, 0, stream) == HK_STATUS_SUCCESS);
  CHECK(hk_context_destroy(context) == HK_STATUS_INVALID_ARGUMENT);
  CHECK(message_has("end the capture"));
  void* const graph = runtime.end_capture(stream);
  REQUIRE(graph != nullptr);
  runtime.launch_graph(graph, stream);
  CHECK(ones.take_result(stream));
  CHECK(hk_context_destroy(context) == HK_STATUS_SUCCESS);
}

TEST_CASE("c_api.simulated: memory of another device is not freed; a stream that is none is INVALID_ARGUMENT") {
  const Context context("sim:mi355x");
  const Context other("sim:mi300x");
  void* pointer = nullptr;
  REQUIRE(hk_memory_allocate(other.get(), 64, &pointer) == HK_STATUS_SUCCESS);
  CHECK(hk_memory_free(context.get(), pointer) == HK_STATUS_INVALID_ARGUMENT);
  CHECK(message_has("another device"));
  CHECK(hk_memory_free(other.get(), pointer) == HK_STATUS_SUCCESS);
  Ones ones(context);
  int no_stream = 0;
  CHECK(call(context, ones.args, &no_stream) == HK_STATUS_INVALID_ARGUMENT);
  CHECK(hk_stream_synchronize(context.get(), &no_stream) == HK_STATUS_INVALID_ARGUMENT);
  CHECK(message_has("alive"));
}

TEST_CASE("c_api.simulated: copying from an address that is no memory is refused") {
  const Context context("sim:mi355x");
  const Array array(context, std::size_t{64});
  std::uint16_t* const past_the_end = array.data() + (std::size_t{1} << 30);
  std::uint16_t value = 0;
  const hk_status status = hk_memory_copy(context.get(), &value, past_the_end, sizeof(value), nullptr);
  CHECK(status != HK_STATUS_SUCCESS);
  CHECK(*hk_last_error_message() != '\0');
}

TEST_SUITE_END();
