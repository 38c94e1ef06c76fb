#include "attention_check.h"

#include <cmath>
#include <doctest/doctest.h>

namespace hk::test {

namespace {

/// Bound on the error of a log-sum-exp in fp32: a dot product of d terms errs by at most d u sum|q k|, the sum of n
/// terms by n u, and the last operations by a few u of their result (u = 2^-24; Higham, Accuracy and Stability of
/// Numerical Algorithms, chapter 3).
double lse_bound(const Shape& shape, double magnitude, double lse) {
  const double u = std::ldexp(1.0, -24);
  return u * ((shape.head_dim + 8) * magnitude + shape.seq_k + 16 + 8 * std::fabs(lse));
}

} // namespace

void check_outputs(const Problem& problem, const Expected& expected) {
  const Shape& shape = problem.shape;
  double error = 0.0;
  std::size_t not_numbers = 0, bad_lse = 0, i = 0, row = 0;
  for (int b = 0; b < shape.batch; ++b) {
    for (int h = 0; h < shape.heads_q; ++h) {
      for (int r = 0; r < shape.seq_q; ++r, ++row) {
        for (int c = 0; c < shape.head_dim; ++c, ++i) {
          const double got = widen(shape.element, problem.o.at(b, h, r, c));
          not_numbers += std::isnan(got);
          error = std::fmax(error, std::fabs(got - expected.o[i]));
        }
        const double lse = problem.lse_at(b, h, r);
        const double wanted = expected.lse[row];
        const bool right = std::isinf(wanted)
                               ? lse == wanted
                               : std::fabs(lse - wanted) <= lse_bound(shape, expected.logit_magnitude[row], wanted);
        bad_lse += !right;
      }
    }
  }
  CHECK(not_numbers == 0);
  CHECK(error <= 2.0 * expected.low_precision_error + 2.0 * ulp_at(shape.element, expected.scale));
  CHECK(bad_lse == 0);
  CHECK(problem.o.damaged_guards() == 0);
  CHECK(problem.damaged_lse_guards() == 0);
}

void run_and_check(Problem& problem, const KernelChoice& choice) {
  const std::string what = problem.shape.text() + ", " + choice.text();
  INFO(what);
  spoil_outputs(problem);
  const Kernel kernel = find_kernel(problem.shape, choice);
  REQUIRE(kernel != nullptr);
  kernel(problem.arguments());
  check_outputs(problem, expected_attention(problem));
}

} // namespace hk::test
