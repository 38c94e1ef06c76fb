// The same as attention.c through the C++ layer: owners instead of frees, exceptions instead of statuses.

#include <cstdint>
#include <cstdio>
#include <exception>
#include <vector>

#include "hk/hk.hpp"

namespace {

constexpr std::int64_t k_heads = 8;
constexpr std::int64_t k_kv_heads = 2;
constexpr std::int64_t k_rows = 64;
constexpr std::int64_t k_columns = 128;
constexpr std::uint16_t k_one = 0x3c00; // of binary16

hk_tensor dense(const hk::DeviceArray<std::uint16_t>& array, std::int64_t heads) {
  return {array.data(), HK_DTYPE_FLOAT16, 0, heads * k_rows * k_columns, k_rows * k_columns, k_columns};
}

} // namespace

int main() {
  try {
    const hk::Context context;
    // Zero queries and keys weigh all values the same; the mean of ones is one.
    const std::vector<std::uint16_t> zeros(k_heads * k_rows * k_columns, 0);
    const std::vector<std::uint16_t> ones(k_kv_heads * k_rows * k_columns, k_one);
    const hk::DeviceArray<std::uint16_t> q(context, zeros);
    const hk::DeviceArray<std::uint16_t> k(context, std::span(zeros).first(ones.size()));
    const hk::DeviceArray<std::uint16_t> v(context, ones);
    const hk::DeviceArray<std::uint16_t> o(context, zeros);

    hk_attention_args args = HK_ATTENTION_ARGS_INIT;
    args.batch = 1;
    args.heads_q = k_heads;
    args.heads_kv = k_kv_heads;
    args.seq_q = args.seq_k = k_rows;
    args.head_dim = k_columns;
    args.q = dense(q, k_heads);
    args.k = dense(k, k_kv_heads);
    args.v = dense(v, k_kv_heads);
    args.o = dense(o, k_heads);
    context.attention(args);

    std::vector<std::uint16_t> result(o.size());
    o.download(result);
    std::printf("first element: 0x%04x, expected 0x%04x\n", result[0], k_one);
    return result[0] == k_one ? 0 : 1;
  } catch (const hk::Error& error) {
    std::printf("%s: %s\n", hk_status_name(error.status()), error.what());
  } catch (const std::exception& error) { // of the host: no memory, for example
    std::printf("%s\n", error.what());
  }
  return 1;
}
