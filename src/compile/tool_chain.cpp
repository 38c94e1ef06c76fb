#include "compile/tool_chain.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include <unistd.h>

#include "base/files.h"
#include "compile/loader_cache.h"
#include "compile/shared_library_file.h"

namespace hk::compile {
namespace {

constexpr std::array k_hiprtc_sonames = {"libhiprtc.so.7", "libhiprtc.so.6"};
constexpr std::string_view k_hiprtc_stem = "libhiprtc.so";
constexpr std::string_view k_comgr_stem = "libamd_comgr.so.";
constexpr std::array<std::string_view, 3> k_code_generator_stems = {"libLLVM", "libclang-cpp", "liblld"};
constexpr std::uint64_t k_maximum_cache = 64 << 20;
constexpr std::uint64_t k_maximum_hiprtc = 256 << 20;

std::vector<std::string> split_folders(std::string_view list) {
  std::vector<std::string> folders;
  while (!list.empty()) {
    const std::size_t colon = std::min(list.find(':'), list.size());
    if (list.front() == '/') // the loader takes relative folders too, but the worker's current folder is another
      folders.emplace_back(list.substr(0, colon));
    list.remove_prefix(std::min(colon + 1, list.size()));
  }
  return folders;
}

// Finds files by soname in the order of the dynamic loader.
class Search {
 public:
  explicit Search(const ToolChainSearch& places)
      : m_first(split_folders(places.library_path)), m_last(places.folders), m_cache_name(places.loader_cache) {
    if (auto bytes = base::read_file(places.loader_cache, k_maximum_cache))
      m_cache = std::move(*bytes);
  }

  // `beside`: further folders, searched after library_path.
  [[nodiscard]] std::optional<std::string> find(const std::string& soname,
                                                const std::vector<std::string>& beside) const {
    for (const auto* folders : {&m_first, &beside})
      if (auto path = find_in(*folders, soname))
        return path;
    for (const std::string& path : find_in_loader_cache(m_cache, soname))
      if (::access(path.c_str(), R_OK) == 0)
        return path;
    return find_in(m_last, soname);
  }

  [[nodiscard]] std::string places() const {
    std::string text;
    for (const auto* folders : {&m_first, &m_last})
      for (const std::string& folder : *folders)
        text += (text.empty() ? "" : ", ") + folder;
    return text + (text.empty() ? "" : ", ") + "and what " + m_cache_name + " lists";
  }

 private:
  static std::optional<std::string> find_in(const std::vector<std::string>& folders, const std::string& soname) {
    for (const std::string& folder : folders) {
      std::string path = folder;
      path.append("/").append(soname);
      if (::access(path.c_str(), R_OK) == 0)
        return path;
    }
    return std::nullopt;
  }

  std::vector<std::string> m_first;
  std::vector<std::string> m_last;
  std::string m_cache_name;
  base::Bytes m_cache;
};

FailAs not_found(const std::string& what, const Search& search) {
  return fail_as(Status(StatusCode::no_compiler,
                        what + " was not found (looked in " + search.places() +
                            "): install ROCm 6.4 or newer (Debian: libhiprtc6 and libamd-comgr3), or name the file "
                            "in HK_HIPRTC_LIBRARY"));
}

std::string folder_of(const std::string& path) {
  return path.substr(0, path.rfind('/'));
}

Result<SharedLibraryFile> find_hiprtc(const ToolChainSearch& places, const Search& search) {
  if (!places.hiprtc_library.empty()) {
    Result<SharedLibraryFile> library = read_shared_library(places.hiprtc_library);
    if (!library)
      return fail(library.error().code, library.error().message + ", or correct HK_HIPRTC_LIBRARY");
    if (!library->identity.soname.starts_with(k_hiprtc_stem))
      return fail(StatusCode::no_compiler, "library " + places.hiprtc_library + " is not hipRTC but " +
                                               library->identity.soname + "; correct HK_HIPRTC_LIBRARY or unset it");
    return library;
  }
  for (const char* soname : k_hiprtc_sonames)
    if (const auto path = search.find(soname, {}))
      return read_shared_library(*path);
  return not_found("libhiprtc.so.7 or libhiprtc.so.6", search);
}

// hipRTC opens comgr with dlopen or is linked to it; either way its file spells the soname out.
Result<std::string> comgr_soname_in(const SharedLibraryFile& hiprtc) {
  auto bytes = base::read_file(hiprtc.identity.path, k_maximum_hiprtc);
  if (!bytes)
    return fail(bytes.error().status(StatusCode::no_compiler));
  std::string_view text = base::as_text(*bytes);
  // memmem: the search of string_view takes a millisecond more for a text of this size.
  while (const void* found = ::memmem(text.data(), text.size(), k_comgr_stem.data(), k_comgr_stem.size())) {
    text.remove_prefix(static_cast<std::size_t>(static_cast<const char*>(found) - text.data()));
    const std::size_t digits = text.find_first_not_of("0123456789", k_comgr_stem.size());
    if (digits != std::string_view::npos && digits > k_comgr_stem.size())
      return std::string(text.substr(0, digits));
    text.remove_prefix(k_comgr_stem.size());
  }
  return fail(StatusCode::no_compiler, "library " + hiprtc.identity.path +
                                           " names no libamd_comgr, so it is not a hipRTC that hk knows; install "
                                           "ROCm 6.4 or newer, or name another file in HK_HIPRTC_LIBRARY");
}

} // namespace

bool is_code_generator(std::string_view soname) {
  return std::any_of(k_code_generator_stems.begin(), k_code_generator_stems.end(),
                     [soname](std::string_view stem) { return soname.starts_with(stem); });
}

std::string ToolChain::identity_text() const {
  std::string text;
  const auto add = [&text](const LibraryIdentity& library) { text += library.soname + " " + library.build_id + "\n"; };
  add(hiprtc);
  add(comgr);
  for (const LibraryIdentity& library : code_generators)
    add(library);
  return text;
}

Result<ToolChain> find_tool_chain(const ToolChainSearch& places) {
  const Search search(places);
  ToolChain tool_chain;
  HK_ASSIGN_OR_RETURN(const SharedLibraryFile hiprtc, find_hiprtc(places, search));
  tool_chain.hiprtc = hiprtc.identity;
  HK_ASSIGN_OR_RETURN(const std::string comgr_soname, comgr_soname_in(hiprtc));
  std::vector<std::string> beside = hiprtc.run_folders;
  beside.push_back(folder_of(hiprtc.identity.path));
  const auto comgr_path = search.find(comgr_soname, beside);
  if (!comgr_path)
    return not_found(comgr_soname + ", which " + hiprtc.identity.path + " needs,", search);
  HK_ASSIGN_OR_RETURN(const SharedLibraryFile comgr, read_shared_library(*comgr_path));
  tool_chain.comgr = comgr.identity;
  for (const std::string& soname : comgr.needed) {
    if (!is_code_generator(soname))
      continue;
    const auto path = search.find(soname, comgr.run_folders);
    if (!path)
      return not_found(soname + ", which " + comgr.identity.path + " needs,", search);
    HK_ASSIGN_OR_RETURN(SharedLibraryFile library, read_shared_library(*path));
    tool_chain.code_generators.push_back(std::move(library.identity));
  }
  return tool_chain;
}

} // namespace hk::compile
