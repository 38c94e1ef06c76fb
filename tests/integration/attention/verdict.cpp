#include "verdict.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace hk::test {
namespace {

constexpr double k_infinity = std::numeric_limits<double>::infinity();

// Infinity if one of them is NaN: NaN would pass through std::max.
double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = std::abs(a[i] - b[i]);
    largest = std::isnan(difference) ? k_infinity : std::max(largest, difference);
  }
  return largest;
}

struct Reference {
  std::vector<double> o;
  std::vector<double> lse;
};

Reference reference_of(Problem& problem, hk_reference_precision precision) {
  const Sizes sizes = problem.shape.query_sizes();
  const auto rows = static_cast<std::size_t>(sizes.batch * sizes.heads * sizes.rows);
  Reference reference{std::vector<double>(rows * static_cast<std::size_t>(sizes.columns)), std::vector<double>(rows)};
  const hk_attention_args args = problem.host_args();
  REQUIRE(hk_attention_reference(&args, precision, reference.o.data(), reference.lse.data()) == HK_STATUS_SUCCESS);
  return reference;
}

void check_output(const Problem& problem, const Reference& exact, const Reference& low_precision) {
  std::vector<double> computed;
  for (const std::uint16_t bits : problem.o.dense())
    computed.push_back(widen(problem.shape.dtype, bits));
  double scale = 0;
  for (const double value : exact.o)
    scale = std::max(scale, std::abs(value));
  const double bound = 2 * largest_difference(low_precision.o, exact.o) + 2 * ulp_at(problem.shape.dtype, scale);
  CHECK(largest_difference(computed, exact.o) <= bound);
}

void check_log_sums(const Problem& problem, const Reference& exact) {
  const std::int64_t columns = problem.shape.head_dim;
  const std::vector<std::uint16_t> outputs = problem.o.dense();
  std::size_t wrong = 0;
  std::size_t rows_that_see_nothing_wrong = 0;
  std::size_t row = 0;
  for (std::int64_t b = 0; b < problem.shape.batch; ++b) {
    for (std::int64_t h = 0; h < problem.shape.heads_q; ++h) {
      for (std::int64_t i = 0; i < problem.shape.seq_q; ++i, ++row) {
        const double expected = exact.lse[row];
        const double found = static_cast<double>(problem.log_sum(b, h, i));
        if (expected == -k_infinity) {
          const auto first = outputs.begin() + static_cast<std::ptrdiff_t>(row) * columns;
          const bool zero = std::all_of(first, first + columns, [](std::uint16_t bits) { return bits == 0; });
          rows_that_see_nothing_wrong += !zero || (problem.shape.want_lse && found != expected) ? 1 : 0;
        } else if (problem.shape.want_lse) {
          wrong += std::abs(found - expected) <= 1e-3 + 1e-5 * std::abs(expected) ? 0 : 1; // NaN is wrong
        }
      }
    }
  }
  CHECK(wrong == 0);
  CHECK(rows_that_see_nothing_wrong == 0);
}

} // namespace

void check_against_reference(Problem& problem) {
  INFO(problem.shape.text());
  const Reference exact = reference_of(problem, HK_REFERENCE_FP64);
  check_output(problem, exact, reference_of(problem, HK_REFERENCE_INPUT_TYPE));
  check_log_sums(problem, exact);
  if (!problem.shape.want_lse) {
    const std::vector<std::uint32_t> untouched = problem.lse.dense();
    CHECK(std::all_of(untouched.begin(), untouched.end(),
                      [](std::uint32_t bits) { return bits == Tensor<std::uint32_t>::k_guard; }));
  }
}

void check_same_bits(const Problem& a, const Problem& b) {
  INFO(a.shape.text());
  CHECK(a.o.dense() == b.o.dense());
  if (a.shape.want_lse && b.shape.want_lse)
    CHECK(a.lse.dense() == b.lse.dense());
}

} // namespace hk::test
