#pragma once
// ToolChain: the shared libraries that decide what machine code comes out, found and identified without loading them.

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "codeobj/processor.h"
#include "compile/library_identity.h"

namespace hk::compile {

struct ToolChain {
  LibraryIdentity library; // whose functions are called: hipRTC or NVRTC
  LibraryIdentity support; // which it opens itself: amd_comgr, or NVRTC's builtins
  // Where comgr is linked to LLVM dynamically (Debian), the code generator is a file of its own and changes without
  // comgr changing.
  std::vector<LibraryIdentity> code_generators;
  codeobj::Platform platform = codeobj::Platform::amd; // whose code comes out

  // For cache keys: soname and build-id of each library, no paths. Equal texts mean equal output.
  [[nodiscard]] std::string identity_text() const;
};

struct ToolChainSearch {
  codeobj::Platform platform = codeobj::Platform::amd;
  std::string hiprtc_library; // a path: only this file is taken
  std::string nvrtc_library;  // the same, for NVIDIA
  std::string library_path;   // folders separated by colons, as in LD_LIBRARY_PATH
  std::string loader_cache = "/etc/ld.so.cache";
  std::vector<std::string> folders = {
      "/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib64", "/usr/lib64", "/lib", "/usr/lib",
      "/opt/rocm/lib",         "/usr/local/cuda/lib64"};
};

// Searches as dlopen would (library_path, loader cache, folders), newest first: libhiprtc.so.7 or .6, or libnvrtc.so.13
// or .12. amd_comgr is the one that hipRTC names, searched beside it first, and so are NVRTC's builtins. Fails with
// no_compiler: what was tried, what to install.
Result<ToolChain> find_tool_chain(const ToolChainSearch& search);

// Whether a library of this name holds (a part of) the code generator: LLVM, clang or lld as shared libraries.
[[nodiscard]] bool is_code_generator(std::string_view soname);

} // namespace hk::compile
