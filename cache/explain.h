#pragma once
// Why an entry is not found: the stored entry that comes nearest, and the first field of the key in which it differs.

#include <cstddef>
#include <string>

#include "base/status.h"
#include "cache/key.h"

namespace hk::cache {

struct MissExplanation {
  bool stored = false;        // a sound entry of the wanted key is there: no miss
  std::string nearest;        // Key::name() of the entry compared with; empty: the folder has no sound entry
  std::string nearest_symbol; // its kernel symbol, if it says one
  std::size_t equal_fields = 0;
  std::size_t fields = 0; // of the wanted key

  // The first difference, in the order of explained_fields(); empty if stored or nothing is near.
  std::string field;
  std::string wanted; // value of the wanted key; empty with wanted_absent
  std::string found;  // value of the nearest entry; empty with found_absent
  bool wanted_absent = false;
  bool found_absent = false;

  // One sentence for people.
  [[nodiscard]] std::string sentence() const;
};

// Reads every entry of the folder. Nearest: an entry for the same kernel symbol ("spec symbol") before others, then the
// one with most fields equal, then the smallest name. INVALID_ARGUMENT as walk_folder.
Result<MissExplanation> explain_miss(const std::string& folder, const Key& wanted);

} // namespace hk::cache
