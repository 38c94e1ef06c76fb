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

// How the libraries of a platform are called and got.
struct Names {
  std::array<const char*, 2> sonames;  // of the library that is called, newest first
  std::string_view stem;               // with which all of those begin
  std::string_view support_stem;       // before the version of the library that it opens
  std::string_view version_characters; // of that version
  const char* product;
  const char* variable;
  const char* remedy;
};
constexpr Names k_amd = {{"libhiprtc.so.7", "libhiprtc.so.6"},
                         "libhiprtc.so",
                         "libamd_comgr.so.",
                         "0123456789",
                         "hipRTC",
                         "HK_HIPRTC_LIBRARY",
                         "install ROCm 6.4 or newer (Debian: libhiprtc6 and libamd-comgr3)"};
constexpr Names k_nvidia = {{"libnvrtc.so.13", "libnvrtc.so.12"},
                            "libnvrtc.so",
                            "libnvrtc-builtins.so.",
                            "0123456789.",
                            "NVRTC",
                            "HK_NVRTC_LIBRARY",
                            "install NVRTC of CUDA 12.4 or newer"};

constexpr std::array<std::string_view, 3> k_code_generator_stems = {"libLLVM", "libclang-cpp", "liblld"};
constexpr std::uint64_t k_maximum_cache = 64 << 20;
constexpr std::uint64_t k_maximum_library = 256 << 20;

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

FailAs not_found(const std::string& what, const Names& names, const Search& search) {
  return fail_as(Status(StatusCode::no_compiler, what + " was not found (looked in " + search.places() +
                                                     "): " + names.remedy + ", or name the file in " + names.variable));
}

std::string folder_of(const std::string& path) {
  return path.substr(0, path.rfind('/'));
}

// `requested`: a path, or empty.
Result<SharedLibraryFile> find_library(const std::string& requested, const Names& names, const Search& search) {
  if (!requested.empty()) {
    Result<SharedLibraryFile> library = read_shared_library(requested);
    if (!library)
      return fail(library.error().code, library.error().message + ", or correct " + names.variable);
    if (!library->identity.soname.starts_with(names.stem))
      return fail(StatusCode::no_compiler, "library " + requested + " is not " + names.product + " but " +
                                               library->identity.soname + "; correct " + names.variable +
                                               " or unset it");
    return library;
  }
  for (const char* soname : names.sonames)
    if (const auto path = search.find(soname, {}))
      return read_shared_library(*path);
  return not_found(std::string(names.sonames[0]) + " or " + names.sonames[1], names, search);
}

// The library opens its support with dlopen or is linked to it; either way its file spells the soname out.
Result<std::string> support_soname_in(const SharedLibraryFile& library, const Names& names) {
  auto bytes = base::read_file(library.identity.path, k_maximum_library);
  if (!bytes)
    return fail(bytes.error().status(StatusCode::no_compiler));
  std::string_view text = base::as_text(*bytes);
  const std::string_view stem = names.support_stem;
  // memmem: the search of string_view takes a millisecond more for a text of this size.
  while (const void* found = ::memmem(text.data(), text.size(), stem.data(), stem.size())) {
    text.remove_prefix(static_cast<std::size_t>(static_cast<const char*>(found) - text.data()));
    const std::size_t end = text.find_first_not_of(names.version_characters, stem.size());
    if (end != std::string_view::npos && end > stem.size()) {
      const std::string_view soname = text.substr(0, end);
      return std::string(soname.substr(0, soname.find_last_not_of('.') + 1)); // of the end of a sentence
    }
    text.remove_prefix(stem.size());
  }
  return fail(StatusCode::no_compiler, "library " + library.identity.path + " names no " +
                                           std::string(stem.substr(0, stem.find('.'))) + ", so it is not a " +
                                           names.product + " that hk knows; " + names.remedy +
                                           ", or name another file in " + names.variable);
}

} // namespace

bool is_code_generator(std::string_view soname) {
  return std::any_of(k_code_generator_stems.begin(), k_code_generator_stems.end(),
                     [soname](std::string_view stem) { return soname.starts_with(stem); });
}

std::string ToolChain::identity_text() const {
  std::string text;
  const auto add = [&text](const LibraryIdentity& library) { text += library.soname + " " + library.build_id + "\n"; };
  add(library);
  add(support);
  for (const LibraryIdentity& generator : code_generators)
    add(generator);
  return text;
}

Result<ToolChain> find_tool_chain(const ToolChainSearch& places) {
  const bool amd = places.platform == codeobj::Platform::amd;
  const Names& names = amd ? k_amd : k_nvidia;
  const Search search(places);
  ToolChain tool_chain;
  tool_chain.platform = places.platform;
  HK_ASSIGN_OR_RETURN(const SharedLibraryFile library,
                      find_library(amd ? places.hiprtc_library : places.nvrtc_library, names, search));
  tool_chain.library = library.identity;
  HK_ASSIGN_OR_RETURN(const std::string support_soname, support_soname_in(library, names));
  std::vector<std::string> beside = library.run_folders;
  beside.push_back(folder_of(library.identity.path));
  const auto support_path = search.find(support_soname, beside);
  if (!support_path)
    return not_found(support_soname + ", which " + library.identity.path + " needs,", names, search);
  HK_ASSIGN_OR_RETURN(const SharedLibraryFile support, read_shared_library(*support_path));
  tool_chain.support = support.identity;
  for (const std::string& soname : support.needed) {
    if (!is_code_generator(soname))
      continue;
    const auto path = search.find(soname, support.run_folders);
    if (!path)
      return not_found(soname + ", which " + support.identity.path + " needs,", names, search);
    HK_ASSIGN_OR_RETURN(SharedLibraryFile generator, read_shared_library(*path));
    tool_chain.code_generators.push_back(std::move(generator.identity));
  }
  return tool_chain;
}

} // namespace hk::compile
