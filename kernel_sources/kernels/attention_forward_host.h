#pragma once
// attention_forward on the reference target, as a host function.

#include <hk/target.h>
#include <kernels/attention_forward.h>

namespace hk {

/// Runs every workgroup of the grid in turn. Pointers are host pointers; the result is what the kernel stores.
template <class Config>
void attention_forward_host(const AttentionForwardArguments& arguments) {
  const int32 tiles = (arguments.seq_q + Config::tile_q - 1) / Config::tile_q;
  reference::run_workgroups(arguments.batch * arguments.heads_q * tiles,
                            [&arguments] { attention_forward<Config>(arguments); });
}

} // namespace hk
