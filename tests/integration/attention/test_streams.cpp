// Order and repetition: the same bits each time and under every schedule of the machine, several threads, streams that
// depend on each other, graphs.

#include <doctest/doctest.h>

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/subprocess.h"
#include "device_run.h"
#include "inputs.h"
#include "rotation.h"
#include "unit/base/scratch_folder.h"
#include "unit/device/simulated_runtime.h"
#include "verdict.h"

using namespace hk;
using namespace hk::test;

namespace {

Shape shape_with(std::int64_t head_dim, hk_mask mask, std::int64_t seq_q, std::int64_t seq_k) {
  Shape shape = rotated_shape(head_dim, mask, seq_q, seq_k, turn_of_device());
  shape.batch = 1;
  shape.heads_q = 4;
  shape.heads_kv = 2;
  return shape;
}

// What attention_bits writes in a process of its own.
std::string bits_under_schedule(const ScratchFolder& scratch, int seed) {
  const std::string path = scratch / ("bits-" + std::to_string(seed));
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  REQUIRE(file >= 0);
  base::SubprocessOptions options;
  options.program = HK_ATTENTION_BITS;
  options.environment = {"HK_DEVICE=" + device_under_test(), std::string("HK_CACHE_DIR=") + kernel_folder(),
                         "HK_SIM_SCHEDULE=" + std::to_string(seed)};
  if (const char* library_path = std::getenv("LD_LIBRARY_PATH"))
    options.environment.push_back(std::string("LD_LIBRARY_PATH=") + library_path);
  options.descriptors = {-1, file, STDERR_FILENO};
  auto process = base::Subprocess::start(options);
  ::close(file);
  REQUIRE_MESSAGE(process, process.error().message);
  const auto status = process->wait_until(base::Subprocess::Clock::now() + std::chrono::seconds(120));
  REQUIRE(status.has_value());
  CHECK_MESSAGE(status->success(), status->text());
  return read_text(path);
}

} // namespace

TEST_SUITE_BEGIN("streams");

TEST_CASE("streams: the same bits in a second run and in another context") {
  for (const std::int64_t head_dim : k_head_dims) {
    for (const hk_mask mask : k_masks) {
      Problem first(shape_with(head_dim, mask, 129, 257));
      fill(first, Input::deviation8);
      Problem again = first;
      Problem elsewhere = first;
      {
        const Context context = open_context();
        run(context, first);
        run(context, again);
      }
      run(open_context(), elsewhere);
      check_same_bits(first, again);
      check_same_bits(first, elsewhere);
    }
  }
}

TEST_CASE("streams: the same bits under every schedule of waves, workgroups and memory") {
  const ScratchFolder scratch;
  const std::string in_order = bits_under_schedule(scratch, 0);
  CHECK(in_order.size() > 100000);
  for (int seed = 1; seed <= 5; ++seed) {
    CAPTURE(seed);
    CHECK(bits_under_schedule(scratch, seed) == in_order);
  }
}

TEST_CASE("streams: two threads on one context, each with problems of its own") {
  const Context context = open_context();
  std::vector<Problem> problems;
  for (const auto& [seq_q, seq_k] : {std::pair{7, 65}, std::pair{129, 64}, std::pair{300, 129}, std::pair{1, 300}}) {
    problems.emplace_back(shape_with(64, HK_MASK_CAUSAL_BOTTOM_RIGHT, seq_q, seq_k));
    fill(problems.back(), Input::normal, problems.size());
  }
  std::vector<Problem> expected = problems;
  for (Problem& problem : expected) {
    run(context, problem);
    check_against_reference(problem);
  }
  // A fresh context: both threads meet kernels that are not loaded.
  const Context fresh = open_context();
  std::vector<std::vector<Problem>> results(2, problems);
  std::vector<int> failures(2, 0);
  const auto work = [&](std::size_t thread) {
    try {
      const Stream stream(fresh);
      for (int round = 0; round < 5; ++round) {
        for (std::size_t n = 0; n < problems.size(); ++n) {
          Problem& problem = results[thread][(n + 2 * thread) % problems.size()];
          DeviceProblem on_device(fresh, problem);
          fresh.attention(on_device.args(), stream.get());
          on_device.fetch(stream.get());
        }
      }
    } catch (const Error&) {
      ++failures[thread];
    }
  };
  std::thread other(work, 1);
  work(0);
  other.join();
  CHECK(failures == std::vector<int>{0, 0});
  for (const std::vector<Problem>& of_thread : results) {
    for (std::size_t n = 0; n < problems.size(); ++n)
      check_same_bits(expected[n], of_thread[n]);
  }
}

TEST_CASE("K4: a call waits for what its stream was given before") {
  const Context context = open_context();
  const Stream stream(context);
  // The output of the first call is the query of the second, with no wait between them.
  Problem first(shape_with(64, HK_MASK_NONE, 129, 300));
  fill(first, Input::normal);
  Problem second = first;
  DeviceProblem first_on_device(context, first);
  DeviceProblem second_on_device(context, second);
  hk_attention_args chained = second_on_device.args();
  chained.q = first_on_device.args().o;
  context.attention(first_on_device.args(), stream.get());
  context.attention(chained, stream.get());
  second_on_device.fetch(stream.get());
  first_on_device.fetch(stream.get());
  second.q = first.o;
  check_against_reference(second);
}

TEST_SUITE_END();

TEST_SUITE_BEGIN("graphs");

TEST_CASE("graphs: a prepared call is captured, and each launch of the graph runs it anew") {
  const Context context = open_context();
  const SimulatedRuntime runtime;
  const Stream stream(context);
  Problem problem(shape_with(64, HK_MASK_CAUSAL_BOTTOM_RIGHT, 129, 257));
  fill(problem, Input::normal);
  Problem expected = problem;
  run(context, expected);
  DeviceProblem on_device(context, problem);
  const hk_attention_args args = on_device.args();
  context.prepare(args);
  runtime.begin_capture(stream.get());
  context.attention(args, stream.get());
  void* const graph = runtime.end_capture(stream.get());
  REQUIRE(graph != nullptr);
  on_device.fetch(stream.get());
  CHECK(problem.o.at(0, 0, 0, 0) == k_nan_bits); // captured, not run
  runtime.launch_graph(graph, stream.get());
  on_device.fetch(stream.get());
  check_same_bits(expected, problem);
}

TEST_CASE("graphs: a call that is not prepared is NOT_PREPARED, and the capture stays valid") {
  const Context context = open_context();
  const SimulatedRuntime runtime;
  const Stream stream(context);
  Problem prepared(shape_with(64, HK_MASK_NONE, 129, 65));
  Problem unprepared(shape_with(128, HK_MASK_CAUSAL_TOP_LEFT, 129, 65));
  fill(prepared, Input::normal);
  fill(unprepared, Input::normal);
  DeviceProblem prepared_on_device(context, prepared);
  DeviceProblem unprepared_on_device(context, unprepared);
  context.prepare(prepared_on_device.args());
  const hk_attention_args refused = unprepared_on_device.args();
  const hk_attention_args args = prepared_on_device.args();
  runtime.begin_capture(stream.get());
  CHECK(hk_attention(context.get(), &refused, nullptr, 0, stream.get()) == HK_STATUS_NOT_PREPARED);
  CHECK(std::string(hk_last_error_message()).find("hk_attention_prepare") != std::string::npos);
  CHECK(hk_attention(context.get(), &args, nullptr, 0, stream.get()) == HK_STATUS_SUCCESS);
  void* const graph = runtime.end_capture(stream.get());
  REQUIRE(graph != nullptr);
  runtime.launch_graph(graph, stream.get());
  prepared_on_device.fetch(stream.get());
  check_against_reference(prepared);
  unprepared_on_device.fetch(stream.get());
  for (const std::uint16_t bits : unprepared.o.dense())
    REQUIRE(bits == k_nan_bits);
}

TEST_SUITE_END();

TEST_SUITE_BEGIN("schedule");

// Under whatever HK_SIM_SCHEDULE says.
TEST_CASE("schedule: results stay right") {
  const Context context = open_context();
  for (const std::int64_t head_dim : k_head_dims) {
    for (const hk_mask mask : k_masks) {
      for (const auto& [seq_q, seq_k] : {std::pair{1, 300}, std::pair{129, 257}}) {
        Problem problem(shape_with(head_dim, mask, seq_q, seq_k));
        fill(problem, Input::deviation8);
        run(context, problem);
        check_against_reference(problem);
      }
    }
  }
}

TEST_SUITE_END();
