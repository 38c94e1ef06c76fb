#pragma once
// The instances of attention_forward that the tests run on the reference target.

#include <string>

#include "attention_problem.h"

namespace hk::test {

using Kernel = void (*)(const AttentionForwardArguments&);

enum class Tiles {
  q32_kv32,  ///< many workgroups and steps on small shapes
  q128_kv64, ///< the default tuning
};

struct KernelChoice {
  Tiles tiles = Tiles::q32_kv32;
  bool aligned = true;

  std::string text() const;
};

/// The kernel for a shape, null if there is none.
Kernel find_kernel(const Shape& shape, const KernelChoice& choice);

Kernel find_bf16_kernel(const Shape& shape, const KernelChoice& choice);
Kernel find_fp16_kernel(const Shape& shape, const KernelChoice& choice);

} // namespace hk::test
