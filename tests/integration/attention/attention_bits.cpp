// Runs a few fixed problems on HK_DEVICE and writes the bits of their outputs to standard output. A test compares what
// processes with different HK_SIM_SCHEDULE write: the seed is read when a process first uses the simulator.

#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>

#include "device_run.h"
#include "inputs.h"
#include "rotation.h"

using namespace hk;
using namespace hk::test;

namespace {

template <typename Element>
void write_bits(const Tensor<Element>& tensor) {
  for (const Element bits : tensor.dense())
    std::printf("%x\n", static_cast<unsigned>(bits));
}

} // namespace

TEST_CASE("bits") {
  const Context context = open_context();
  for (const std::int64_t head_dim : k_head_dims) {
    for (const auto& [seq_q, seq_k] : {std::pair{7, 257}, std::pair{257, 300}}) {
      Problem problem(rotated_shape(head_dim, HK_MASK_CAUSAL_BOTTOM_RIGHT, seq_q, seq_k, turn_of_device()));
      fill(problem, Input::deviation8);
      run(context, problem);
      write_bits(problem.o);
      write_bits(problem.lse);
    }
  }
}

int main() {
  doctest::Context tests;
  tests.setOption("minimal", true); // nothing but the bits, unless something fails
  return tests.run();
}
