#pragma once
// One vector per query, whichever way round the target's products leave it.
//
// Scores are a vector of keys per query, the output a vector of features per query. Both are accumulators whose columns
// (keys_by_queries) or rows (queries_by_keys) are the queries. Softmax, masks and epilogue are written on this type, so
// they do not know which.

#include <hk/tile/mma.h>

namespace hk {

template <ScoreOrientation Orientation, int Length, int Queries>
struct OrientedAccumulator {
  using Type = Accumulator<Length, Queries>;
};
template <int Length, int Queries>
struct OrientedAccumulator<ScoreOrientation::queries_by_keys, Length, Queries> {
  using Type = Accumulator<Queries, Length>;
};

template <int Length, int Queries>
struct QueryTile {
  static constexpr bool k_queries_are_columns = Target::k_score_orientation == ScoreOrientation::keys_by_queries;
  using Tile = typename OrientedAccumulator<Target::k_score_orientation, Length, Queries>::Type;
  static constexpr int k_queries = Queries;
  static constexpr int k_elements = Tile::k_elements;
  /// Queries of which one lane holds elements. Slot s of two QueryTiles with the same Queries is the same query.
  static constexpr int k_slots = k_queries_are_columns ? Tile::k_columns_per_lane : Tile::k_rows_per_lane;

  Tile tile;

  static constexpr int slot(int element) {
    return k_queries_are_columns ? Tile::column_slot(element) : Tile::row_slot(element);
  }
  static constexpr int query_of_slot(int slot) {
    return k_queries_are_columns ? Tile::column_of_slot(slot) : Tile::row_of_slot(slot);
  }
  static constexpr int query(int lane, int element) {
    const Coordinate at = Tile::coordinate(lane, element);
    return k_queries_are_columns ? at.column : at.row;
  }
  /// Index in the vector of the query: the key of a score, the feature of an output.
  static constexpr int position(int lane, int element) {
    const Coordinate at = Tile::coordinate(lane, element);
    return k_queries_are_columns ? at.row : at.column;
  }

  HK_DEVICE float get(int element) const { return tile.get(element); }
  HK_DEVICE void set(int element, float value) { tile.set(element, value); }
};

/// tile[query][i] += over k of shared[i][k] * per_query[query][k].
template <int Length, int Queries, class Shared, class PerQuery>
HK_DEVICE void accumulate(QueryTile<Length, Queries>& sum, const Shared& shared, const PerQuery& per_query) {
  if constexpr (QueryTile<Length, Queries>::k_queries_are_columns)
    mma(sum.tile, shared, per_query);
  else
    mma(sum.tile, per_query, shared);
}

} // namespace hk
