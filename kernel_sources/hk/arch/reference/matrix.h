#pragma once
// Products of blocks. A block is one number, so this is a multiply-add; the loops are those of hk/tile/mma.h.

#include <hk/arch/reference/conversion.h>
#include <hk/arch/reference/register_layout.h>
#include <hk/arch/reference/registers.h>

namespace hk::reference {

struct Matrix : Registers {
  using AccumulatorLayout = reference::AccumulatorLayout;
  using OperandLayout = reference::OperandLayout;
  /// The other orientation than AMD's, so that generic code is exercised in both.
  static constexpr ScoreOrientation k_score_orientation = ScoreOrientation::queries_by_keys;

  static AccumulatorBlock zero_block() { return {0.0f}; }
  template <Element16 Element>
  static AccumulatorBlock multiply(Fragment<Element> a, Fragment<Element> b, AccumulatorBlock sum) {
    return {sum.value + a.value * b.value};
  }
  template <DepthAxis Axis, int Fragments, int ProductsPerFragment>
  static void pipeline_reads() {}
  template <int AtMost>
  static void mma_wait() {}

  template <Element16 Element>
  static Fragment<Element> round_block(AccumulatorBlock block, int /*part*/) {
    return {Conversion::widen(Conversion::round<Element>(block.value))};
  }
  template <Element16 Element>
  static void add_elements(float (&sums)[1], Fragment<Element> fragment) {
    sums[0] += fragment.value;
  }
  static float maximum_of_query(float x) { return x; }
  static float sum_of_query(float x) { return x; }
};

} // namespace hk::reference
