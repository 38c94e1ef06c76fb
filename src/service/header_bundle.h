#pragma once
// HeaderBundle: the headers that one translation unit can reach, as the compiler gets them, and their digest for the
// key. Only reachable files count, so that a change for one target leaves the cached kernels of the others valid.

#include <string_view>
#include <vector>

#include "base/hash.h"
#include "base/status.h"
#include "compile/request.h"

namespace hk::service {

struct HeaderBundle {
  std::vector<compile::SourceHeader> headers; // sorted by name
  base::Digest128 digest;                     // of names and texts
};

// processor: "gfx950". The virtual header hk/target.h is one line, which names the folder that is written for it; no
// #ifdef chooses a target. Includes are
// followed whether or not a condition guards them. Fails with internal if an include is not embedded,
// naming the file, or if the processor is not listed.
Result<HeaderBundle> reachable_headers(std::string_view unit, std::string_view processor);

} // namespace hk::service
