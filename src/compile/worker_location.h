#pragma once
// Where hk-compile-worker is.

#include <string>

#include "base/status.h"

namespace hk::compile {

// In order: `configured` if it is not empty (and then nothing else), the libexec/hk that belongs to the folder of this
// library, the one that belongs to the folder of the program, and the build folder if this library lies in it. The PATH
// variable plays no part. Fails with no_compiler naming what was tried and what to do.
Result<std::string> find_worker(const std::string& configured);

} // namespace hk::compile
