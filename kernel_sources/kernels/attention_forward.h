#pragma once
// Attention forward:  O = softmax(scale * Q K^T + mask) V  and, if wanted, the natural log-sum-exp of every row.
//
// A generated translation unit looks like this (here for gfx950):
//
//   #include <hk/target.h>                    // one line: #include <hk/arch/gfx950/target.h>
//   #include <kernels/attention_forward.h>
//   namespace hk {
//   struct Config {
//     using Element = hk::bfloat16;           // or hk::float16
//     static constexpr int head_dim = 128;    // 64, 128
//     static constexpr MaskKind mask = MaskKind::causal_bottom_right;
//     static constexpr bool write_lse = true;
//     static constexpr bool aligned = true;   // see GlobalView
//     static constexpr int group_size = 4;    // Hq / Hkv; here and below 0 means: from the arguments
//     static constexpr int seq_q = 512;
//     static constexpr int seq_k = 0;
//     static constexpr int waves = 4;         // waves per workgroup
//     static constexpr int tile_q = 128;      // queries per workgroup: 32 per wave
//     static constexpr int tile_kv = 64;      // keys per step
//   };
//   }
//   extern "C" __global__ HK_LAUNCH_BOUNDS(hk::Config) void attention_forward__bf16_d128_causal_br__q128_kv64_w4(
//       hk::AttentionForwardArguments arguments) { hk::attention_forward<hk::Config>(arguments); }
//   HK_TELL_SHARED_BYTES(attention_forward__bf16_d128_causal_br__q128_kv64_w4,   // no effect on AMD
//                        hk::AttentionForwardTypes<hk::Config>::k_shared_bytes);
//
// Grid: batch * heads_q * ceil(seq_q / tile_q) workgroups (seq_q > 0) of as many waves as configured: 64 work-items
// each on AMD, 32 on NVIDIA. Shared memory is static on AMD; on NVIDIA the launch asks for as many dynamic bytes as
// told.
//
// Legal tunings: no scratch and no spill on gfx942 and gfx950, for both element types, all masks, both alignments.
//
//   head_dim | waves | tile_q | tile_kv     | for
//   ---------+-------+--------+-------------+-------------------------------------------------------
//   64       | 1     | 32     | 32, 64      | few queries (decode)
//   64       | 2     | 64     | 32, 64, 128 | short sequences
//   64       | 4     | 128    | 64, 128     | the default, with tile_kv 64
//   64       | 8     | 256    | 128         | long sequences: half the traffic into shared memory
//   128      | 1     | 32     | 32          | few queries (decode)
//   128      | 2     | 64     | 32, 64      | short sequences
//   128      | 4     | 128    | 32, 64      | the default, with tile_kv 64
//   128      | 8     | 256    | 64          | long sequences
//
// gfx950, which holds no loads in registers, also has room for head_dim 128 with waves 1, tile_q 32, tile_kv 64.
//
// sm80: the same 32 queries per wave, but tile_kv 64 at most for head_dim 64, and 32 for head_dim 128 with fewer than
// four waves; docs/KERNELS.md has the table. Spills of its largest tiles are loop invariants.

#include <hk/generic/epilogue.h>
#include <hk/generic/mask.h>
#include <hk/generic/schedule.h>
#include <hk/generic/softmax.h>
#include <hk/generic/work_order.h>
#include <kernels/attention_forward_arguments.h>

namespace hk {

/// The types of one instance.
template <class Config>
struct AttentionForwardTypes {
  using Element = typename Config::Element;
  static constexpr int k_waves = Target::waves_in_workgroup(Config::waves);
  static constexpr int k_queries_per_wave = Config::tile_q / k_waves;

  using InputView = GlobalView<const Element, Config::head_dim, Config::aligned>;
  using OutputView = GlobalView<Element, Config::head_dim, Config::aligned>;
  using Keys = SharedTile<Element, Config::tile_kv, Config::head_dim, DepthAxis::columns>;
  using Values = SharedTile<Element, Config::tile_kv, Config::head_dim, DepthAxis::rows>;
  using Scores = QueryTile<Config::tile_kv, k_queries_per_wave>;
  using Output = QueryTile<Config::head_dim, k_queries_per_wave>;
  using Softmax = SoftmaxState<Scores::k_slots, Config::write_lse>;

  struct Slot {
    Keys keys;
    Values values;
  };
  static constexpr int k_slots = Target::shared_slots(sizeof(Slot), k_waves);
  static constexpr int k_slot_bytes = k_slots * static_cast<int>(sizeof(Slot));
  /// Of a workgroup: the slots, then the queries if they do not stay in registers.
  static constexpr int k_shared_bytes =
      k_slot_bytes + held_operand_bytes<Element, k_queries_per_wave, Config::head_dim>(k_waves);

  static_assert(k_shared_bytes <= Target::k_shared_bytes, "the tiles must fit into shared memory");
  static_assert(Config::tile_q % k_waves == 0);
  static_assert(Scores::k_slots == Output::k_slots);
};

/// The base of one (batch, head) matrix, as bytes from the tensor's base in 64 bits.
template <class View, class Pointee>
HK_DEVICE View matrix_view(Pointee* base, int32 batch, int64 stride_batch, int32 head, int64 stride_head,
                           int64 stride_row, int32 rows) {
  return {View::advance(static_cast<decltype(View::first)>(base), batch * stride_batch + head * stride_head),
          stride_row, rows};
}

/// The load half of the schedule: keys and values of one step.
template <class Types, int TileKeys>
struct KeyValueLoader {
  using View = typename Types::InputView;
  using Slot = typename Types::Slot;

  View keys;
  View values;

  struct PendingStep {
    Pending<typename Types::Keys, View, Types::k_waves> keys;
    Pending<typename Types::Values, View, Types::k_waves> values;
  };
  HK_DEVICE PendingStep prefetch(int32 step, Slot& slot) const {
    const int32 first_key = step * TileKeys;
    return {hk::prefetch<Types::k_waves>(keys.from_row(first_key), slot.keys),
            hk::prefetch<Types::k_waves>(values.from_row(first_key), slot.values)};
  }
  HK_DEVICE void deposit(const PendingStep& pending, Slot& slot) const {
    hk::deposit<Types::k_waves, View>(pending.keys, slot.keys);
    hk::deposit<Types::k_waves, View>(pending.values, slot.values);
  }
};

template <class Config>
HK_DEVICE void attention_forward(const AttentionForwardArguments& arguments) {
  using Types = AttentionForwardTypes<Config>;
  using Element = typename Types::Element;
  const int32 seq_q = Config::seq_q > 0 ? Config::seq_q : arguments.seq_q;
  const int32 seq_k = Config::seq_k > 0 ? Config::seq_k : arguments.seq_k;
  const int32 group_size = Config::group_size > 0 ? Config::group_size : arguments.group_size;
  const WorkItem item = work_item<Config::tile_q, Config::mask>(Target::workgroup(), arguments.batch,
                                                                arguments.heads_kv, group_size, seq_q);

  // Queries of this wave; a wave past the end of the sequence has none, but still loads and meets at the barriers.
  const int32 first_query = item.first_query + Target::wave() * Types::k_queries_per_wave;
  const int32 queries_left = seq_q - first_query;
  const int32 wave_queries = queries_left < Types::k_queries_per_wave ? queries_left : Types::k_queries_per_wave;
  const int32 queries_after = seq_q - item.first_query;
  const int32 last_query = item.first_query + (queries_after < Config::tile_q ? queries_after : Config::tile_q) - 1;

  // What the workgroup, some query of the wave, and every query of the wave may see. Rows past the first are never
  // read.
  const Visibility<Config::mask> visibility = {seq_q, seq_k};
  const int32 workgroup_keys = visibility.keys(last_query);
  const int32 some_see = wave_queries > 0 ? visibility.keys(first_query + wave_queries - 1) : 0;
  const int32 all_see = visibility.keys(first_query);
  const int32 steps = (workgroup_keys + Config::tile_kv - 1) / Config::tile_kv;

  const auto q = matrix_view<typename Types::InputView>(arguments.q, item.batch, arguments.q_stride_batch, item.head,
                                                        arguments.q_stride_head, arguments.q_stride_row, seq_q);
  const auto o = matrix_view<typename Types::OutputView>(arguments.o, item.batch, arguments.o_stride_batch, item.head,
                                                         arguments.o_stride_head, arguments.o_stride_row, seq_q);
  const KeyValueLoader<Types, Config::tile_kv> load = {
      matrix_view<typename Types::InputView>(arguments.k, item.batch, arguments.k_stride_batch, item.kv_head,
                                             arguments.k_stride_head, arguments.k_stride_row, workgroup_keys),
      matrix_view<typename Types::InputView>(arguments.v, item.batch, arguments.v_stride_batch, item.kv_head,
                                             arguments.v_stride_head, arguments.v_stride_row, workgroup_keys)};

  const auto& queries =
      hold_operand<Types::k_queries_per_wave, Types::k_waves, Types::k_slot_bytes>(q.from_row(first_query));
  typename Types::Output output;
  output.tile.clear();
  typename Types::Softmax softmax;
  softmax.reset();

  const auto compute = [&](int32 step, const typename Types::Slot& slot) HK_INLINE {
    const int32 first_key = step * Config::tile_kv;
    if (first_key >= some_see)
      return;
    typename Types::Scores scores;
    scores.tile.clear();
    accumulate(scores, slot.keys, queries);
    mma_wait<0>();
    scores_to_exponents(scores, arguments.scale_log2e, softmax);
    if (first_key + Config::tile_kv > all_see)
      hide_invisible(scores, visibility, first_query, first_key);
    raise_references(scores, output, softmax);
    exponentiate(scores, softmax);
    const auto probabilities = round_to_operand<Element>(scores.tile);
    add_weights(probabilities, softmax);
    accumulate(output, slot.values, probabilities);
    mma_wait<0>();
  };
  const auto epilogue = [&]() HK_INLINE {
    normalise(output, softmax);
    store_output(output, o.from_row(first_query));
    if constexpr (Config::write_lse) {
      float* lse = arguments.lse + (item.batch * arguments.lse_stride_batch + item.head * arguments.lse_stride_head) /
                                       static_cast<int64>(sizeof(float));
      store_log_sum_exp<Config::head_dim, Types::k_queries_per_wave>(softmax, lse + first_query, wave_queries);
    }
  };
  run_schedule<Types::k_slots, typename Types::Slot>(steps, load, compute, epilogue);
}

} // namespace hk
