#pragma once
// From sums to results: normalise, round, store.

#include <hk/generic/query_tile.h>
#include <hk/tile/staging.h>

namespace hk {

/// Adds up the sums of the lanes that share a query and divides the output by its weight. A query that saw nothing has
/// weight 0 and gets zeros, whatever its output held: another query of the tile may have read a NaN value row, and
/// 0 * NaN is NaN.
template <int Features, int Queries, class State>
HK_DEVICE void normalise(QueryTile<Features, Queries>& output, State& state) {
  constexpr int slots = QueryTile<Features, Queries>::k_slots;
  float inverse[slots];
  HK_UNROLL
  for (int slot = 0; slot < slots; ++slot) {
    state.weight[slot] = Target::sum_of_query(state.weight[slot]);
    inverse[slot] = Target::reciprocal(state.weight[slot]);
    if constexpr (State::k_with_mass)
      state.mass[slot] = Target::sum_of_query(state.mass[slot]);
  }
  HK_UNROLL
  for (int element = 0; element < output.k_elements; ++element) {
    const int slot = output.slot(element);
    output.set(element, state.weight[slot] == 0.0f ? 0.0f : output.get(element) * inverse[slot]);
  }
}

/// Rounds to nearest even and stores; queries past the rows of the view are dropped.
template <int Features, int Queries, class View>
HK_DEVICE void store_output(const QueryTile<Features, Queries>& output, const View& view) {
  using Output = QueryTile<Features, Queries>;
  constexpr int run = Target::AccumulatorLayout::k_run;
  const Target::RowWriter<View, Queries> writer(view);
  const int lane = Target::lane();
  HK_UNROLL
  for (int element = 0; element < Output::k_elements; element += run) {
    float values[run];
    HK_UNROLL
    for (int i = 0; i < run; ++i)
      values[i] = output.get(element + i);
    writer.store_run({Output::query(lane, element), Output::position(lane, element)}, values);
  }
}

/// Natural logarithm of the sum over keys of exp(score * scale), one float per query; minus infinity where a query saw
/// nothing. `rows` queries, starting at `first`, exist.
template <int Features, int Queries, class State>
HK_DEVICE void store_log_sum_exp(const State& state, float* first, int32 rows) {
  using Output = QueryTile<Features, Queries>;
  constexpr float ln_2 = 0.693147180559945309417f;
  const int lane = Target::lane();
  // Of the lanes that share a query, the one that holds position 0 of its vector stores.
  if (Output::position(lane, 0) != 0)
    return;
  HK_UNROLL
  for (int element = 0; element < Output::k_elements; ++element) {
    const int32 query = Output::query(lane, element);
    if (Output::position(0, element) == 0 && query < rows) {
      const int slot = Output::slot(element);
      const float log_2 = state.reference[slot] + Target::log2(state.mass[slot]);
      first[query] = state.mass[slot] == 0.0f ? -Target::k_infinity : log_2 * ln_2;
    }
  }
}

} // namespace hk
