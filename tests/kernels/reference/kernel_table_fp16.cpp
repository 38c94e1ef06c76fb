#include "kernel_instances.h"

namespace hk::test {

Kernel find_fp16_kernel(const Shape& shape, const KernelChoice& choice) {
  return instance_of<float16>(shape, choice);
}

} // namespace hk::test
