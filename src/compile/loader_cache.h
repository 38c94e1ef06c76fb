#pragma once
// The dynamic loader's cache (ld.so.cache): which file a soname stands for.

#include <string>
#include <vector>

#include "base/bytes.h"

namespace hk::compile {

// Paths that the cache lists for a soname on x86-64, best first. A damaged cache, or one of an unknown format, lists
// nothing.
// Format: glibc, sysdeps/generic/dl-cache.h, "glibc-ld.so.cache1.1", alone or behind the older "ld.so-1.7.0" table.
std::vector<std::string> find_in_loader_cache(base::ByteView cache, std::string_view soname);

} // namespace hk::compile
