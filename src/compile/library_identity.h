#pragma once
// LibraryIdentity: which build of a shared library a file is.

#include <string>

namespace hk::compile {

struct LibraryIdentity {
  std::string soname;   // "libhiprtc.so.6"
  std::string path;     // of the file, symbolic links resolved
  std::string build_id; // hexadecimal digits of the NT_GNU_BUILD_ID note; "xxh3-..." of the file if it has none

  bool operator==(const LibraryIdentity&) const = default;
};

} // namespace hk::compile
