#pragma once
// Inputs of `hk run attention`: the same numbers for the same seed on every machine.

#include <cstdint>
#include <vector>

#include "attention_options.h"

namespace hk::command {

// Dense [batch][head][row][head_dim], as bits of the dtype.
struct AttentionInputs {
  std::vector<std::uint16_t> q;
  std::vector<std::uint16_t> k;
  std::vector<std::uint16_t> v;
};

AttentionInputs make_inputs(const AttentionOptions& options);

// The arguments for dense tensors at these addresses; o may be null.
hk_attention_args make_args(const AttentionOptions& options, void* q, void* k, void* v, void* o);

} // namespace hk::command
