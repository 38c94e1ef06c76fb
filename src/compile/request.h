#pragma once
// What a compiler is asked and what it answers.

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "compile/library_identity.h"

namespace hk::compile {

struct SourceHeader {
  std::string name; // as the program includes it: "hk/tile/tile.h"
  std::string text;
};

struct CompileLimits {
  // Wall clock for one compile, the start of a worker included but not the wait for a CPU; 0 = the compiler's own
  // (HK_COMPILE_TIMEOUT_MS). Not enforced in process.
  std::chrono::milliseconds wall{0};
  // Address space of the worker, in bytes. hipRTC with LLVM maps about 0.6 GiB. Not enforced in process.
  std::uint64_t address_space = std::uint64_t{8} << 30;
};

struct CompileRequest {
  std::string program_name; // appears in messages: "attention_forward__bf16_d128.hip"
  std::string source;
  std::vector<SourceHeader> headers;
  std::vector<std::string> options; // beyond the pinned ones (compile_options.h), which none may override
  std::string target_id;            // "gfx942:sramecc+:xnack-" or "sm_90", on the list of codeobj/target_id.h
  std::string symbol;               // the kernel that the result must hold
  bool scratch_allowed = false;     // see codeobj::check_kernel
  CompileLimits limits;
};

// The files that compiled, as they were mapped.
struct CompilerIdentity {
  LibraryIdentity library; // as ToolChain has them
  LibraryIdentity support;
};

struct CompileResult {
  base::Bytes code_object;        // checked: right target, holds the symbol
  std::string log;                // warnings of a successful compile
  double compile_ms = 0;          // inside the compiler, without the start of a worker
  std::uint64_t peak_rss_kib = 0; // of the process that compiled, since its start
  CompilerIdentity compiler;
};

} // namespace hk::compile
