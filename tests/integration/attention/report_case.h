#pragma once
// What the tests of public bug reports share. Their names begin with the report's row: "A1: decode sees every key".

#include <cstdint>

#include "device_run.h"
#include "inputs.h"
#include "rotation.h"
#include "verdict.h"

namespace hk::test {

// One batch; kernels of the shape tests.
inline Shape report_shape(std::int64_t head_dim, hk_mask mask, std::int64_t seq_q, std::int64_t seq_k,
                          Heads heads = {1, 1}) {
  Shape shape = rotated_shape(head_dim, mask, seq_q, seq_k, turn_of_device());
  shape.batch = 1;
  shape.heads_q = heads.q;
  shape.heads_kv = heads.kv;
  shape.want_lse = true;
  return shape;
}

// q = k = 0 and v[j] = j, so that O is the mean index of the keys that a row sees and LSE ln of their number.
inline Problem run_uniform(const Context& context, const Shape& shape) {
  Problem problem(shape);
  fill(problem, Input::zero_qk);
  run(context, problem);
  return problem;
}

} // namespace hk::test
