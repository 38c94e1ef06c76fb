#pragma once
// Reading one entry file with distrust.

#include <sys/types.h>

#include <string>

#include "base/files.h"
#include "cache/entry.h"

namespace hk::cache {

enum class FileCondition {
  sound,
  absent,
  unreadable, // the system's fault: the file may be all right
  damaged,    // the file's fault: it should be removed
  foreign,    // of another format version: neither used nor removed
};

struct EntryFile {
  FileCondition condition = FileCondition::absent;
  std::string problem; // why it is not sound, for people
  Entry entry;         // if sound
  std::uint64_t bytes = 0;
  std::int64_t modified_seconds = 0; // since 1970
  dev_t device = 0;                  // which file it was
  ino_t inode = 0;
};

// Reads folder/file. With `key`, the entry must be that key's. A symbolic link, a FIFO, a device, a folder, a file that
// another user owns or can write to is damaged; opening one never blocks.
EntryFile read_entry_file(int folder, const std::string& file, const Key* key = nullptr);

// Removes folder/file if it is still the file that read_entry_file found: a writer may have
// replaced it since.
void remove_unchanged(int folder, const std::string& file, const EntryFile& found);

} // namespace hk::cache
