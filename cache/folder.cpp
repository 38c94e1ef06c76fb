#include "cache/folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/trusted_folder.h"

namespace hk::cache {
namespace {

bool exists(const std::string& path) {
  struct stat information{};
  return ::stat(path.c_str(), &information) == 0;
}

struct Candidate {
  std::string path;
  std::string origin;
  bool network = false;
};

// The folder below the user's home, or empty with what is wrong with the variables that should name it.
std::string home_candidate(const base::Config& config, FolderChoice& choice) {
  const auto passed_over = [&](const char* name, const std::string& value, const char* why) {
    choice.refused.push_back(std::string(name) + "=" + value + " is passed over: " + why);
  };
  if (config.user_cache_home.starts_with('/'))
    return config.user_cache_home + "/hk";
  if (!config.user_cache_home.empty())
    passed_over("XDG_CACHE_HOME", config.user_cache_home, "it is not an absolute path");
  if (config.home.empty())
    choice.refused.emplace_back("no home folder: neither XDG_CACHE_HOME nor HOME names one");
  else if (!config.home.starts_with('/'))
    passed_over("HOME", config.home, "it is not an absolute path");
  else if (config.home.find_first_not_of('/') == std::string::npos)
    passed_over("HOME", config.home, "no user's home is the root folder");
  else
    return config.home + "/.cache/hk";
  return {};
}

std::vector<Candidate> default_candidates(const base::Config& config, FileSystemProbe probe, FolderChoice& choice) {
  std::vector<Candidate> candidates;
  if (const std::string home = home_candidate(config, choice); !home.empty())
    candidates.push_back({home, config.user_cache_home.starts_with('/') ? "XDG_CACHE_HOME" : "HOME"});
  candidates.push_back({"/tmp/hk-" + std::to_string(::geteuid()), "/tmp"});
  for (Candidate& candidate : candidates)
    candidate.network = probe(candidate.path).value_or(base::FileSystemKind::local) == base::FileSystemKind::network;
  // One job's thousands of ranks would all meet on the server of a network home.
  if (candidates.front().network && !candidates.back().network) {
    std::swap(candidates.front(), candidates.back());
    choice.refused.push_back("cache folder " + candidates.back().path + " comes after " + candidates.front().path +
                             ": it is on a network file system; HK_CACHE_DIR overrides that");
  }
  return candidates;
}

} // namespace

Result<std::string> trusted_folder(const std::string& path) {
  return base::trusted_folder(path, "cache folder");
}

FolderChoice choose_cache_folder(const base::Config& config, FileSystemProbe probe) {
  FolderChoice choice;
  if (config.cache_folder == k_no_folder) {
    choice.origin = "HK_CACHE_DIR";
    choice.refused.emplace_back("HK_CACHE_DIR=none asks for no folder");
    return choice;
  }
  const bool named = !config.cache_folder.empty();
  std::vector<Candidate> candidates;
  if (named)
    candidates.push_back(
        {config.cache_folder, "HK_CACHE_DIR",
         probe(config.cache_folder).value_or(base::FileSystemKind::local) == base::FileSystemKind::network});
  else
    candidates = default_candidates(config, probe, choice);
  for (const Candidate& candidate : candidates) {
    auto folder = trusted_folder(candidate.path);
    if (!folder) {
      choice.refused.push_back(folder.error().message);
      continue;
    }
    // A folder that the user named may be a read-only collection; a default that cannot be written is passed over.
    if (!named && exists(*folder) && !base::writable_folder(*folder)) {
      choice.refused.push_back("cache folder " + candidate.path + " is not used: it is not writable");
      continue;
    }
    choice.path = *folder;
    choice.origin = candidate.origin;
    choice.network = candidate.network;
    break;
  }
  return choice;
}

} // namespace hk::cache
