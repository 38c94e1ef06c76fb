// A host program for tests that kill it: prepares the kernel of a small call on HK_DEVICE, with HK_CACHE_DIR and
// TMPDIR.

#include <cstdio>

#include "hk/hk.hpp"

int main() {
  try {
    const hk::Context context;
    hk_attention_args args = HK_ATTENTION_ARGS_INIT;
    args.batch = args.heads_q = args.heads_kv = 1;
    args.seq_q = 3;
    args.seq_k = 7;
    args.head_dim = 64;
    args.want_lse = 1;
    args.q = args.k = args.v = args.o = {nullptr, HK_DTYPE_BFLOAT16, 0, 64 * 7, 64 * 7, 64};
    context.prepare(args);
    return 0;
  } catch (const hk::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
