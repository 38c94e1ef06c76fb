#pragma once
// Removing a folder with everything in it.

#include <string>

#include "base/files.h"

namespace hk::base {

// Symbolic links are removed, never followed; other file systems mounted below are left alone (EXDEV). A path that does
// not exist is success. Goes on after a failure and returns the first one.
FileResult<void> remove_tree(const std::string& path);

} // namespace hk::base
