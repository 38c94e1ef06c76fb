#pragma once
// Opening the store that the configuration asks for.

#include <memory>

#include "base/config.h"
#include "cache/store.h"

namespace hk::cache {

// A DiskStore in the chosen folder, or a MemoryStore (and one warning) if there is none; without the warning if
// HK_CACHE_DIR asks for none, or HK_CACHE_MAX_BYTES for one that holds nothing. Never fails, makes no folder.
std::unique_ptr<Store> open_store(const base::Config& config);

} // namespace hk::cache
