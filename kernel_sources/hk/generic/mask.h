#pragma once
// Which keys a query sees, and how scores of the others are hidden.

#include <hk/generic/query_tile.h>
#include <hk/tile/mask_kind.h>

namespace hk {

/// All three masks show a query a prefix of the keys, so one number per query says everything.
template <MaskKind Kind>
struct Visibility {
  int32 seq_q;
  int32 seq_k;

  /// Number of keys that `query` sees, in [0, seq_k]. Never falls as `query` grows.
  HK_DEVICE int32 keys(int32 query) const {
    if constexpr (Kind == MaskKind::none) {
      return seq_k;
    } else {
      const int32 shift = Kind == MaskKind::causal_bottom_right ? seq_k - seq_q : 0;
      const int32 prefix = query + 1 + shift;
      return prefix < 0 ? 0 : (prefix < seq_k ? prefix : seq_k);
    }
  }
};

/// Sets the scores of keys that their query may not see to minus infinity. `first_query` and `first_key` are the
/// positions of the tile's element (0, 0) in the sequence.
template <int Keys, int Queries, MaskKind Kind>
HK_DEVICE void hide_invisible(QueryTile<Keys, Queries>& scores, const Visibility<Kind>& visibility, int32 first_query,
                              int32 first_key) {
  using Scores = QueryTile<Keys, Queries>;
  const int lane = Target::lane();
  const int32 lane_query = first_query + Scores::query(lane, 0);
  const int32 lane_key = first_key + Scores::position(lane, 0);
  // A coordinate is a lane part plus an element part. With the lane part on this side, each element costs one
  // comparison of a register with a constant, which is free in the instruction while it is small: hence one register
  // per span of keys. Opaque, or the compiler reverts all this and keeps a scalar register per element instead.
  constexpr int span = 32;
  static_assert(Keys % span == 0);
  int32 visible[Scores::k_slots][Keys / span];
  HK_UNROLL
  for (int slot = 0; slot < Scores::k_slots; ++slot) {
    const int32 keys = visibility.keys(lane_query + Scores::query_of_slot(slot)) - lane_key;
    HK_UNROLL
    for (int i = 0; i < Keys / span; ++i)
      visible[slot][i] = Target::opaque(keys - i * span);
  }
  HK_UNROLL
  for (int element = 0; element < Scores::k_elements; ++element) {
    const int key = Scores::position(0, element);
    const bool sees = key % span < visible[Scores::slot(element)][key / span];
    scores.set(element, sees ? scores.get(element) : -Target::k_infinity);
  }
}

} // namespace hk
