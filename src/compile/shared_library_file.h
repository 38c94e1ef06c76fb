#pragma once
// What a shared library of the host says about itself, read from its file without loading it.

#include <string>
#include <vector>

#include "base/files.h"
#include "base/status.h"
#include "compile/library_identity.h"

namespace hk::compile {

struct SharedLibraryFile {
  LibraryIdentity identity;             // soname: DT_SONAME, else the file's own name
  std::vector<std::string> needed;      // DT_NEEDED, in order
  std::vector<std::string> run_folders; // DT_RUNPATH or DT_RPATH, with $ORIGIN replaced
};

// Reads headers, notes and the dynamic section of a 64-bit ELF shared library. Fails with no_compiler naming the file
// if it cannot be read or is no shared library of this machine.
Result<SharedLibraryFile> read_shared_library(const std::string& path);

// The build-id in the notes of a loaded or read library: the bytes of one PT_NOTE segment; empty if there is none.
std::string find_build_id(base::ByteView notes);

} // namespace hk::compile
