#pragma once
// Which keys a query may see.

namespace hk {

enum class MaskKind {
  none,                ///< every key
  causal_bottom_right, ///< key j is visible to query i iff j <= i + seq_k - seq_q: the last query sees every key
  causal_top_left,     ///< key j is visible to query i iff j <= i: the first query sees the first key
};

} // namespace hk
