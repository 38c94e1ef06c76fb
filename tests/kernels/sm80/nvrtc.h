#pragma once
// NVRTC by dlopen: compiles one translation unit on the kernel sources for an NVIDIA architecture.

#include <memory>
#include <string>

namespace hk::testing {

struct CompiledKernel {
  bool succeeded = false;
  std::string log; // with ptxas' report of registers and spills
  std::string cubin;
};

class Nvrtc {
 public:
  /// Null, with the reason in `why`, where NVRTC is not installed or older than 12.0.
  static std::unique_ptr<Nvrtc> open(std::string& why);
  virtual ~Nvrtc() = default;

  /// `architecture` as in sm_80. hk/target.h is that of arch/sm80.
  virtual CompiledKernel compile(const std::string& source, const std::string& architecture) const = 0;
};

} // namespace hk::testing
