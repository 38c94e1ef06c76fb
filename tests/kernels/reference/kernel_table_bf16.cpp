#include "kernel_instances.h"

namespace hk::test {

std::string KernelChoice::text() const {
  return std::string(tiles == Tiles::q32_kv32 ? "q32 kv32" : "q128 kv64") + (aligned ? " aligned" : " element-aligned");
}

Kernel find_kernel(const Shape& shape, const KernelChoice& choice) {
  return shape.element == ElementKind::bf16 ? find_bf16_kernel(shape, choice) : find_fp16_kernel(shape, choice);
}

Kernel find_bf16_kernel(const Shape& shape, const KernelChoice& choice) {
  return instance_of<bfloat16>(shape, choice);
}

} // namespace hk::test
