// Exact kernels, which know lengths and head ratio when they are compiled, on a sample drawn by a seed; and that calls
// leave alone what belongs to the host program.

#include <doctest/doctest.h>

#include <random>
#include <string>

#include "device_run.h"
#include "inputs.h"
#include "rotation.h"
#include "unit/device/simulated_runtime.h"
#include "verdict.h"

using namespace hk;
using namespace hk::test;

namespace {

constexpr int k_samples = 5; // each compiles a kernel

template <typename Values>
auto draw(std::mt19937_64& random, const Values& values) {
  return values[random() % values.size()];
}

Shape drawn_shape(std::mt19937_64& random) {
  Shape shape;
  shape.dtype = draw(random, k_dtypes);
  shape.head_dim = draw(random, k_head_dims);
  shape.mask = draw(random, k_masks);
  const Heads heads = draw(random, k_heads);
  shape.heads_q = heads.q;
  shape.heads_kv = heads.kv;
  shape.seq_q = draw(random, k_lengths);
  shape.seq_k = draw(random, k_lengths);
  shape.want_lse = random() % 2 == 0;
  return shape;
}

// The symbol alone: the text also names the size class that the kernel's configuration was decided for.
std::string kernel_in(const std::string& description) {
  const std::string member = "\"kernel\":\"";
  const std::size_t begin = description.find(member);
  REQUIRE(begin != std::string::npos);
  return description.substr(begin + member.size(),
                            description.find('"', begin + member.size()) - begin - member.size());
}

} // namespace

TEST_SUITE_BEGIN("exact_kernels");

TEST_CASE("exact kernels: a sample is as right as the family kernels") {
  const Context context = open_context(HK_SPECIALIZE_EXACT);
  std::mt19937_64 random(20 + static_cast<std::uint64_t>(turn_of_device()));
  for (int n = 0; n < k_samples; ++n) {
    Arrangement arrangement;
    arrangement.surround.offset = random() % 4 == 0 ? 1 : 0;
    const Shape shape = drawn_shape(random);
    INFO(shape.text());
    Problem problem(shape, arrangement);
    const std::string description = context.describe(problem.args());
    CHECK(description.find("exact kernel") != std::string::npos);
    const std::string kernel = kernel_in(description);
    CHECK((kernel.find("_gqa" + std::to_string(shape.heads_q / shape.heads_kv)) != std::string::npos));
    // Decode kernels take any length.
    const bool fixed = kernel.find("_q" + std::to_string(shape.seq_q) + "_k") != std::string::npos;
    CHECK(fixed == (shape.seq_q > 16));
    fill(problem, Input::deviation8, static_cast<std::uint64_t>(n));
    run(context, problem);
    check_against_reference(problem);
  }
}

TEST_SUITE_END();

TEST_SUITE_BEGIN("host_state");

TEST_CASE("K1, K2: the thread's current device is neither used nor changed") {
  const Context context = open_context();
  const SimulatedRuntime runtime;
  for (const int current : {0, 1, 2}) {
    runtime.set_current_device(current);
    Problem problem(rotated_shape(64, HK_MASK_NONE, 7, 7, turn_of_device()));
    fill(problem, Input::normal);
    run(context, problem);
    check_against_reference(problem);
    CHECK(runtime.current_device() == current);
  }
  runtime.set_current_device(0);
}

TEST_CASE("K14d: an error that the host program made earlier is not blamed on a call, and is still there after it") {
  const Context context = open_context();
  const SimulatedRuntime runtime;
  Problem problem(rotated_shape(64, HK_MASK_NONE, 7, 7, turn_of_device()));
  fill(problem, Input::normal);
  DeviceProblem on_device(context, problem);
  const hk_attention_args args = on_device.args();
  static_cast<void>(runtime.last_error());
  const int not_device_memory = 0;
  const int refused = runtime.free(&not_device_memory);
  CHECK(refused != 0);
  CHECK(hk_attention(context.get(), &args, nullptr, 0, nullptr) == HK_STATUS_SUCCESS);
  CHECK(runtime.last_error() == refused);
  on_device.fetch();
  check_against_reference(problem);
}

TEST_SUITE_END();
