#pragma once
// Which tile of queries a workgroup takes.

#include <hk/target.h>
#include <hk/tile/integers.h>
#include <hk/tile/mask_kind.h>

namespace hk {

struct WorkItem {
  int32 batch;
  int32 head;
  int32 kv_head;
  int32 first_query;
};

/// Deals workgroups 0, 1, 2, ... of a grid of batch * heads_q * ceil(seq_q / TileQueries). Hardware starts them about
/// in this order. What runs at the same time on one cache should read the same keys, and under a causal mask long query
/// tiles come first, so that the short ones fill the end of the launch.
///
/// CacheSharing::strided: neighbours go to different compute dies (XCDs), in turn.
/// - Query tiles vary slowest.
/// - Key heads vary fastest. When the number of dies divides heads_kv, all query heads of one key head then run on one
///   die and share its L2; otherwise the map is still a bijection for any heads_q = heads_kv * group_size.
/// CacheSharing::contiguous: query tiles vary fastest, then the query heads of one key head.
template <int TileQueries, MaskKind Mask>
HK_DEVICE WorkItem work_item(int32 workgroup, int32 batch, int32 heads_kv, int32 group_size, int32 seq_q) {
  // Unsigned: nothing is negative, and signed division costs twice the instructions.
  const uint32 kv_heads = static_cast<uint32>(heads_kv);
  const uint32 group = static_cast<uint32>(group_size);
  const uint32 heads = kv_heads * group;
  const uint32 tiles = (static_cast<uint32>(seq_q) + TileQueries - 1) / TileQueries;
  uint32 rank, column, kv_head, member;
  if constexpr (Target::k_cache_sharing == CacheSharing::strided) {
    const uint32 columns = heads * static_cast<uint32>(batch);
    rank = static_cast<uint32>(workgroup) / columns;
    column = static_cast<uint32>(workgroup) % columns;
    const uint32 position = column % heads;
    kv_head = position % kv_heads;
    member = position / kv_heads;
  } else {
    rank = static_cast<uint32>(workgroup) % tiles;
    column = static_cast<uint32>(workgroup) / tiles;
    const uint32 position = column % heads;
    kv_head = position / group;
    member = position % group;
  }
  const uint32 tile = Mask == MaskKind::none ? rank : tiles - 1 - rank;
  return {static_cast<int32>(column / heads), static_cast<int32>(kv_head * group + member), static_cast<int32>(kv_head),
          static_cast<int32>(tile * TileQueries)};
}

} // namespace hk
