#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <string>

#include "ops/attention/source_writer.h"
#include "ops/attention/spec.h"
#include "sample_problem.h"

TEST_SUITE_BEGIN("ops");

using namespace hk::ops;
using hk::test::made_up_pointer;
using hk::test::sample_args;

namespace {

AttentionProblem problem_of(const hk_attention_args& args) {
  auto problem = make_attention_problem(args, AttentionUse::launch);
  REQUIRE_MESSAGE(problem, problem.error().message);
  return *problem;
}

AttentionSpec sample_spec() {
  AttentionSpec spec;
  spec.element = ElementType::bfloat16;
  spec.mask = AttentionMask::causal_bottom_right;
  spec.write_lse = true;
  spec.aligned = true;
  spec.head_dim = 128;
  spec.group_size = 4;
  spec.seq_q = 512;
  spec.seq_k = 512;
  spec.configuration = {.waves = 4, .tile_q = 128, .tile_kv = 64};
  return spec;
}

} // namespace

TEST_CASE("ops.attention.spec: symbols say everything") {
  AttentionSpec spec = sample_spec();
  CHECK(symbol_of(spec) == "attention_forward__bf16_d128_causal_br_lse_gqa4_q512_k512__q128_kv64_w4");
  spec.element = ElementType::float16;
  spec.mask = AttentionMask::causal_top_left;
  spec.write_lse = false;
  spec.aligned = false;
  spec.head_dim = 64;
  CHECK(symbol_of(spec) == "attention_forward__fp16_d64_causal_tl_unaligned_gqa4_q512_k512__q128_kv64_w4");
  spec.mask = AttentionMask::none;
  spec.group_size = spec.seq_q = spec.seq_k = 0;
  spec.configuration = {.waves = 1, .tile_q = 32, .tile_kv = 64};
  CHECK(symbol_of(spec) == "attention_forward__fp16_d64_unaligned__q32_kv64_w1");
}

TEST_CASE("ops.attention.spec: specs that differ in one field have different symbols, identities and sources") {
  const std::function<void(AttentionSpec&)> changes[] = {
      [](AttentionSpec&) {},
      [](AttentionSpec& s) { s.element = ElementType::float16; },
      [](AttentionSpec& s) { s.mask = AttentionMask::none; },
      [](AttentionSpec& s) { s.mask = AttentionMask::causal_top_left; },
      [](AttentionSpec& s) { s.write_lse = false; },
      [](AttentionSpec& s) { s.aligned = false; },
      [](AttentionSpec& s) { s.head_dim = 64; },
      [](AttentionSpec& s) { s.group_size = 0; },
      [](AttentionSpec& s) { s.seq_q = 0; },
      [](AttentionSpec& s) { s.seq_k = 0; },
      [](AttentionSpec& s) { s.configuration.waves = 2; },
      [](AttentionSpec& s) { s.configuration.tile_q = 64; },
      [](AttentionSpec& s) { s.configuration.tile_kv = 32; },
  };
  std::set<std::string> symbols;
  std::set<std::array<std::uint64_t, 4>> identities;
  std::set<std::string> sources;
  for (const auto& change : changes) {
    AttentionSpec spec = sample_spec();
    change(spec);
    symbols.insert(symbol_of(spec));
    identities.insert(identity_of(spec).words);
    sources.insert(attention_source(spec));
  }
  CHECK(symbols.size() == std::size(changes));
  CHECK(identities.size() == std::size(changes));
  CHECK(sources.size() == std::size(changes));
}

TEST_CASE("ops.attention.spec: families are numbered without gaps") {
  std::set<std::size_t> indices;
  for (const auto element : {ElementType::bfloat16, ElementType::float16})
    for (const auto mask : {AttentionMask::none, AttentionMask::causal_bottom_right, AttentionMask::causal_top_left})
      for (const bool write_lse : {false, true})
        for (const bool aligned : {false, true})
          for (const int head_dim : {64, 128}) {
            AttentionSpec spec;
            spec.element = element;
            spec.mask = mask;
            spec.write_lse = write_lse;
            spec.aligned = aligned;
            spec.head_dim = head_dim;
            indices.insert(family_index(spec));
          }
  CHECK(indices.size() == k_attention_families);
  CHECK(*indices.rbegin() == k_attention_families - 1);
}

TEST_CASE("ops.attention.spec: exact fixes the head ratio, and lengths beyond 16 query rows") {
  for (const std::int64_t seq_q : {1, 16}) {
    const AttentionSpec decode = exact_attention_spec(problem_of(sample_args({.seq_q = seq_q})));
    CHECK(decode.group_size == 4);
    CHECK(decode.seq_q == 0);
    CHECK(decode.seq_k == 0);
  }
  const AttentionSpec prefill = exact_attention_spec(problem_of(sample_args({.seq_q = 17})));
  CHECK(prefill.seq_q == 17);
  CHECK(prefill.seq_k == 160);
  const AttentionSpec family = family_attention_spec(problem_of(sample_args()));
  CHECK(family.group_size == 0);
  CHECK(family.seq_q == 0);
  CHECK(family.seq_k == 0);
  CHECK(family.head_dim == 128);
  CHECK(family.write_lse);
  CHECK(family.aligned);
}

TEST_CASE("ops.attention.configuration: the default is the smallest tile that holds the query rows") {
  for (const std::int64_t head_dim : {64, 128}) {
    const auto legal = attention_configurations(hk::codeobj::processors().front(), head_dim);
    CHECK(legal.size() >= 2);
    for (const auto& [seq_q, tile_q] : {std::pair{1, 32}, {32, 32}, {33, 64}, {64, 64}, {65, 128}, {100000, 128}}) {
      CAPTURE(seq_q);
      const AttentionConfiguration chosen =
          default_attention_configuration(problem_of(sample_args({.seq_q = seq_q, .head_dim = head_dim})));
      CHECK(chosen.tile_q == tile_q);
      CHECK(chosen.tile_q == 32 * chosen.waves);
      CHECK(std::find(legal.begin(), legal.end(), chosen) != legal.end());
    }
  }
}

TEST_CASE("ops.attention.spec: the alignment class looks at every pointer and every used stride") {
  CHECK(is_aligned(problem_of(sample_args())));
  const std::function<void(hk_attention_args&)> breaks[] = {
      [](hk_attention_args& a) { a.q.data = made_up_pointer(0x10000008); },
      [](hk_attention_args& a) { a.o.data = made_up_pointer(0x40000002); },
      [](hk_attention_args& a) { a.q.stride_row += 1; },
      [](hk_attention_args& a) { a.k.stride_head += 4; },
      [](hk_attention_args& a) { a.v.stride_batch += 2; },
      [](hk_attention_args& a) { a.o.stride_batch += 7; },
      [](hk_attention_args& a) { a.k.stride_row = 1 << 23; }, // 2^24 bytes
  };
  for (const auto& change : breaks) {
    hk_attention_args args = sample_args();
    change(args);
    CHECK(!is_aligned(problem_of(args)));
  }
  hk_attention_args args = sample_args();
  args.k.stride_row = (1 << 23) - 8; // just below
  args.batch = 1;
  args.v.stride_batch = 3; // of one batch: not used
  args.q.stride_head += 8; // 16 bytes
  CHECK(is_aligned(problem_of(args)));
}

TEST_CASE("ops.attention.source_writer: the unit is what kernels/attention_forward.h documents") {
  CHECK(attention_source(sample_spec()) ==
        R"(// attention_forward__bf16_d128_causal_br_lse_gqa4_q512_k512__q128_kv64_w4
#include <hk/target.h>
#include <kernels/attention_forward.h>

namespace hk {
struct Config {
  using Element = hk::bfloat16;
  static constexpr int head_dim = 128;
  static constexpr MaskKind mask = MaskKind::causal_bottom_right;
  static constexpr bool write_lse = true;
  static constexpr bool aligned = true;
  static constexpr int group_size = 4;
  static constexpr int seq_q = 512;
  static constexpr int seq_k = 512;
  static constexpr int waves = 4;
  static constexpr int tile_q = 128;
  static constexpr int tile_kv = 64;
};
} // namespace hk

extern "C" __global__ HK_LAUNCH_BOUNDS(hk::Config) void attention_forward__bf16_d128_causal_br_lse_gqa4_q512_k512__q128_kv64_w4(hk::AttentionForwardArguments arguments) {
  hk::attention_forward<hk::Config>(arguments);
}
HK_TELL_SHARED_BYTES(attention_forward__bf16_d128_causal_br_lse_gqa4_q512_k512__q128_kv64_w4, hk::AttentionForwardTypes<hk::Config>::k_shared_bytes);
)");
}

TEST_SUITE_END();
