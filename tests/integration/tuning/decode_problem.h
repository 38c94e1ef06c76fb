#pragma once
// The problem of these tests: one query row per head against 256 keys. On MI300X the default configuration, one wave
// per workgroup, is far from the fastest; the simulator runs it in milliseconds.

#include <cmath>
#include <cstdint>
#include <vector>

#include "hk/hk.hpp"

namespace hk::test {

constexpr std::int64_t k_heads = 4;
constexpr std::int64_t k_seq_k = 256;
constexpr std::int64_t k_head_dim = 128;

// bfloat16, by truncation: any number will do as long as it is the same everywhere.
inline std::vector<std::uint16_t> waves(std::size_t count, double step) {
  std::vector<std::uint16_t> elements(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto value = static_cast<float>(std::sin(step * static_cast<double>(i)));
    elements[i] = static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16);
  }
  return elements;
}

inline hk_attention_args decode_args(void* q, void* k, void* v, void* o) {
  hk_attention_args args = HK_ATTENTION_ARGS_INIT;
  args.batch = 1;
  args.heads_q = k_heads;
  args.heads_kv = 1;
  args.seq_q = 1;
  args.seq_k = k_seq_k;
  args.head_dim = k_head_dim;
  args.q = {q, HK_DTYPE_BFLOAT16, 0, k_heads * k_head_dim, k_head_dim, k_head_dim};
  args.k = {k, HK_DTYPE_BFLOAT16, 0, k_seq_k * k_head_dim, k_seq_k * k_head_dim, k_head_dim};
  args.v = {v, HK_DTYPE_BFLOAT16, 0, k_seq_k * k_head_dim, k_seq_k * k_head_dim, k_head_dim};
  args.o = {o, HK_DTYPE_BFLOAT16, 0, k_heads * k_head_dim, k_head_dim, k_head_dim};
  return args;
}

// The problem on a device, its output filled with NaN before each run.
class DecodeProblem {
 public:
  explicit DecodeProblem(const Context& context)
      : m_context(context), m_q(context, waves(k_heads * k_head_dim, 0.7)),
        m_k(context, waves(k_seq_k * k_head_dim, 0.013)), m_v(context, waves(k_seq_k * k_head_dim, 0.31)),
        m_o(context, k_heads * k_head_dim) {}

  [[nodiscard]] hk_attention_args args() const { return decode_args(m_q.data(), m_k.data(), m_v.data(), m_o.data()); }

  std::vector<std::uint16_t> run() {
    std::vector<std::uint16_t> output(k_heads * k_head_dim, 0x7fff);
    m_o.upload(output);
    m_context.attention(args());
    m_context.synchronize();
    m_o.download(output);
    return output;
  }

 private:
  const Context& m_context;
  DeviceArray<std::uint16_t> m_q, m_k, m_v, m_o;
};

} // namespace hk::test
