#include "attention_problem.h"

#include <bit>
#include <cmath>
#include <limits>
#include <random>

namespace hk::test {

namespace {

constexpr std::size_t k_guard_elements = 256;

// Precision in bits, with the leading one.
int precision(ElementKind kind) {
  return kind == ElementKind::bf16 ? 8 : 11;
}
// Exponent of the smallest normal number.
int smallest_exponent(ElementKind kind) {
  return kind == ElementKind::bf16 ? -126 : -14;
}

} // namespace

float widen(ElementKind kind, std::uint16_t bits) {
  const int fraction_bits = precision(kind) - 1;
  const int fraction = bits & ((1 << fraction_bits) - 1);
  const int exponent = (bits & 0x7fff) >> fraction_bits;
  const int all_ones = 0x7fff >> fraction_bits;
  const double sign = bits & 0x8000 ? -1.0 : 1.0;
  if (exponent == all_ones)
    return fraction != 0 ? std::numeric_limits<float>::quiet_NaN()
                         : static_cast<float>(sign * std::numeric_limits<double>::infinity());
  const int scale = std::max(exponent, 1) - 1 + smallest_exponent(kind) - fraction_bits;
  const int significand = exponent == 0 ? fraction : fraction | (1 << fraction_bits);
  return static_cast<float>(sign * std::ldexp(significand, scale));
}

std::uint16_t round_to(ElementKind kind, double value) {
  const int fraction_bits = precision(kind) - 1;
  const std::uint16_t infinity = static_cast<std::uint16_t>((0x7fff >> fraction_bits) << fraction_bits);
  if (std::isnan(value))
    return static_cast<std::uint16_t>(infinity | (1u << (fraction_bits - 1)));
  const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const double magnitude = std::fabs(value);
  if (magnitude == 0.0 || std::isinf(magnitude))
    return static_cast<std::uint16_t>(sign | (magnitude == 0.0 ? 0 : infinity));
  const int exponent = std::max(std::ilogb(magnitude), smallest_exponent(kind));
  // Units in the last place at this exponent; nearbyint rounds ties to even. A carry moves into the exponent by itself.
  const double units = std::nearbyint(std::ldexp(magnitude, fraction_bits - exponent));
  const double bits = units + (static_cast<double>(exponent - smallest_exponent(kind)) * (1 << fraction_bits));
  return static_cast<std::uint16_t>(sign | (bits >= infinity ? infinity : static_cast<std::uint16_t>(bits)));
}

double ulp_at(ElementKind kind, double value) {
  const double magnitude = std::fabs(value);
  const int exponent =
      magnitude == 0.0 ? smallest_exponent(kind) : std::max(std::ilogb(magnitude), smallest_exponent(kind));
  return std::ldexp(1.0, exponent - precision(kind) + 1);
}

float Shape::softmax_scale() const {
  return scale != 0.0f ? scale : static_cast<float>(1.0 / std::sqrt(static_cast<double>(head_dim)));
}

std::string Shape::text() const {
  const char* masks[] = {"none", "causal bottom right", "causal top left"};
  return std::string(element == ElementKind::bf16 ? "bf16" : "fp16") + " d" + std::to_string(head_dim) + " mask " +
         masks[static_cast<int>(mask)] + " batch " + std::to_string(batch) + " heads " + std::to_string(heads_q) + "/" +
         std::to_string(heads_kv) + " seq " + std::to_string(seq_q) + "x" + std::to_string(seq_k) + " scale " +
         std::to_string(softmax_scale());
}

Tensor::Tensor(int batch_, int heads_, int rows_, int columns_, std::ptrdiff_t stride_batch_,
               std::ptrdiff_t stride_head_, std::ptrdiff_t stride_row_, std::size_t offset)
    : batch(batch_), heads(heads_), rows(rows_), columns(columns_), stride_batch(stride_batch_),
      stride_head(stride_head_), stride_row(stride_row_) {
  // A vector of 16-bit elements is aligned to 16 bytes by operator new; the guard band keeps that.
  m_first = k_guard_elements + offset;
  const std::ptrdiff_t last = (batch > 0 ? batch - 1 : 0) * stride_batch + (heads > 0 ? heads - 1 : 0) * stride_head +
                              (rows > 0 ? rows - 1 : 0) * stride_row + columns;
  m_storage.assign(m_first + static_cast<std::size_t>(last) + k_guard_elements, k_guard);
}

Tensor Tensor::contiguous(int batch, int heads, int rows, int columns) {
  const std::ptrdiff_t matrix = static_cast<std::ptrdiff_t>(rows) * columns;
  return {batch, heads, rows, columns, matrix * heads, matrix, columns};
}

std::size_t Tensor::index(int b, int h, int r, int c) const {
  return m_first + static_cast<std::size_t>(b * stride_batch + h * stride_head + r * stride_row + c);
}

std::uint16_t& Tensor::at(int b, int h, int r, int c) {
  return m_storage[index(b, h, r, c)];
}
std::uint16_t Tensor::at(int b, int h, int r, int c) const {
  return m_storage[index(b, h, r, c)];
}

std::size_t Tensor::damaged_guards() const {
  std::vector<bool> inside(m_storage.size(), false);
  for (int b = 0; b < batch; ++b)
    for (int h = 0; h < heads; ++h)
      for (int r = 0; r < rows; ++r)
        for (int c = 0; c < columns; ++c)
          inside[index(b, h, r, c)] = true;
  std::size_t damaged = 0;
  for (std::size_t i = 0; i < m_storage.size(); ++i)
    damaged += !inside[i] && m_storage[i] != k_guard;
  return damaged;
}

float Problem::lse_at(int batch, int head, int row) const {
  return lse[k_lse_guard + (static_cast<std::size_t>(batch) * shape.heads_q + head) * shape.seq_q + row];
}

std::size_t Problem::damaged_lse_guards() const {
  std::size_t damaged = 0;
  for (std::size_t i = 0; i < k_lse_guard; ++i)
    damaged += !std::isnan(lse[i]) + !std::isnan(lse[lse.size() - 1 - i]);
  return damaged;
}

AttentionForwardArguments Problem::arguments() {
  AttentionForwardArguments a = {};
  const auto bytes = [](std::ptrdiff_t elements) { return static_cast<int64>(elements * 2); };
  a.q = q.data();
  a.k = k.data();
  a.v = v.data();
  a.o = o.data();
  a.lse = lse.data() + k_lse_guard;
  a.q_stride_batch = bytes(q.stride_batch), a.q_stride_head = bytes(q.stride_head),
  a.q_stride_row = bytes(q.stride_row);
  a.k_stride_batch = bytes(k.stride_batch), a.k_stride_head = bytes(k.stride_head),
  a.k_stride_row = bytes(k.stride_row);
  a.v_stride_batch = bytes(v.stride_batch), a.v_stride_head = bytes(v.stride_head),
  a.v_stride_row = bytes(v.stride_row);
  a.o_stride_batch = bytes(o.stride_batch), a.o_stride_head = bytes(o.stride_head),
  a.o_stride_row = bytes(o.stride_row);
  a.lse_stride_head = static_cast<int64>(shape.seq_q) * 4;
  a.lse_stride_batch = a.lse_stride_head * shape.heads_q;
  a.batch = shape.batch;
  a.heads_q = shape.heads_q;
  a.heads_kv = shape.heads_kv;
  a.seq_q = shape.seq_q;
  a.seq_k = shape.seq_k;
  a.group_size = shape.heads_q / shape.heads_kv;
  a.scale_log2e = static_cast<float>(static_cast<double>(shape.softmax_scale()) * 1.4426950408889634074);
  return a;
}

void spoil_outputs(Problem& problem) {
  Tensor& o = problem.o;
  for (int b = 0; b < o.batch; ++b)
    for (int h = 0; h < o.heads; ++h)
      for (int r = 0; r < o.rows; ++r)
        for (int c = 0; c < o.columns; ++c)
          o.at(b, h, r, c) = Tensor::k_guard;
  const std::size_t rows = static_cast<std::size_t>(problem.shape.batch) * problem.shape.heads_q * problem.shape.seq_q;
  problem.lse.assign(rows + 2 * Problem::k_lse_guard, std::numeric_limits<float>::quiet_NaN());
}

namespace {

template <class Value>
void assign(const Shape& shape, Tensor& tensor, const Value& value) {
  for (int b = 0; b < tensor.batch; ++b)
    for (int h = 0; h < tensor.heads; ++h)
      for (int r = 0; r < tensor.rows; ++r)
        for (int c = 0; c < tensor.columns; ++c)
          tensor.at(b, h, r, c) = round_to(shape.element, value(h, r, c));
}

} // namespace

void fill(Problem& problem, Input input, unsigned seed) {
  const Shape& shape = problem.shape;
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  // q . k has standard deviation sqrt(head_dim) * a^2 for entries of standard deviation a.
  const double wanted = input == Input::std_8 ? 8.0 : 1.0;
  const double spread =
      std::sqrt(wanted / (std::sqrt(static_cast<double>(shape.head_dim)) * std::fabs(shape.softmax_scale())));
  assign(shape, problem.q, [&](int, int, int) { return spread * normal(generator); });
  assign(shape, problem.k, [&](int, int, int) { return spread * normal(generator); });
  if (input == Input::peaked) {
    // Query i looks at key (7 i + 3) mod seq_k; the logit there is about 40.
    for (int b = 0; b < shape.batch; ++b)
      for (int h = 0; h < shape.heads_q; ++h)
        for (int i = 0; i < shape.seq_q && shape.seq_k > 0; ++i)
          for (int c = 0; c < shape.head_dim; ++c) {
            const int kv_head = h / (shape.heads_q / shape.heads_kv);
            const double key = widen(shape.element, problem.k.at(b, kv_head, (7 * i + 3) % shape.seq_k, c));
            const double gain = 40.0 / (shape.head_dim * spread * spread * std::fabs(shape.softmax_scale()));
            problem.q.at(b, h, i, c) = round_to(shape.element, gain * key);
          }
  }
  switch (input) {
  case Input::randn:
  case Input::std_8:
  case Input::peaked:
    assign(shape, problem.v, [&](int, int, int) { return normal(generator); });
    break;
  case Input::constant_v:
    assign(shape, problem.v, [](int head, int, int c) { return 0.37 * (c + 1) * (c % 2 ? -1 : 1) + head; });
    break;
  case Input::one_hot_v:
    assign(shape, problem.v, [&](int, int r, int c) { return r % shape.head_dim == c ? 1.0 : 0.0; });
    break;
  case Input::head_id_v:
    assign(shape, problem.v, [](int head, int, int) { return head + 1.0; });
    break;
  }
}

Problem make_problem(const Shape& shape, Input input, unsigned seed) {
  Problem problem;
  problem.shape = shape;
  problem.q = Tensor::contiguous(shape.batch, shape.heads_q, shape.seq_q, shape.head_dim);
  problem.k = Tensor::contiguous(shape.batch, shape.heads_kv, shape.seq_k, shape.head_dim);
  problem.v = Tensor::contiguous(shape.batch, shape.heads_kv, shape.seq_k, shape.head_dim);
  problem.o = Tensor::contiguous(shape.batch, shape.heads_q, shape.seq_q, shape.head_dim);
  fill(problem, input, seed);
  spoil_outputs(problem);
  return problem;
}

} // namespace hk::test
