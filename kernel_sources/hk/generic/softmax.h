#pragma once
// Softmax over keys that arrive tile by tile.
//
// With t = score * scale * log2(e), a row's result is  sum 2^t v / sum 2^t.  Both sums are kept relative to
// 2^reference, so that nothing overflows. Per query:
//
//   reference  is raised to the largest t seen so far whenever some t exceeds it by more than k_headroom, else left
//              alone: the probabilities 2^(t - reference) then stay below 2^k_headroom, which every element type holds
//              at full precision, and earlier sums are not rescaled for each small rise of the maximum.
//   weight     is the sum of the probabilities *rounded to the element type*, the very numbers that multiply the
//              values. Dividing by it makes the output a convex combination of value rows: equal values come back
//              exactly.
//   mass       is the same sum before rounding, for the log-sum-exp; kept only if that is wanted.
//
// A query that has seen no finite t has no reference: it is 0, and `limit` is minus infinity so that the first finite t
// sets it. Minus infinity is thus never subtracted from minus infinity. NaN: fmax ignores it and 2^NaN is NaN, so a NaN
// score makes weight, mass and output of its query NaN, and those of no other.

#include <hk/generic/query_tile.h>

namespace hk {

/// State of the queries of which this lane holds scores; lanes that share a query agree on reference and limit and hold
/// partial sums of weight and mass.
template <int Slots, bool WithMass>
struct SoftmaxState {
  /// In bits: P may reach 2^8, far from the largest float16 (2^16).
  static constexpr float k_headroom = 8.0f;
  static constexpr bool k_with_mass = WithMass;

  float reference[Slots];
  float limit[Slots]; ///< largest t - reference that is accepted without raising the reference
  float weight[Slots];
  float mass[Slots];

  HK_DEVICE void reset() {
    HK_UNROLL
    for (int slot = 0; slot < Slots; ++slot) {
      reference[slot] = 0.0f;
      limit[slot] = -Target::k_infinity;
      weight[slot] = 0.0f;
      mass[slot] = 0.0f;
    }
  }
};

/// scores = scores * scale - reference, in one rounding: t relative to the reference.
template <int Keys, int Queries, class State>
HK_DEVICE void scores_to_exponents(QueryTile<Keys, Queries>& scores, float scale_log2e, const State& state) {
  HK_UNROLL
  for (int element = 0; element < scores.k_elements; ++element) {
    const int slot = scores.slot(element);
    scores.set(element, Target::multiply_add(scores.get(element), scale_log2e, -state.reference[slot]));
  }
}

/// Raises the reference of every row of which some exponent is above its limit, and of all rows of the wave with it;
/// rescales the sums and the output to the new references. Does nothing in most steps.
template <int Keys, int Features, int Queries, class State>
HK_DEVICE void raise_references(QueryTile<Keys, Queries>& exponents, QueryTile<Features, Queries>& output,
                                State& state) {
  constexpr int slots = QueryTile<Keys, Queries>::k_slots;
  constexpr float minus_infinity = -Target::k_infinity;
  float largest[slots];
  HK_UNROLL
  for (int slot = 0; slot < slots; ++slot)
    largest[slot] = minus_infinity;
  HK_UNROLL
  for (int element = 0; element < exponents.k_elements; ++element) {
    const int slot = exponents.slot(element);
    largest[slot] = Target::maximum(largest[slot], exponents.get(element));
  }
  bool above = false;
  HK_UNROLL
  for (int slot = 0; slot < slots; ++slot)
    above = above || largest[slot] > state.limit[slot];
  if (!Target::any_lane(above))
    return;

  float rise[slots];
  float factor[slots];
  HK_UNROLL
  for (int slot = 0; slot < slots; ++slot) {
    const float row_largest = Target::maximum_of_query(largest[slot]);
    const bool unset = state.limit[slot] == minus_infinity;
    const bool takes = unset ? row_largest > minus_infinity : row_largest > 0.0f;
    const float raised = takes ? state.reference[slot] + row_largest : state.reference[slot];
    // Not row_largest: the difference is by how much the rounded reference moved.
    rise[slot] = raised - state.reference[slot];
    factor[slot] = unset ? 0.0f : Target::exp2(-rise[slot]);
    state.reference[slot] = raised;
    state.limit[slot] = unset && !takes ? minus_infinity : State::k_headroom;
    state.weight[slot] *= factor[slot];
    if constexpr (State::k_with_mass)
      state.mass[slot] *= factor[slot];
  }
  HK_UNROLL
  for (int element = 0; element < exponents.k_elements; ++element)
    exponents.set(element, exponents.get(element) - rise[exponents.slot(element)]);
  HK_UNROLL
  for (int element = 0; element < output.k_elements; ++element)
    output.set(element, output.get(element) * factor[output.slot(element)]);
}

/// exponents = 2^exponents, and their sum into mass.
template <int Keys, int Queries, class State>
HK_DEVICE void exponentiate(QueryTile<Keys, Queries>& exponents, State& state) {
  constexpr int slots = QueryTile<Keys, Queries>::k_slots;
  // Two partial sums, so that neighbours can be added by one packed instruction.
  float partial[slots][2] = {};
  HK_UNROLL
  for (int element = 0; element < exponents.k_elements; ++element) {
    const float probability = Target::exp2(exponents.get(element));
    exponents.set(element, probability);
    if constexpr (State::k_with_mass)
      partial[exponents.slot(element)][element % 2] += probability;
  }
  if constexpr (State::k_with_mass) {
    HK_UNROLL
    for (int slot = 0; slot < slots; ++slot)
      state.mass[slot] += partial[slot][0] + partial[slot][1];
  }
}

/// Adds the rounded probabilities of each query to its weight. The major indices of which a lane holds elements, block
/// after block, are the slots.
template <class Operand, class State>
HK_DEVICE void add_weights(const Operand& probabilities, State& state) {
  constexpr int slots_per_block = Operand::Block::k_majors_per_lane;
  HK_UNROLL
  for (int major = 0; major < Operand::k_major_blocks; ++major) {
    float sums[slots_per_block];
    HK_UNROLL
    for (int i = 0; i < slots_per_block; ++i)
      sums[i] = state.weight[major * slots_per_block + i];
    HK_UNROLL
    for (int depth = 0; depth < Operand::k_depth_blocks; ++depth)
      Target::add_elements(sums, probabilities.fragment(major, depth));
    HK_UNROLL
    for (int i = 0; i < slots_per_block; ++i)
      state.weight[major * slots_per_block + i] = sums[i];
  }
}

} // namespace hk
