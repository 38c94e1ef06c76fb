// The family kernels on every pair of lengths, under every mask, for both head dimensions; heads, batch and element
// type rotate. One test case per kernel family, so that ctest can spread them.

#include <doctest/doctest.h>

#include <set>
#include <string>

#include "device_run.h"
#include "inputs.h"
#include "rotation.h"
#include "verdict.h"

using namespace hk;
using namespace hk::test;

namespace {

// Every fourth problem has nothing behind its last elements: the simulator then sees what runs past them.
Arrangement arrangement_of(const Shape& shape) {
  Arrangement arrangement;
  arrangement.surround.guard = (shape.seq_q + shape.seq_k) % 4 == 3 ? 0 : 64;
  return arrangement;
}

void check_shape(const Context& context, const Shape& shape) {
  INFO(shape.text());
  Problem problem(shape, arrangement_of(shape));
  fill(problem, Input::normal, static_cast<std::uint64_t>(shape.seq_q * 1000 + shape.seq_k));
  run(context, problem);
  check_against_reference(problem);
}

void sweep(std::int64_t head_dim, hk_mask mask) {
  const Context context = open_context();
  for (const std::int64_t seq_q : k_lengths) {
    for (const std::int64_t seq_k : k_lengths)
      check_shape(context, rotated_shape(head_dim, mask, seq_q, seq_k, turn_of_device()));
  }
  CHECK(context.statistics().launches == k_lengths.size() * k_lengths.size());
}

} // namespace

TEST_SUITE_BEGIN("shapes");

TEST_CASE("shapes: d64, no mask") {
  sweep(64, HK_MASK_NONE);
}
TEST_CASE("shapes: d64, causal bottom-right") {
  sweep(64, HK_MASK_CAUSAL_BOTTOM_RIGHT);
}
TEST_CASE("shapes: d64, causal top-left") {
  sweep(64, HK_MASK_CAUSAL_TOP_LEFT);
}
TEST_CASE("shapes: d128, no mask") {
  sweep(128, HK_MASK_NONE);
}
TEST_CASE("shapes: d128, causal bottom-right") {
  sweep(128, HK_MASK_CAUSAL_BOTTOM_RIGHT);
}
TEST_CASE("shapes: d128, causal top-left") {
  sweep(128, HK_MASK_CAUSAL_TOP_LEFT);
}

TEST_SUITE_END();

TEST_SUITE_BEGIN("rotation");

// A pair of factors is a text like "q63 bf16".
TEST_CASE("rotation: every pair of lengths, mask, head dimension, element type and heads occurs on each device") {
  for (const std::int64_t turn : {0, 1}) {
    std::set<std::string> found;
    for (const std::int64_t head_dim : k_head_dims) {
      for (const hk_mask mask : k_masks) {
        for (const std::int64_t seq_q : k_lengths) {
          for (const std::int64_t seq_k : k_lengths) {
            const Shape shape = rotated_shape(head_dim, mask, seq_q, seq_k, turn);
            const std::string q = "q" + std::to_string(seq_q);
            const std::string k = "k" + std::to_string(seq_k);
            const std::string d = "d" + std::to_string(head_dim);
            const std::string m = "m" + std::to_string(mask);
            const std::string e = "e" + std::to_string(shape.dtype);
            const std::string h = "h" + std::to_string(shape.heads_q) + "/" + std::to_string(shape.heads_kv);
            for (const std::string& pair : {q + k, q + d, q + m, q + e, q + h, k + d, k + m, k + e, k + h, d + m, d + e,
                                            d + h, m + e, m + h, e + h})
              found.insert(pair);
          }
        }
      }
    }
    // Lengths 9 and 9, masks 3, head dimensions 2, element types 2, heads 5: the sum of the products of all pairs.
    CHECK(found.size() == 9 * 9 + 2 * 9 * (2 + 3 + 2 + 5) + 2 * 3 + 2 * 2 + 2 * 5 + 3 * 2 + 3 * 5 + 2 * 5);
  }
}

TEST_SUITE_END();

TEST_SUITE_BEGIN("full_product" * doctest::skip());

TEST_CASE("full product: every combination of lengths, mask, head dimension, element type and heads") {
  const Context context = open_context();
  for (const std::int64_t head_dim : k_head_dims) {
    for (const hk_mask mask : k_masks) {
      for (const hk_dtype dtype : k_dtypes) {
        for (const Heads& heads : k_heads) {
          for (const std::int64_t seq_q : k_lengths) {
            for (const std::int64_t seq_k : k_lengths) {
              Shape shape = rotated_shape(head_dim, mask, seq_q, seq_k, 0);
              shape.dtype = dtype;
              shape.heads_q = heads.q;
              shape.heads_kv = heads.kv;
              check_shape(context, shape);
            }
          }
        }
      }
    }
  }
}

TEST_SUITE_END();
