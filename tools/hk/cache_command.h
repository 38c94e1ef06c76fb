#pragma once
// `hk cache`.

#include <cstdint>
#include <string>

namespace hk::command {

struct CacheOptions {
  std::string folder; // empty: HK_CACHE_DIR, else the default folder
  bool json = false;
  std::string key;             // inspect: the name of an entry, or its beginning
  std::uint64_t max_bytes = 0; // gc; 0: HK_CACHE_MAX_BYTES, else its default
};

// All return the exit code.
int cache_stat(const CacheOptions& options);
int cache_list(const CacheOptions& options);
int cache_inspect(const CacheOptions& options);
int cache_verify(const CacheOptions& options); // 1 if an entry is damaged
int cache_gc(const CacheOptions& options);
int cache_clear(const CacheOptions& options);

} // namespace hk::command
