#pragma once
// Whether outputs are right.

#include "problem.h"

namespace hk::test {

// The rule of the project: the largest error against fp64 is at most 2 P + 2 ulp of the element type at the largest
// output, P being the error of an honest implementation in that type. LSE: within 1e-3 + 1e-5 |lse|, -infinity exactly
// where no key is seen, where O must be +0. Without want_lse the lse buffer must be untouched.
void check_against_reference(Problem& problem);

// The same bits in both outputs.
void check_same_bits(const Problem& a, const Problem& b);

} // namespace hk::test
