#pragma once
// The translation unit of an attention kernel: a Config with named constants around kernels/attention_forward.h.

#include <string>

#include "ops/attention/spec.h"

namespace hk::ops {

// Two specs give the same text only if they are equal.
std::string attention_source(const AttentionSpec& spec);

} // namespace hk::ops
