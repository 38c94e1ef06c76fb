#pragma once
// Products of blocks, on v_mfma_f32_32x32x8.

#include <hk/arch/gfx942/conversion.h>
#include <hk/arch/gfx942/execution.h>
#include <hk/arch/gfx942/register_layout.h>
#include <hk/arch/gfx942/registers.h>

namespace hk::gfx942 {

struct Matrix : Registers {
  using AccumulatorLayout = gfx942::AccumulatorLayout;
  using OperandLayout = gfx942::OperandLayout;
  /// A result has its columns on lanes and its rows in registers, as an operand has its major index and its depth. So
  /// the keys must be the rows of the scores if the scores are to be summed over next.
  static constexpr ScoreOrientation k_score_orientation = ScoreOrientation::keys_by_queries;

  template <Element16 Element>
  static HK_DEVICE AccumulatorBlock multiply(Fragment<Element> a, Fragment<Element> b, AccumulatorBlock sum) {
    // Named copies: clang 21 reads the first half for both when __builtin_bit_cast is given a swizzle.
    const Words2 a_low = a.words.lo, a_high = a.words.hi, b_low = b.words.lo, b_high = b.words.hi;
    return multiply_half<Element>(a_high, b_high, multiply_half<Element>(a_low, b_low, sum));
  }
  /// Advice after an mma that reads an operand fragment by fragment from shared memory: keep the reads four fragments
  /// ahead of the products, two at a time. Left alone, the compiler reads each fragment just before its use.
  template <DepthAxis /*Axis*/, int Fragments, int ProductsPerFragment>
  static HK_DEVICE void pipeline_reads() {
    constexpr int lds_reads = 0x100, matrix_products = 0x8; // masks of sched_group_barrier
    constexpr int instructions_per_product = 2;
    __builtin_amdgcn_sched_group_barrier(lds_reads, 4, 0);
    HK_UNROLL
    for (int fragment = 0; fragment < Fragments; fragment += 2) {
      __builtin_amdgcn_sched_group_barrier(matrix_products, 2 * ProductsPerFragment * instructions_per_product, 0);
      if (fragment + 4 < Fragments)
        __builtin_amdgcn_sched_group_barrier(lds_reads, 2, 0);
    }
  }
  /// Results are interlocked by the wait states that the compiler puts in.
  template <int AtMost>
  static HK_DEVICE void mma_wait() {}

  template <Element16 Element>
  static HK_DEVICE Fragment<Element> round_block(AccumulatorBlock block, int part) {
    Fragment<Element> fragment;
    HK_UNROLL
    for (int word = 0; word < 4; ++word) {
      const int element = part * OperandLayout::k_elements + 2 * word;
      fragment.words[word] = Conversion::round_probabilities<Element>(block[element], block[element + 1]);
    }
    return fragment;
  }
  template <Element16 Element>
  static HK_DEVICE void add_elements(float (&sums)[1], Fragment<Element> fragment) {
    Float2 pair = {sums[0], 0.0f};
    HK_UNROLL
    for (int word = 0; word < 4; ++word)
      pair = Conversion::add_pair<Element>(pair, fragment.words[word]);
    sums[0] = pair.x + pair.y;
  }

  /// Lanes l and l + 32 hold the same query.
  static HK_DEVICE float maximum_of_query(float x) { return __builtin_fmaxf(x, from_other_half(x)); }
  static HK_DEVICE float sum_of_query(float x) { return x + from_other_half(x); }

 private:
  template <Element16 Element>
  static HK_DEVICE AccumulatorBlock multiply_half(Words2 a, Words2 b, AccumulatorBlock sum) {
    if constexpr (SameAs<Element, bfloat16>) {
      using Short4 = int16 __attribute__((ext_vector_type(4)));
      return __builtin_amdgcn_mfma_f32_32x32x8bf16_1k(__builtin_bit_cast(Short4, a), __builtin_bit_cast(Short4, b), sum,
                                                      0, 0, 0);
    } else {
      using Half4 = _Float16 __attribute__((ext_vector_type(4)));
      return __builtin_amdgcn_mfma_f32_32x32x8f16(__builtin_bit_cast(Half4, a), __builtin_bit_cast(Half4, b), sum, 0, 0,
                                                  0);
    }
  }
  static HK_DEVICE float from_other_half(float x) {
    const int address = (Execution::lane() ^ 32) * 4;
    return __builtin_bit_cast(float, __builtin_amdgcn_ds_bpermute(address, __builtin_bit_cast(int32, x)));
  }
};

} // namespace hk::gfx942
