#pragma once
// The entries of a cache folder as a table for people.

#include <string>

namespace hk::command {

// One line per entry of hk_cache_list's JSON, the one used last first: the beginning of the name (as much as tells the
// entries apart, at least 12 characters; `hk cache inspect` takes it), size, last use (UTC), target, symbol.
std::string entry_table(const std::string& json);

} // namespace hk::command
