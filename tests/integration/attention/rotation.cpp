#include "rotation.h"

#include <algorithm>

#include "device_run.h"

namespace hk::test {

Shape rotated_shape(std::int64_t head_dim, hk_mask mask, std::int64_t seq_q, std::int64_t seq_k, std::int64_t turn) {
  // Which of the default configurations serves: up to 32, up to 64, more query rows.
  const std::int64_t tile = seq_q <= 32 ? 0 : seq_q <= 64 ? 1 : 2;
  const auto place = [](std::int64_t length) {
    return std::find(k_lengths.begin(), k_lengths.end(), length) - k_lengths.begin();
  };
  Shape shape;
  shape.dtype = k_dtypes[static_cast<std::size_t>((head_dim / 128 + mask + tile + turn) % 2)];
  shape.head_dim = head_dim;
  shape.mask = mask;
  const auto heads = static_cast<std::size_t>((place(seq_q) + 2 * place(seq_k) + mask + head_dim / 128) % 5);
  shape.heads_q = k_heads[heads].q;
  shape.heads_kv = k_heads[heads].kv;
  shape.batch = shape.heads_q < 32 && (seq_q + seq_k) % 3 == 0 ? 2 : 1;
  shape.seq_q = seq_q;
  shape.seq_k = seq_k;
  shape.want_lse = tile != 1;
  return shape;
}

std::int64_t turn_of_device() {
  return device_under_test().starts_with("sim:mi35") ? 1 : 0;
}

} // namespace hk::test
