#pragma once
// Which compiler libraries are really mapped, to be held against the files that cache keys were made of.

#include <optional>
#include <string>
#include <vector>

#include "compile/library_identity.h"
#include "compile/tool_chain.h"

namespace hk::compile {

// hipRTC, comgr and LLVM libraries that are mapped into this process, identified by the notes in memory.
std::vector<LibraryIdentity> mapped_compiler_libraries();

enum class OtherLibraries {
  refused, // a worker maps what compiles and nothing else
  allowed, // a host program may use an LLVM of its own
};

// A sentence naming the first library by which the two differ; nothing if they agree. Builds are compared, not paths.
std::optional<std::string> tool_chain_mismatch(const ToolChain& expected, const std::vector<LibraryIdentity>& mapped,
                                               OtherLibraries others);

} // namespace hk::compile
