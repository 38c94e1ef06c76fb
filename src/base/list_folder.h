#pragma once
// The names in a folder.

#include <string>
#include <vector>

#include "base/files.h"

namespace hk::base {

// Without "." and "..", sorted. `name` is for messages. The descriptor stays open and may be used again.
FileResult<std::vector<std::string>> list_folder(int folder, const std::string& name);

} // namespace hk::base
