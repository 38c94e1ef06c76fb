// Every bad input gives its status and a sentence that names the field; every odd but right input passes.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "ops/attention/problem.h"
#include "sample_problem.h"

TEST_SUITE_BEGIN("ops");

using hk::StatusCode;
using hk::ops::AttentionProblem;
using hk::ops::AttentionUse;
using hk::ops::make_attention_problem;
using hk::test::made_up_pointer;
using hk::test::sample_args;

namespace {

using Change = std::function<void(hk_attention_args&)>;

struct Refusal {
  const char* what;
  Change change;
  StatusCode code;
  std::vector<const char*> words; // that the sentence must hold
};

constexpr auto k_invalid = StatusCode::invalid_argument;
constexpr auto k_unsupported = StatusCode::unsupported;
constexpr std::int64_t k_huge = std::numeric_limits<std::int64_t>::max();

// NOLINTNEXTLINE(readability-function-size): one table
std::vector<Refusal> refusals() {
  using Args = hk_attention_args;
  return {
      {"null q", [](Args& a) { a.q.data = nullptr; }, k_invalid, {"q.data is null"}},
      {"null k", [](Args& a) { a.k.data = nullptr; }, k_invalid, {"k.data is null"}},
      {"null v", [](Args& a) { a.v.data = nullptr; }, k_invalid, {"v.data is null"}},
      {"null o", [](Args& a) { a.o.data = nullptr; }, k_invalid, {"o.data is null"}},
      {"negative batch", [](Args& a) { a.batch = -1; }, k_invalid, {"batch is -1", "at least 0"}},
      {"negative heads_q", [](Args& a) { a.heads_q = -8; }, k_invalid, {"heads_q is -8", "at least 1"}},
      {"no query heads", [](Args& a) { a.heads_q = 0; }, k_invalid, {"heads_q is 0", "at least 1"}},
      {"no key heads", [](Args& a) { a.heads_kv = 0; }, k_invalid, {"heads_kv is 0", "at least 1"}},
      {"negative heads_kv", [](Args& a) { a.heads_kv = -2; }, k_invalid, {"heads_kv is -2"}},
      {"negative seq_q", [](Args& a) { a.seq_q = -1; }, k_invalid, {"seq_q is -1"}},
      {"negative seq_k", [](Args& a) { a.seq_k = -160; }, k_invalid, {"seq_k is -160"}},
      {"head_dim 0", [](Args& a) { a.head_dim = 0; }, k_invalid, {"head_dim is 0"}},
      {"negative head_dim", [](Args& a) { a.head_dim = -128; }, k_invalid, {"head_dim is -128"}},
      {"head_dim 96", [](Args& a) { a.head_dim = 96; }, k_unsupported, {"head_dim is 96", "64 and 128"}},
      {"head_dim 257", [](Args& a) { a.head_dim = 257; }, k_unsupported, {"head_dim is 257"}},
      {"head_dim 512", [](Args& a) { a.head_dim = 512; }, k_unsupported, {"head_dim is 512"}},
      {"uneven heads", [](Args& a) { a.heads_kv = 3; }, k_invalid, {"heads_q is 8", "heads_kv, 3"}},
      {"more key heads", [](Args& a) { a.heads_kv = 16; }, k_invalid, {"heads_q is 8", "heads_kv, 16"}},
      {"huge batch", [](Args& a) { a.batch = k_huge; }, k_unsupported, {"batch is 9223372036854775807", "1073741824"}},
      {"huge seq_q", [](Args& a) { a.seq_q = k_huge; }, k_unsupported, {"seq_q is 9223372036854775807"}},
      {"huge seq_k", [](Args& a) { a.seq_k = (std::int64_t{1} << 30) + 1; }, k_unsupported, {"seq_k is 1073741825"}},
      {"huge heads", [](Args& a) { a.heads_q = a.heads_kv = std::int64_t{1} << 31; }, k_unsupported, {"heads_q is"}},
      {"dtype not set", [](Args& a) { a.q.dtype = 0; }, k_invalid, {"q.dtype is 0", "hk_dtype"}},
      {"unknown dtype", [](Args& a) { a.q.dtype = 7; }, k_unsupported, {"q.dtype is 7", "HK_DTYPE_BFLOAT16"}},
      {"negative dtype", [](Args& a) { a.v.dtype = -1; }, k_unsupported, {"v.dtype is -1"}},
      {"k of another dtype",
       [](Args& a) { a.k.dtype = HK_DTYPE_FLOAT16; },
       k_unsupported,
       {"k.dtype is 2", "q.dtype is 1"}},
      {"v of another dtype", [](Args& a) { a.v.dtype = HK_DTYPE_FLOAT16; }, k_unsupported, {"v.dtype is 2"}},
      {"o of another dtype", [](Args& a) { a.o.dtype = HK_DTYPE_FLOAT16; }, k_unsupported, {"o.dtype is 2"}},
      {"unknown mask", [](Args& a) { a.mask = 3; }, k_invalid, {"mask is 3", "hk_mask"}},
      {"negative mask", [](Args& a) { a.mask = -1; }, k_invalid, {"mask is -1"}},
      {"infinite scale",
       [](Args& a) { a.scale = std::numeric_limits<float>::infinity(); },
       k_invalid,
       {"scale is inf"}},
      {"minus infinite scale",
       [](Args& a) { a.scale = -std::numeric_limits<float>::infinity(); },
       k_invalid,
       {"scale is -inf"}},
      {"scale * log2(e) overflows", [](Args& a) { a.scale = 3e38F; }, k_invalid, {"scale is 3"}},
      {"reserved", [](Args& a) { a.reserved = 1; }, k_invalid, {"reserved is 1"}},
      {"tensor reserved", [](Args& a) { a.k.reserved = 5; }, k_invalid, {"k.reserved is 5"}},
      {"want_lse", [](Args& a) { a.want_lse = 2; }, k_invalid, {"want_lse is 2"}},
      {"alignment 24",
       [](Args& a) { a.pointer_alignment = 24; },
       k_invalid,
       {"pointer_alignment is 24", "power of two"}},
      {"alignment 1", [](Args& a) { a.pointer_alignment = 1; }, k_invalid, {"pointer_alignment is 1"}},
      {"negative q batch stride",
       [](Args& a) { a.q.stride_batch = -1; },
       k_invalid,
       {"q.stride_batch is -1", "negative"}},
      {"negative k head stride", [](Args& a) { a.k.stride_head = -5; }, k_invalid, {"k.stride_head is -5"}},
      {"negative v row stride", [](Args& a) { a.v.stride_row = -128; }, k_invalid, {"v.stride_row is -128"}},
      {"negative o row stride", [](Args& a) { a.o.stride_row = -128; }, k_invalid, {"o.stride_row is -128"}},
      {"negative lse stride", [](Args& a) { a.lse_stride_head = -96; }, k_invalid, {"lse_stride_head is -96"}},
      {"odd q pointer", [](Args& a) { a.q.data = made_up_pointer(0x10000001); }, k_invalid, {"q points", "2-byte"}},
      {"odd o pointer", [](Args& a) { a.o.data = made_up_pointer(0x40000003); }, k_invalid, {"o points", "2-byte"}},
      {"lse between floats",
       [](Args& a) { a.lse = static_cast<float*>(made_up_pointer(0x50000002)); },
       k_invalid,
       {"lse points", "4-byte"}},
      {"k extent overflows", [](Args& a) { a.k.stride_row = k_huge / 100; }, k_invalid, {"k: sizes and strides"}},
      {"v byte extent overflows",
       [](Args& a) { a.v.stride_batch = k_huge - 1000; },
       k_invalid,
       {"v: sizes and strides"}},
      {"q ends past the address space",
       [](Args& a) { a.q.data = made_up_pointer(0xfffffffffffffff0); },
       k_invalid,
       {"q: sizes and strides"}},
      {"lse extent overflows", [](Args& a) { a.lse_stride_batch = k_huge / 2; }, k_invalid, {"lse: sizes and strides"}},
      {"o rows on top of each other", [](Args& a) { a.o.stride_row = 0; }, k_invalid, {"o.stride_row is 0", "overlap"}},
      {"o rows overlap", [](Args& a) { a.o.stride_row = 127; }, k_invalid, {"o.stride_row is 127", "128"}},
      {"o heads on top of each other",
       [](Args& a) { a.o.stride_head = 0; },
       k_invalid,
       {"o.stride_head is 0", "overlap"}},
      {"o batches overlap", [](Args& a) { a.o.stride_batch = 96 * 128; }, k_invalid, {"o.stride_", "overlap"}},
      {"lse rows of heads overlap",
       [](Args& a) { a.lse_stride_head = 95; },
       k_invalid,
       {"lse_stride_head is 95", "96"}},
      {"o is q", [](Args& a) { a.o.data = a.q.data; }, k_invalid, {"o.data shares memory with q.data"}},
      {"o is v", [](Args& a) { a.o.data = a.v.data; }, k_invalid, {"o.data shares memory with v.data"}},
      {"o begins inside k",
       [](Args& a) { a.o.data = static_cast<char*>(a.k.data) + 128; },
       k_invalid,
       {"o.data shares memory with k.data"}},
      {"lse begins at q",
       [](Args& a) { a.lse = static_cast<float*>(a.q.data); },
       k_invalid,
       {"lse shares memory with q.data"}},
      {"lse begins inside o",
       [](Args& a) { a.lse = reinterpret_cast<float*>(static_cast<char*>(a.o.data) + 64); },
       k_invalid,
       {"lse shares memory with o.data"}},
  };
}

} // namespace

TEST_CASE("ops.attention.problem: interleaved tensors share an extent but no memory") {
  // Q, K, V and O side by side in each row: [batch][row][q, k, v, o][head][column].
  hk_attention_args args = sample_args({.batch = 2, .heads_q = 4, .heads_kv = 4, .seq_q = 32, .seq_k = 32});
  std::uint64_t address = hk::test::k_apart;
  for (hk_tensor* tensor : {&args.q, &args.k, &args.v, &args.o}) {
    *tensor = {made_up_pointer(address), HK_DTYPE_BFLOAT16, 0, 32 * 4 * 4 * 128, 128, 4 * 4 * 128};
    address += 4 * 128 * 2;
  }
  CHECK(make_attention_problem(args, AttentionUse::launch).has_value());
}

TEST_CASE("ops.attention.problem: refusals") {
  for (const Refusal& refusal : refusals()) {
    CAPTURE(refusal.what);
    hk_attention_args args = sample_args();
    refusal.change(args);
    const auto problem = make_attention_problem(args, AttentionUse::launch);
    REQUIRE(!problem);
    CHECK(problem.error().code == refusal.code);
    for (const char* word : refusal.words) {
      CAPTURE(problem.error().message);
      CHECK(problem.error().message.find(word) != std::string::npos);
    }
  }
}

TEST_CASE("ops.attention.problem: the sample and its odd but right variants pass") {
  const std::vector<std::pair<const char*, Change>> variants = {
      {"unchanged", [](hk_attention_args&) {}},
      {"no lse",
       [](hk_attention_args& a) {
         a.lse = nullptr;
         a.lse_stride_head = -1;
       }},
      {"expanded k and v",
       [](hk_attention_args& a) {
         a.k.stride_row = 0;
         a.v.stride_head = 0;
         a.v.stride_batch = 0;
       }},
      {"one batch with any batch stride",
       [](hk_attention_args& a) {
         a.batch = 1;
         a.o.stride_batch = 0;
         a.q.stride_batch = k_huge;
       }},
      {"element-aligned pointers",
       [](hk_attention_args& a) {
         a.q.data = made_up_pointer(0x10000002);
         a.o.data = made_up_pointer(0x4000000e);
       }},
      {"no queries, no pointers",
       [](hk_attention_args& a) {
         a.seq_q = 0;
         a.q.data = a.k.data = a.v.data = a.o.data = nullptr;
       }},
      {"no batch, no pointers",
       [](hk_attention_args& a) {
         a.batch = 0;
         a.q.data = a.k.data = a.v.data = a.o.data = nullptr;
       }},
      {"no keys, no key pointers",
       [](hk_attention_args& a) {
         a.seq_k = 0;
         a.k.data = a.v.data = nullptr;
       }},
      {"no keys, wild strides",
       [](hk_attention_args& a) {
         a.seq_k = 0;
         a.k.stride_batch = k_huge;
       }},
      {"negative scale", [](hk_attention_args& a) { a.scale = -1; }},
      {"zero scale", [](hk_attention_args& a) { a.scale = 0; }},
      {"heads between rows",
       [](hk_attention_args& a) {
         a.o.stride_head = 128;
         a.o.stride_row = 8 * 128;
         a.o.stride_batch = 96 * 8 * 128;
       }},
      {"batch between heads",
       [](hk_attention_args& a) {
         a.o.stride_batch = 128;
         a.o.stride_head = 2 * 128;
         a.o.stride_row = 16 * 128;
       }},
      {"strides past 2^32 bytes", [](hk_attention_args& a) { a.k.stride_batch = std::int64_t{1} << 33; }},
  };
  for (const auto& [what, change] : variants) {
    CAPTURE(what);
    hk_attention_args args = sample_args();
    change(args);
    const auto problem = make_attention_problem(args, AttentionUse::launch);
    if (!problem)
      FAIL_CHECK(problem.error().message);
  }
}

TEST_CASE("ops.attention.problem: one row of output keeps a row stride, by which a kernel tells rows apart") {
  hk_attention_args args = sample_args();
  args.seq_q = 1;
  args.o.stride_row = 0; // allowed: it is never used to reach an element
  const auto problem = make_attention_problem(args, AttentionUse::launch);
  REQUIRE_MESSAGE(problem, problem.error().message);
  CHECK(problem->o.stride_row == 128);
  CHECK(problem->q.stride_row == 0);
}

TEST_CASE("ops.attention.problem: the default scale is 1 / sqrt(head_dim), any other number is kept") {
  hk_attention_args args = sample_args();
  CHECK(make_attention_problem(args, AttentionUse::launch)->scale == static_cast<float>(1 / std::sqrt(128.0)));
  for (const float scale : {0.0F, 1.0F, -0.5F, 1e30F}) {
    args.scale = scale;
    CHECK(make_attention_problem(args, AttentionUse::launch)->scale == scale);
  }
}

TEST_CASE("ops.attention.problem: queries take null pointers and an announced alignment") {
  hk_attention_args args = sample_args();
  args.q.data = args.k.data = args.v.data = args.o.data = nullptr;
  args.lse = nullptr;
  CHECK(make_attention_problem(args, AttentionUse::query)->pointer_alignment == 16);
  CHECK(!make_attention_problem(args, AttentionUse::query)->write_lse);
  args.want_lse = 1;
  CHECK(make_attention_problem(args, AttentionUse::query)->write_lse);
  args.pointer_alignment = 2;
  CHECK(make_attention_problem(args, AttentionUse::query)->pointer_alignment == 2);
  args.pointer_alignment = 256;
  CHECK(make_attention_problem(args, AttentionUse::query)->pointer_alignment == 16);
}

TEST_CASE("ops.attention.problem: the alignment is that of the worst pointer") {
  for (const std::uint64_t offset : {2U, 4U, 6U, 8U, 10U, 12U, 14U}) {
    hk_attention_args args = sample_args();
    args.v.data = made_up_pointer(0x30000000 + offset);
    CHECK(make_attention_problem(args, AttentionUse::launch)->pointer_alignment == (offset & (~offset + 1)));
  }
}

TEST_CASE("ops.attention.problem: the reference takes any head dimension and ignores the outputs") {
  hk_attention_args args = sample_args({.head_dim = 40});
  args.o.data = nullptr;
  args.o.dtype = 0;
  args.lse = static_cast<float*>(made_up_pointer(1));
  CHECK(make_attention_problem(args, AttentionUse::reference));
  args.k.data = nullptr;
  CHECK(!make_attention_problem(args, AttentionUse::reference));
}

TEST_CASE("ops.attention.problem: visible keys") {
  AttentionProblem problem;
  const auto visible = [&](std::int64_t seq_q, std::int64_t seq_k) {
    problem.seq_q = seq_q;
    problem.seq_k = seq_k;
    std::vector<std::int64_t> keys;
    for (std::int64_t row = 0; row < seq_q; ++row)
      keys.push_back(problem.visible_keys(row));
    return keys;
  };
  using Keys = std::vector<std::int64_t>;
  problem.mask = hk::ops::AttentionMask::causal_bottom_right;
  CHECK(visible(5, 2) == Keys{0, 0, 0, 1, 2}); // FlashAttention's documented example
  CHECK(visible(2, 5) == Keys{4, 5});
  CHECK(visible(3, 7) == Keys{5, 6, 7});
  CHECK(visible(3, 0) == Keys{0, 0, 0});
  problem.mask = hk::ops::AttentionMask::causal_top_left;
  CHECK(visible(5, 2) == Keys{1, 2, 2, 2, 2});
  CHECK(visible(2, 5) == Keys{1, 2});
  problem.mask = hk::ops::AttentionMask::none;
  CHECK(visible(2, 5) == Keys{5, 5});
}

TEST_SUITE_END();
