#include "compile/mapped_libraries.h"

#include <algorithm>

#include <link.h>

#include "compile/resolved_path.h"
#include "compile/shared_library_file.h"

namespace hk::compile {
namespace {

bool takes_part(std::string_view file_name) {
  return file_name.starts_with("libhiprtc.so") || file_name.starts_with("libamd_comgr.so") ||
         file_name.starts_with("libnvrtc.so") || file_name.starts_with("libnvrtc-builtins.so") ||
         is_code_generator(file_name);
}

int add_library(dl_phdr_info* information, std::size_t, void* libraries) {
  const std::string_view name = information->dlpi_name != nullptr ? information->dlpi_name : "";
  const std::string_view file_name = name.substr(name.rfind('/') + 1);
  if (!takes_part(file_name))
    return 0;
  LibraryIdentity library;
  library.soname = file_name;
  library.path = resolved_path(std::string(name));
  for (std::size_t i = 0; i < information->dlpi_phnum && library.build_id.empty(); ++i) {
    const ElfW(Phdr) & segment = information->dlpi_phdr[i];
    if (segment.p_type != PT_NOTE)
      continue;
    // The loader gives addresses as integers. NOLINTNEXTLINE(performance-no-int-to-ptr)
    const auto* notes = reinterpret_cast<const std::byte*>(information->dlpi_addr + segment.p_vaddr);
    library.build_id = find_build_id(base::ByteView(notes, segment.p_memsz));
  }
  static_cast<std::vector<LibraryIdentity>*>(libraries)->push_back(std::move(library));
  return 0;
}

std::vector<LibraryIdentity> libraries_of(const ToolChain& tool_chain) {
  std::vector<LibraryIdentity> libraries = tool_chain.code_generators;
  libraries.push_back(tool_chain.support);
  libraries.push_back(tool_chain.library);
  return libraries;
}

// The first library of `wanted` whose build is not among `present`, or null.
const LibraryIdentity* first_missing(const std::vector<LibraryIdentity>& wanted,
                                     const std::vector<LibraryIdentity>& present) {
  for (const LibraryIdentity& library : wanted)
    if (std::none_of(present.begin(), present.end(),
                     [&library](const LibraryIdentity& candidate) { return candidate.build_id == library.build_id; }))
      return &library;
  return nullptr;
}

} // namespace

std::vector<LibraryIdentity> mapped_compiler_libraries() {
  std::vector<LibraryIdentity> libraries;
  ::dl_iterate_phdr(&add_library, &libraries);
  // A library without a build-id is known by the hash of its file.
  for (LibraryIdentity& library : libraries)
    if (library.build_id.empty())
      if (const auto file = read_shared_library(library.path))
        library.build_id = file->identity.build_id;
  return libraries;
}

std::optional<std::string> tool_chain_mismatch(const ToolChain& expected, const std::vector<LibraryIdentity>& mapped,
                                               OtherLibraries others) {
  const std::vector<LibraryIdentity> wanted = libraries_of(expected);
  if (const LibraryIdentity* missing = first_missing(wanted, mapped))
    return "library " + missing->path + " (build " + missing->build_id + ") did not take part in the compile";
  const LibraryIdentity* extra = others == OtherLibraries::refused ? first_missing(mapped, wanted) : nullptr;
  if (extra != nullptr)
    return "library " + extra->path + " (build " + extra->build_id + ") took part in the compile unexpectedly";
  return std::nullopt;
}

} // namespace hk::compile
