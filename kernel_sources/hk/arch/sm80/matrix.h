#pragma once
// Products of blocks, on mma.sync.m16n8k16.

#include <hk/arch/sm80/arithmetic.h>
#include <hk/arch/sm80/conversion.h>
#include <hk/arch/sm80/execution.h>
#include <hk/arch/sm80/register_layout.h>
#include <hk/arch/sm80/registers.h>

namespace hk::sm80 {

struct Matrix : Registers {
  using AccumulatorLayout = sm80::AccumulatorLayout;
  using OperandLayout = sm80::OperandLayout;
  /// A result is, register by register, an A operand: the queries must be the rows of the scores if the scores are to
  /// be summed over their columns next.
  static constexpr ScoreOrientation k_score_orientation = ScoreOrientation::queries_by_keys;

  template <Element16 Element>
  static HK_DEVICE AccumulatorBlock multiply(Fragment<Element> a, Fragment<Element> b, AccumulatorBlock sum) {
    float* const x = sum.values;
    multiply_half<Element>(a, b.words[0], b.words[2], x[0], x[1], x[2], x[3]);
    multiply_half<Element>(a, b.words[1], b.words[3], x[4], x[5], x[6], x[7]);
    return sum;
  }
  /// ptxas moves reads of shared memory ahead of products by itself.
  template <DepthAxis /*Axis*/, int Fragments, int ProductsPerFragment>
  static HK_DEVICE void pipeline_reads() {}
  /// Results are interlocked by the hardware.
  template <int AtMost>
  static HK_DEVICE void mma_wait() {}

  template <Element16 Element>
  static HK_DEVICE Fragment<Element> round_block(AccumulatorBlock block, int /*part*/) {
    Fragment<Element> fragment;
    HK_UNROLL
    for (int word = 0; word < 4; ++word)
      fragment.words[word] = Conversion::round_pair<Element>(block[2 * word], block[2 * word + 1]);
    return fragment;
  }
  /// By a product with a matrix whose first column is ones: one instruction instead of 16. The first lane of a row gets
  /// the row's sum and the other three get 0, so that sum_of_query still finds it by adding four lanes.
  template <Element16 Element>
  static HK_DEVICE void add_elements(float (&sums)[OperandLayout::k_majors_per_lane], Fragment<Element> fragment) {
    const uint32 ones = Execution::lane() / 4 == 0 ? Conversion::k_ones<Element> : 0;
    float second_column[2] = {0.0f, 0.0f};
    multiply_half<Element>(fragment, ones, ones, sums[0], second_column[0], sums[1], second_column[1]);
  }

  /// Lanes 4 i to 4 i + 3 hold the same queries.
  static HK_DEVICE float maximum_of_query(float x) {
    x = Arithmetic::maximum(x, __shfl_xor_sync(Execution::k_all_lanes, x, 1));
    return Arithmetic::maximum(x, __shfl_xor_sync(Execution::k_all_lanes, x, 2));
  }
  static HK_DEVICE float sum_of_query(float x) {
    x += __shfl_xor_sync(Execution::k_all_lanes, x, 1);
    return x + __shfl_xor_sync(Execution::k_all_lanes, x, 2);
  }

 private:
  /// {x0, x1 ; x2, x3} += a b^T for 8 columns: rows l / 4 and l / 4 + 8, columns 2 (l % 4) and the next.
  template <Element16 Element>
  static HK_DEVICE void multiply_half(Fragment<Element> a, uint32 b_low, uint32 b_high, float& x0, float& x1, float& x2,
                                      float& x3) {
    if constexpr (SameAs<Element, bfloat16>)
      asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
          : "+f"(x0), "+f"(x1), "+f"(x2), "+f"(x3)
          : "r"(a.words[0]), "r"(a.words[1]), "r"(a.words[2]), "r"(a.words[3]), "r"(b_low), "r"(b_high));
    else
      asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
          : "+f"(x0), "+f"(x1), "+f"(x2), "+f"(x3)
          : "r"(a.words[0]), "r"(a.words[1]), "r"(a.words[2]), "r"(a.words[3]), "r"(b_low), "r"(b_high));
  }
};

} // namespace hk::sm80
