#pragma once
// `hk cache`.

#include <string>

namespace hk::command {

struct CacheOptions {
  std::string folder; // empty: HK_CACHE_DIR, else the default folder
  bool json = false;
};

// All return the exit code.
int cache_stat(const CacheOptions& options);
int cache_list(const CacheOptions& options);
int cache_verify(const CacheOptions& options); // 1 if an entry is damaged
int cache_clear(const CacheOptions& options);

} // namespace hk::command
