// hk_attention_reference against attention written down naively: no device, no kernel.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "inputs.h"
#include "naive_reference.h"
#include "problem.h"
#include "rotation.h"

using namespace hk::test;

namespace {

ReferenceResult library_reference(Problem& problem, hk_reference_precision precision) {
  const Sizes sizes = problem.shape.query_sizes();
  const auto rows = static_cast<std::size_t>(sizes.batch * sizes.heads * sizes.rows);
  ReferenceResult result{std::vector<double>(rows * static_cast<std::size_t>(sizes.columns), NAN),
                         std::vector<double>(rows, NAN)};
  const hk_attention_args args = problem.host_args();
  REQUIRE(hk_attention_reference(&args, precision, result.o.data(), result.lse.data()) == HK_STATUS_SUCCESS);
  return result;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const bool equal = a[i] == b[i]; // infinities
    const double difference = equal ? 0 : std::abs(a[i] - b[i]);
    REQUIRE_FALSE(std::isnan(difference));
    largest = std::max(largest, difference);
  }
  return largest;
}

Shape shape_of(hk_mask mask, hk_dtype dtype, std::int64_t seq_q, std::int64_t seq_k) {
  Shape shape;
  shape.dtype = dtype;
  shape.head_dim = mask == HK_MASK_NONE ? 128 : 64;
  shape.mask = mask;
  shape.batch = 2;
  shape.heads_q = 6;
  shape.heads_kv = 2;
  shape.seq_q = seq_q;
  shape.seq_k = seq_k;
  return shape;
}

template <typename Check>
void for_small_problems(Check&& check) {
  for (const hk_mask mask : k_masks) {
    for (const hk_dtype dtype : k_dtypes) {
      for (const auto& [seq_q, seq_k] :
           {std::pair{1, 7}, std::pair{7, 1}, std::pair{20, 33}, std::pair{33, 20}, std::pair{5, 0}}) {
        for (const Input input : {Input::normal, Input::deviation8, Input::peaked}) {
          Arrangement arrangement;
          arrangement.q = Layout::batch_row_head;
          arrangement.v = Layout::row_batch_head;
          arrangement.row_padding = 3;
          Problem problem(shape_of(mask, dtype, seq_q, seq_k), arrangement);
          fill(problem, input);
          INFO(problem.shape.text());
          check(problem);
        }
      }
    }
  }
}

} // namespace

TEST_SUITE_BEGIN("naive_reference");

TEST_CASE("naive reference: fp64 agrees to rounding of double") {
  for_small_problems([](Problem& problem) {
    const ReferenceResult naive = naive_fp64(problem);
    const ReferenceResult library = library_reference(problem, HK_REFERENCE_FP64);
    CHECK(largest_difference(naive.o, library.o) < 1e-12);
    CHECK(largest_difference(naive.lse, library.lse) < 1e-11);
  });
}

TEST_CASE("naive reference: the error P of an honest implementation is not made larger than it is") {
  for_small_problems([](Problem& problem) {
    const ReferenceResult exact = naive_fp64(problem);
    const double naive = largest_difference(naive_input_type(problem).o, exact.o);
    const double library = largest_difference(library_reference(problem, HK_REFERENCE_INPUT_TYPE).o, exact.o);
    // Sums in another order can flip single roundings, no more.
    CHECK(library <= 1.25 * naive);
    CHECK(naive <= 1.25 * library);
  });
}

TEST_CASE("naive reference: values known without any reference") {
  // q = k = 0: every visible key has the same weight, so O is the mean of the visible indices and LSE ln(count).
  Shape shape = shape_of(HK_MASK_CAUSAL_BOTTOM_RIGHT, HK_DTYPE_BFLOAT16, 3, 7);
  Problem problem(shape);
  fill(problem, Input::zero_qk);
  for (const ReferenceResult& result : {naive_fp64(problem), library_reference(problem, HK_REFERENCE_FP64)}) {
    for (std::size_t row = 0; row < 3; ++row) {
      const double count = 5 + static_cast<double>(row);
      CHECK(result.o[row * 64] == doctest::Approx((count - 1) / 2).epsilon(1e-14));
      CHECK(result.lse[row] == doctest::Approx(std::log(count)).epsilon(1e-14));
    }
  }
}

TEST_CASE("naive reference: element types of these tests, by hand") {
  CHECK(widen(HK_DTYPE_BFLOAT16, 0x3f80) == 1.0);
  CHECK(widen(HK_DTYPE_BFLOAT16, 0xc2f7) == -123.5);
  CHECK(widen(HK_DTYPE_FLOAT16, 0x3c00) == 1.0);
  CHECK(widen(HK_DTYPE_FLOAT16, 0x0001) == std::ldexp(1.0, -24));
  CHECK(widen(HK_DTYPE_FLOAT16, 0x7bff) == 65504);
  CHECK(std::isinf(widen(HK_DTYPE_FLOAT16, 0x7c00)));
  CHECK(std::isnan(widen(HK_DTYPE_FLOAT16, 0x7fff)));
  CHECK(std::isnan(widen(HK_DTYPE_BFLOAT16, 0x7fff)));
  CHECK(narrow(HK_DTYPE_BFLOAT16, 1.00390625) == 0x3f80); // half way, to even
  CHECK(narrow(HK_DTYPE_BFLOAT16, 1.01171875) == 0x3f82); // half way, to even
  CHECK(narrow(HK_DTYPE_BFLOAT16, 1.99999) == 0x4000);    // carry into the exponent
  CHECK(narrow(HK_DTYPE_FLOAT16, 65519.0) == 0x7bff);
  CHECK(narrow(HK_DTYPE_FLOAT16, 65520.0) == 0x7c00);
  CHECK(narrow(HK_DTYPE_FLOAT16, -std::ldexp(1.0, -24)) == 0x8001);
  CHECK(ulp_at(HK_DTYPE_BFLOAT16, 1.0) == std::ldexp(1.0, -7));
  CHECK(ulp_at(HK_DTYPE_FLOAT16, 3.9) == std::ldexp(1.0, -9));
  for (const hk_dtype dtype : k_dtypes) {
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
      const double value = widen(dtype, static_cast<std::uint16_t>(bits));
      if (!std::isnan(value))
        REQUIRE(narrow(dtype, value) == bits);
    }
  }
}

TEST_SUITE_END();
