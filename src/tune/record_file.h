#pragma once
// The record file of a target in a cache folder: <cache folder>/tune/<target>.tuning, the text of one record set.
//
// It is replaced as a whole by rename, so a reader sees an old or a new file and never half of one. Writers read, merge
// and write under a byte lock of <cache folder>/tune/locks; on a network file system, which may not know locks, without
// it: then two writers at the same moment may lose one's records, which costs a tuner run and nothing else.
// Files are read with the distrust that cache entries meet: a symbolic link, anything that is no regular file, a file
// of another user or one that others can write to is not read.

#include <cstddef>
#include <string>
#include <string_view>

#include "base/status.h"
#include "tune/record_set.h"

namespace hk::tune {

inline constexpr std::size_t k_max_record_file_bytes = std::size_t{64} << 20;

// "gfx942_sramecc+_xnack-.tuning" for "gfx942:sramecc+:xnack-": signs other than letters, digits, + - . become _.
std::string record_file_name(std::string_view target);

class RecordFile {
 public:
  // `cache_folder` is one that base::trusted_folder accepted; `network` = it lies on a network file system.
  RecordFile(std::string cache_folder, std::string_view target, bool network);

  // Empty if there is no file. Fails with INTERNAL, saying why, if it must not or cannot be read.
  [[nodiscard]] Result<ParsedRecords> read() const;

  // Merges the records into the file, which is made where it does not exist; a file that must not be read is replaced.
  // Fails with INTERNAL if the folder cannot be written or an existing file cannot be read; the file is then as before.
  [[nodiscard]] Status merge(const RecordSet& records) const { return write(records, false); }
  // The same, but the records displace those of the file (RecordSet::override_with).
  [[nodiscard]] Status override_with(const RecordSet& records) const { return write(records, true); }

  [[nodiscard]] std::string path() const;

 private:
  [[nodiscard]] Status write(const RecordSet& records, bool displace) const;

  std::string m_folder; // of the record files
  std::string m_cache_folder;
  std::string m_name;
  bool m_network;
};

} // namespace hk::tune
