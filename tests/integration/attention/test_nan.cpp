// NaN reaches the rows that see it and no others; what no row may see is never read into arithmetic.

#include <doctest/doctest.h>

#include <cmath>

#include "device_run.h"
#include "inputs.h"
#include "rotation.h"
#include "verdict.h"

using namespace hk;
using namespace hk::test;

namespace {

Shape shape_with(std::int64_t head_dim, hk_mask mask, std::int64_t seq_q, std::int64_t seq_k) {
  Shape shape = rotated_shape(head_dim, mask, seq_q, seq_k, turn_of_device());
  shape.batch = 2;
  shape.heads_q = 4;
  shape.heads_kv = 2;
  shape.want_lse = true;
  return shape;
}

Problem clean_run(const Context& context, const Shape& shape) {
  Problem problem(shape);
  fill(problem, Input::normal);
  run(context, problem);
  return problem;
}

enum class Effect { none, row, column, perhaps_column };

// Compares every row with that of the clean run. effect(batch, head, row) says what must differ: nothing; all of it and
// the LSE; or the one column `damaged_column`, LSE as it was (perhaps_column: or nothing).
template <typename EffectOf>
void check_effects(const Problem& clean, const Problem& damaged, std::int64_t damaged_column, EffectOf&& effect) {
  const Shape& shape = clean.shape;
  INFO(shape.text());
  std::int64_t wrong = 0;
  std::int64_t affected = 0;
  for (std::int64_t b = 0; b < shape.batch; ++b) {
    for (std::int64_t h = 0; h < shape.heads_q; ++h) {
      for (std::int64_t i = 0; i < shape.seq_q; ++i) {
        const Effect expected = effect(b, h, i);
        affected += expected != Effect::none ? 1 : 0;
        for (std::int64_t c = 0; c < shape.head_dim; ++c) {
          const bool at_column = c == damaged_column;
          const bool same = damaged.o.at(b, h, i, c) == clean.o.at(b, h, i, c);
          const bool nan = std::isnan(damaged.output(b, h, i, c));
          if (expected == Effect::row || (expected == Effect::column && at_column))
            wrong += nan ? 0 : 1;
          else
            wrong += same || (expected == Effect::perhaps_column && at_column && nan) ? 0 : 1;
        }
        const bool right = expected == Effect::row ? std::isnan(damaged.log_sum(b, h, i))
                                                   : damaged.lse.at(b, h, 0, i) == clean.lse.at(b, h, 0, i);
        wrong += right ? 0 : 1;
      }
    }
  }
  CHECK(wrong == 0);
  CHECK(affected > 0);
}

constexpr std::int64_t k_column = 5;

} // namespace

TEST_SUITE_BEGIN("nan");

TEST_CASE("nan: keys and values behind what any row may see") {
  const Context context = open_context();
  for (const std::int64_t head_dim : k_head_dims) {
    for (const auto& [seq_q, seq_k] : {std::pair{1, 300}, std::pair{7, 65}, std::pair{129, 257}, std::pair{65, 300}}) {
      Shape shape = shape_with(head_dim, HK_MASK_CAUSAL_TOP_LEFT, seq_q, seq_k);
      const Problem clean = clean_run(context, shape);
      Problem damaged = clean;
      for (std::int64_t b = 0; b < shape.batch; ++b) {
        for (std::int64_t h = 0; h < shape.heads_kv; ++h) {
          for (std::int64_t j = seq_q; j < seq_k; ++j) {
            for (std::int64_t c = 0; c < head_dim; ++c)
              damaged.k.at(b, h, j, c) = damaged.v.at(b, h, j, c) = k_nan_bits;
          }
        }
      }
      run(context, damaged);
      check_same_bits(clean, damaged);
      check_against_reference(damaged);
    }
  }
}

TEST_CASE("nan: a key reaches the rows that see it, whole, and no others") {
  const Context context = open_context();
  for (const std::int64_t head_dim : k_head_dims) {
    for (const hk_mask mask : k_masks) {
      const Shape shape = shape_with(head_dim, mask, 129, 127);
      const Problem clean = clean_run(context, shape);
      for (const std::int64_t key : {0, 62, 126}) {
        CAPTURE(key);
        Problem damaged = clean;
        damaged.k.at(1, 0, key, k_column) = k_nan_bits;
        run(context, damaged);
        check_effects(clean, damaged, k_column, [&](auto b, auto h, auto i) {
          return b == 1 && h < 2 && shape.sees(i, key) ? Effect::row : Effect::none;
        });
      }
    }
  }
}

TEST_CASE("nan: a query reaches its own row only") {
  const Context context = open_context();
  for (const std::int64_t head_dim : k_head_dims) {
    for (const hk_mask mask : k_masks) {
      const Shape shape = shape_with(head_dim, mask, 129, 127);
      const Problem clean = clean_run(context, shape);
      Problem damaged = clean;
      damaged.q.at(0, 3, 66, k_column) = k_nan_bits;
      run(context, damaged);
      check_effects(clean, damaged, k_column,
                    [](auto b, auto h, auto i) { return b == 0 && h == 3 && i == 66 ? Effect::row : Effect::none; });
    }
  }
}

// A matrix unit multiplies a whole tile of values with the probabilities of all its rows, and 0 * NaN is NaN: rows that
// do not see the value get the NaN as well if they share its tile. How far that goes: the row that sees the value lies
// at most a tile of keys (128) and the rows of a wave (32) further down.
constexpr std::int64_t k_reach = 128 + 32;

TEST_CASE("nan: a value reaches one column of the rows that see it, and of no row that shares no tile with them") {
  const Context context = open_context();
  for (const std::int64_t head_dim : k_head_dims) {
    for (const hk_mask mask : k_masks) {
      const Shape shape = shape_with(head_dim, mask, 300, 257);
      const Problem clean = clean_run(context, shape);
      for (const std::int64_t key : {0, 62, 256}) {
        CAPTURE(key);
        Problem damaged = clean;
        damaged.v.at(0, 1, key, k_column) = k_nan_bits;
        run(context, damaged);
        check_effects(clean, damaged, k_column, [&](auto b, auto h, auto i) {
          if (b != 0 || h < 2)
            return Effect::none;
          if (shape.sees(i, key))
            return Effect::column;
          return shape.sees(i + k_reach, key) && shape.sees(i, 0) ? Effect::perhaps_column : Effect::none;
        });
      }
    }
  }
}

TEST_SUITE_END();
