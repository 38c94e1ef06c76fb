#pragma once
// What of a request reaches the compiler, and what is refused before it does.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "codeobj/processor.h"
#include "compile/request.h"

namespace hk::compile {

// Options that every compile gets, besides the target and what is made from the request. They belong into cache keys.
std::span<const std::string_view> pinned_options(codeobj::Platform platform);

// Under which name the compiler sees the unit of a kernel, as its messages repeat it: "symbol.hip", "symbol.cu".
std::string program_name(codeobj::Platform platform, std::string_view symbol);

// Refuses, before a compiler sees them: targets that are not on the list (compilers have crashed on those), options
// that would override a pinned one, names and texts with zero bytes (compilers take C strings), and a missing name or
// source.
Status check_request(const CompileRequest& request);

// Everything that the compiler is given. clang's -cuid, otherwise derived from paths, comes from the request's own
// content, so that equal requests give equal bytes in any process and folder.
std::vector<std::string> all_options(const CompileRequest& request);

// Environment variables that change what hipRTC and comgr produce. A worker starts without them; in process their mere
// presence is refused.
std::span<const std::string_view> hidden_input_variables();

} // namespace hk::compile
