#include "cache_command.h"

#include <cinttypes>
#include <cstdio>

#include "entry_table.h"
#include "hk/hk.hpp"
#include "json_text.h"

namespace hk::command {
namespace {

const char* folder_of(const CacheOptions& options) {
  return options.folder.empty() ? nullptr : options.folder.c_str();
}

// Fetches in one go what may change between the two calls of the text convention; gives up after a few growths.
// call(text, capacity, required) -> hk_status.
template <typename Call>
std::string fetch(const Call& call) {
  std::string text;
  std::size_t required = 0;
  check(call(nullptr, 0, &required));
  for (int attempt = 0; attempt < 8; ++attempt) {
    text.assign(required + required / 2, '\0');
    const hk_status status = call(text.data(), text.size(), &required);
    if (status == HK_STATUS_SUCCESS) {
      text.resize(required - 1);
      return text;
    }
    if (required <= text.size())
      throw Error(status);
  }
  throw Error(HK_STATUS_INVALID_ARGUMENT);
}

using TextFunction = hk_status (*)(const char* directory, char* text, std::size_t capacity, std::size_t* required);

std::string fetch(TextFunction function, const CacheOptions& options) {
  return fetch([&](char* text, std::size_t capacity, std::size_t* required) {
    return function(folder_of(options), text, capacity, required);
  });
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
    const std::string list = fetch(hk_cache_list, options);
    std::printf("%s", options.json ? (list + "\n").c_str() : entry_table(list).c_str());
    return 0;
  });
}

int cache_inspect(const CacheOptions& options) {
  return reporting("inspect", [&] {
    print(fetch([&](char* text, std::size_t capacity, std::size_t* required) {
            return hk_cache_inspect(folder_of(options), options.key.c_str(), text, capacity, required);
          }),
          options);
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

int cache_gc(const CacheOptions& options) {
  return reporting("gc", [&] {
    std::uint64_t removed = 0;
    std::uint64_t bytes = 0;
    check(hk_cache_gc(folder_of(options), options.max_bytes, &removed, &bytes));
    std::printf(options.json ? "{\"removed\":%" PRIu64 ",\"removed_bytes\":%" PRIu64 "}\n"
                             : "entries removed: %" PRIu64 " (%" PRIu64 " bytes)\n",
                removed, bytes);
    return 0;
  });
}

int cache_clear(const CacheOptions& options) {
  return reporting("clear", [&] {
    std::uint64_t removed = 0;
    check(hk_cache_clear(folder_of(options), &removed));
    std::printf(options.json ? "{\"removed\":%" PRIu64 "}\n" : "entries removed: %" PRIu64 "\n", removed);
    return 0;
  });
}

} // namespace hk::command
