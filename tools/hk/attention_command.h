#pragma once
// `hk run attention`.

#include "attention_options.h"

namespace hk::command {

// Runs, reports on stdout, complains on stderr. Returns the exit code: 0 if the call succeeded and, with --check, the
// error is within its bound; else 1.
int run_attention(const AttentionOptions& options);

} // namespace hk::command
