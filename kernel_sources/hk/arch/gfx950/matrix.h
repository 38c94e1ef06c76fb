#pragma once
// Products of blocks, on v_mfma_f32_32x32x16.

#include <hk/arch/gfx950/conversion.h>
#include <hk/arch/gfx950/register_layout.h>
#include <hk/arch/gfx950/registers.h>

namespace hk::gfx950 {

struct Matrix : Registers {
  using AccumulatorLayout = gfx950::AccumulatorLayout;
  using OperandLayout = gfx950::OperandLayout;
  /// A result has its columns on lanes and its rows in registers, as an operand has its major index and its depth. So
  /// the keys must be the rows of the scores if the scores are to be summed over next.
  static constexpr ScoreOrientation k_score_orientation = ScoreOrientation::keys_by_queries;

  template <Element16 Element>
  static HK_DEVICE AccumulatorBlock multiply(Fragment<Element> a, Fragment<Element> b, AccumulatorBlock sum) {
    if constexpr (SameAs<Element, bfloat16>) {
      using Bfloat8 = __bf16 __attribute__((ext_vector_type(8)));
      return __builtin_amdgcn_mfma_f32_32x32x16_bf16(__builtin_bit_cast(Bfloat8, a.words),
                                                     __builtin_bit_cast(Bfloat8, b.words), sum, 0, 0, 0);
    } else {
      using Half8 = _Float16 __attribute__((ext_vector_type(8)));
      return __builtin_amdgcn_mfma_f32_32x32x16_f16(__builtin_bit_cast(Half8, a.words),
                                                    __builtin_bit_cast(Half8, b.words), sum, 0, 0, 0);
    }
  }
  /// Advice after an mma that reads an operand fragment by fragment from shared memory: keep the reads four fragments
  /// ahead of the products, two at a time. Left alone, the compiler reads each fragment just before its use.
  template <DepthAxis Axis, int Fragments, int ProductsPerFragment>
  static HK_DEVICE void pipeline_reads() {
    constexpr int lds_reads = 0x100, matrix_products = 0x8; // masks of sched_group_barrier
    constexpr int reads_per_fragment = Axis == DepthAxis::rows ? 2 : 1;
    __builtin_amdgcn_sched_group_barrier(lds_reads, 4 * reads_per_fragment, 0);
    HK_UNROLL
    for (int fragment = 0; fragment < Fragments; fragment += 2) {
      __builtin_amdgcn_sched_group_barrier(matrix_products, 2 * ProductsPerFragment, 0);
      if (fragment + 4 < Fragments)
        __builtin_amdgcn_sched_group_barrier(lds_reads, 2 * reads_per_fragment, 0);
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
      fragment.words[word] = Conversion::round_pair<Element>(block[element], block[element + 1]);
    }
    return fragment;
  }
  template <Element16 Element>
  static HK_DEVICE void add_elements(float (&sums)[1], Fragment<Element> fragment) {
    HK_UNROLL
    for (int word = 0; word < 4; ++word)
      sums[0] = Conversion::add_pair<Element>(sums[0], fragment.words[word]);
  }

  /// Lanes l and l + 32 hold the same query.
  static HK_DEVICE float maximum_of_query(float x) {
    const Halves halves = both_halves(x);
    return __builtin_fmaxf(halves.lower, halves.upper);
  }
  static HK_DEVICE float sum_of_query(float x) {
    const Halves halves = both_halves(x);
    return halves.lower + halves.upper;
  }

 private:
  struct Halves {
    float lower;
    float upper;
  };

  /// The value of lane l % 32 and that of lane l % 32 + 32, in every lane: v_permlane32_swap exchanges the upper half
  /// of its first operand with the lower half of its second. The results go through scalars because clang 21 takes
  /// element 0 for every element of a vector inside __builtin_bit_cast.
  static HK_DEVICE Halves both_halves(float x) {
    const uint32 bits = __builtin_bit_cast(uint32, x);
    const auto swapped = __builtin_amdgcn_permlane32_swap(bits, bits, false, false);
    const uint32 lower = swapped[0];
    const uint32 upper = swapped[1];
    return {__builtin_bit_cast(float, lower), __builtin_bit_cast(float, upper)};
  }
};

} // namespace hk::gfx950
