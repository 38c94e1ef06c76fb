#include "cache_command.h"

#include <cinttypes>
#include <cstdio>

#include "hk/hk.hpp"
#include "json_text.h"

namespace hk::command {
namespace {

using TextFunction = hk_status (*)(const char* directory, char* text, std::size_t capacity, std::size_t* required);

const char* folder_of(const CacheOptions& options) {
  return options.folder.empty() ? nullptr : options.folder.c_str();
}

// Fetches in one go what may change between the two calls of the text convention; gives up after a few growths.
std::string fetch(TextFunction function, const CacheOptions& options) {
  std::string text;
  std::size_t required = 0;
  check(function(folder_of(options), nullptr, 0, &required));
  for (int attempt = 0; attempt < 8; ++attempt) {
    text.assign(required + required / 2, '\0');
    const hk_status status = function(folder_of(options), text.data(), text.size(), &required);
    if (status == HK_STATUS_SUCCESS) {
      text.resize(required - 1);
      return text;
    }
    if (required <= text.size())
      throw Error(status);
  }
  throw Error(HK_STATUS_INVALID_ARGUMENT);
}

// Runs body() -> exit code; a failing call is printed and gives 1.
template <typename Body>
int reporting(const char* name, Body&& body) {
  try {
    return body();
  } catch (const Error& error) {
    std::fprintf(stderr, "hk cache %s: %s: %s\n", name, hk_status_name(error.status()), error.what());
    return 1;
  }
}

void print(const std::string& json, const CacheOptions& options) {
  if (options.json)
    std::printf("%s\n", json.c_str());
  else
    std::printf("%s", readable(json).c_str());
}

} // namespace

int cache_stat(const CacheOptions& options) {
  return reporting("stat", [&] {
    print(fetch(hk_cache_stat, options), options);
    return 0;
  });
}

int cache_list(const CacheOptions& options) {
  return reporting("ls", [&] {
    print(fetch(hk_cache_list, options), options);
    return 0;
  });
}

int cache_verify(const CacheOptions& options) {
  return reporting("verify", [&] {
    const std::string report = fetch(hk_cache_verify, options);
    print(report, options);
    return count_member(report, "damaged") == 0 ? 0 : 1;
  });
}

int cache_clear(const CacheOptions& options) {
  return reporting("clear", [&] {
    std::uint64_t removed = 0;
    check(hk_cache_clear(folder_of(options), &removed));
    std::printf(options.json ? "{\"removed\":%" PRIu64 "}\n" : "removed %" PRIu64 " entries\n", removed);
    return 0;
  });
}

} // namespace hk::command
