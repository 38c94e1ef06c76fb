#include "inputs.h"

#include <cmath>

namespace hk::test {
namespace {

// SplitMix64 (Steele, Lea, Flood 2014).
std::uint64_t mixed(std::uint64_t state) {
  state = (state ^ state >> 30) * 0xbf58476d1ce4e5b9U;
  state = (state ^ state >> 27) * 0x94d049bb133111ebU;
  return state ^ state >> 31;
}

// The sum of four uniform numbers is close enough to a normal one, and quick.
double normal_number(std::uint64_t counter) {
  const std::uint64_t bits = mixed((counter + 1) * 0x9e3779b97f4a7c15U);
  double sum = 0;
  for (int i = 0; i < 4; ++i)
    sum += static_cast<double>(bits >> (16 * i) & 0xffff) + 0.5;
  return (sum / 65536 - 2) * std::sqrt(3.0);
}

template <typename Value>
void for_each_element(const Tensor<std::uint16_t>& tensor, Value&& value) {
  const Sizes& sizes = tensor.sizes();
  for (std::int64_t b = 0; b < sizes.batch; ++b) {
    for (std::int64_t h = 0; h < sizes.heads; ++h) {
      for (std::int64_t r = 0; r < sizes.rows; ++r) {
        for (std::int64_t c = 0; c < sizes.columns; ++c)
          value(b, h, r, c);
      }
    }
  }
}

// Row i of q points at one key: q . k / sqrt(d) is 4 sqrt(d) there, and about 4 times a normal number elsewhere.
void point_at_keys(Problem& problem) {
  const Shape& shape = problem.shape;
  if (shape.seq_k == 0)
    return;
  for_each_element(problem.q, [&](auto b, auto h, auto r, auto c) {
    const std::int64_t key = (r * 7 + h * 3 + b) % shape.seq_k;
    const double wanted = problem.value(problem.k, b, h / (shape.heads_q / shape.heads_kv), key, c);
    problem.q.at(b, h, r, c) = narrow(shape.dtype, 4 * wanted);
  });
}

} // namespace

double constant_value(std::int64_t column) {
  return (column % 2 == 0 ? 1 : -1) * static_cast<double>(column % 127 + 1) / 64; // seven bits at most
}

void fill_normal(Tensor<std::uint16_t>& tensor, hk_dtype dtype, double deviation, std::uint64_t seed) {
  std::uint64_t counter = seed << 32;
  for_each_element(tensor, [&](auto b, auto h, auto r, auto c) {
    tensor.at(b, h, r, c) = narrow(dtype, deviation * normal_number(counter++));
  });
}

void fill(Problem& problem, Input input, std::uint64_t seed) {
  const Shape& shape = problem.shape;
  fill_normal(problem.q, shape.dtype, input == Input::deviation8 ? 8 : 1, seed * 4 + 1);
  fill_normal(problem.k, shape.dtype, 1, seed * 4 + 2);
  fill_normal(problem.v, shape.dtype, 1, seed * 4 + 3);
  if (input == Input::peaked)
    point_at_keys(problem);
  if (input == Input::zero_qk) {
    problem.q.fill(0);
    problem.k.fill(0);
  }
  const auto set_v = [&](auto&& value) {
    for_each_element(problem.v, [&](auto b, auto h, auto r, auto c) {
      problem.v.at(b, h, r, c) = narrow(shape.dtype, static_cast<double>(value(b, h, r, c)));
    });
  };
  if (input == Input::constant_v)
    set_v([](auto, auto, auto, auto c) { return constant_value(c); });
  if (input == Input::one_hot_v)
    set_v([&](auto, auto, auto r, auto c) { return r % shape.head_dim == c ? 1 : 0; });
  if (input == Input::head_id_v)
    set_v([&](auto b, auto h, auto, auto) { return b * shape.heads_kv + h + 1; });
  if (input == Input::zero_qk)
    set_v([](auto, auto, auto r, auto) { return r; });
}

} // namespace hk::test
