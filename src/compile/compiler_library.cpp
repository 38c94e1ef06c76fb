#include "compile/compiler_library.h"

#if HK_WITH_HIP
#include "compile/hiprtc_library.h"
#endif
#if HK_WITH_CUDA
#include "compile/nvrtc_library.h"
#endif

namespace hk::compile {
namespace {

[[maybe_unused]] Result<std::unique_ptr<CompilerLibrary>> not_built(const char* compiler, const char* option) {
  return fail(StatusCode::no_compiler, std::string("this build of hk has no ") + compiler + ": configure it with " +
                                           option + "=ON, on a machine that has the headers");
}

} // namespace

Result<std::unique_ptr<CompilerLibrary>>
open_compiler_library(codeobj::Platform platform, const std::string& library_path, const std::string& support_path) {
  if (platform == codeobj::Platform::nvidia) {
#if HK_WITH_CUDA
    return NvrtcLibrary::open(library_path, support_path);
#else
    return not_built("NVRTC", "HK_CUDA");
#endif
  }
#if HK_WITH_HIP
  return HiprtcLibrary::open(library_path, support_path);
#else
  return not_built("hipRTC", "HK_HIP");
#endif
}

const char* platform_name(codeobj::Platform platform) {
  return platform == codeobj::Platform::amd ? "amd" : "nvidia";
}

} // namespace hk::compile
