#pragma once
// What of a request reaches hipRTC, and what is refused before it does.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "compile/request.h"

namespace hk::compile {

// Options that every compile gets, besides --offload-arch and -cuid. They belong into cache keys.
std::span<const std::string_view> pinned_options();

// Refuses, before a compiler sees them: targets that are not on the list (compilers have crashed on those), options
// that would override a pinned one, names and texts with zero bytes (hipRTC takes C strings), and a missing name or
// source.
Status check_request(const CompileRequest& request);

// Everything that hipRTC is given. -cuid, which clang otherwise derives from paths, comes from the request's own
// content, so that equal requests give equal bytes in any process and folder.
std::vector<std::string> all_options(const CompileRequest& request);

// Environment variables that change what hipRTC and comgr produce. A worker starts without them; in process their mere
// presence is refused.
std::span<const std::string_view> hidden_input_variables();

} // namespace hk::compile
