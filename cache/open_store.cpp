#include "cache/open_store.h"

#include "base/log.h"
#include "cache/disk_store.h"
#include "cache/folder.h"
#include "cache/memory_store.h"

namespace hk::cache {

std::unique_ptr<Store> open_store(const base::Config& config) {
  if (config.cache_folder == k_no_folder || config.cache_max_bytes == 0)
    return std::make_unique<MemoryStore>();
  const FolderChoice choice = choose_cache_folder(config);
  if (!choice.path.empty()) {
    base::log_message(base::LogLevel::info, "cache folder " + choice.path + " (from " + choice.origin +
                                                (choice.network ? ", on a network file system)" : ")"));
    return std::make_unique<DiskStore>(choice.path, DiskStoreOptions{choice.network, config.cache_max_bytes});
  }
  std::string reasons;
  for (const std::string& reason : choice.refused)
    reasons += (reasons.empty() ? "" : "; ") + reason;
  base::log_message(base::LogLevel::warning, "no cache folder can be used, compiled kernels are kept in memory only (" +
                                                 reasons + "); set HK_CACHE_DIR to a folder of your own");
  return std::make_unique<MemoryStore>();
}

} // namespace hk::cache
