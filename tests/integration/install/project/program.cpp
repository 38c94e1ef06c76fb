#include <hk/hk.hpp>

#include <cstdio>

// Prepares a kernel: finds the installed compile worker.
int main() {
  try {
    const hk::Context context;
    hk_attention_args args = HK_ATTENTION_ARGS_INIT;
    args.batch = args.heads_q = args.heads_kv = 1;
    args.seq_q = args.seq_k = 1;
    args.head_dim = 64;
    args.q = args.k = args.v = args.o = {nullptr, HK_DTYPE_FLOAT16, 0, 64, 64, 64};
    context.prepare(args);
    std::puts(context.describe(args).c_str());
    return 0;
  } catch (const hk::Error& error) {
    std::printf("%s: %s\n", hk_status_name(error.status()), error.what());
    return 1;
  }
}
