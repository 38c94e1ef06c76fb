#include "compile/tool_chain.h"

#include <fstream>

#include "compile/mapped_libraries.h"
#include "compile/shared_library_file.h"
#include "fixture.h"

using namespace hk;
using namespace hk::compile;

TEST_SUITE_BEGIN("tool_chain");

namespace {

// Only the folders that a test gives.
ToolChainSearch nowhere() {
  ToolChainSearch search;
  search.loader_cache = "/nonexistent";
  search.folders.clear();
  return search;
}

std::string folder_of(const std::string& path) {
  return path.substr(0, path.rfind('/'));
}

} // namespace

TEST_CASE("hipRTC and comgr are found and have build-ids") {
  const auto tool_chain = find_tool_chain({});
  REQUIRE_MESSAGE(tool_chain.has_value(), tool_chain.error().message);
  CHECK(tool_chain->library.soname.starts_with("libhiprtc.so."));
  CHECK(tool_chain->support.soname.starts_with("libamd_comgr.so."));
  for (const LibraryIdentity& library : {tool_chain->library, tool_chain->support}) {
    CHECK(std::filesystem::is_regular_file(library.path));
    CHECK(library.build_id.size() >= 16);
    CHECK(contains(tool_chain->identity_text(), library.soname + " " + library.build_id + "\n"));
    CHECK_FALSE(contains(tool_chain->identity_text(), library.path));
  }
}

TEST_CASE("Nothing of it is loaded by looking") {
  REQUIRE(find_tool_chain({}).has_value());
  // The in-process compiler's tests come later in this program (doctest runs files in the order of their names).
  std::ifstream maps("/proc/self/maps");
  const std::string text((std::istreambuf_iterator<char>(maps)), std::istreambuf_iterator<char>());
  const bool in_process_ran = contains(text, "libhiprtc");
  CHECK((in_process_ran || !contains(text, "libamd_comgr")));
}

TEST_CASE("No library anywhere: what was tried and what to install") {
  ToolChainSearch search = nowhere();
  search.folders = {"/nonexistent/a"};
  search.library_path = "/nonexistent/b:relative:/nonexistent/c";
  const auto tool_chain = find_tool_chain(search);
  REQUIRE_FALSE(tool_chain.has_value());
  CHECK(tool_chain.error().code == StatusCode::no_compiler);
  for (const char* part : {"libhiprtc.so.7", "libhiprtc.so.6", "/nonexistent/a", "/nonexistent/b", "/nonexistent/c",
                           "install ROCm", "HK_HIPRTC_LIBRARY"})
    CHECK(contains(tool_chain.error().message, part));
}

TEST_CASE("LD_LIBRARY_PATH comes before everything else, version 7 before 6") {
  const auto system = find_tool_chain({});
  REQUIRE(system.has_value());
  const TestFolder folder;
  std::filesystem::create_symlink(system->library.path, folder.path() + "/libhiprtc.so.6");
  ToolChainSearch search;
  search.library_path = folder.path();
  CHECK(find_tool_chain(search)->library == system->library); // comgr is found elsewhere, hipRTC through the link
  // A file that is no library is reported, not passed over: dlopen would fail on it too.
  std::ofstream(folder.path() + "/libhiprtc.so.7") << "no library";
  const auto tool_chain = find_tool_chain(search);
  REQUIRE_FALSE(tool_chain.has_value());
  CHECK(contains(tool_chain.error().message, folder.path() + "/libhiprtc.so.7"));
}

TEST_CASE("comgr is looked for beside hipRTC") {
  const auto system = find_tool_chain({});
  REQUIRE(system.has_value());
  ToolChainSearch search = nowhere();
  search.hiprtc_library = system->library.path;
  search.folders = {folder_of(system->support.path)}; // for LLVM, if it is a library of its own
  CHECK(find_tool_chain(search)->support == system->support);
  const TestFolder folder;
  std::filesystem::copy_file(system->library.path, folder.path() + "/libhiprtc.so.6");
  search = nowhere();
  search.hiprtc_library = folder.path() + "/libhiprtc.so.6";
  const auto alone = find_tool_chain(search);
  REQUIRE_FALSE(alone.has_value());
  CHECK(alone.error().code == StatusCode::no_compiler);
  CHECK(contains(alone.error().message, system->support.soname + ", which"));
}

TEST_CASE("A library that is no hipRTC is refused") {
  const auto system = find_tool_chain({});
  REQUIRE(system.has_value());
  ToolChainSearch search;
  for (const std::string& path : {system->support.path, std::string("/proc/self/exe"), std::string("/etc/passwd"),
                                  std::string("/tmp"), std::string("/dev/null")}) {
    search.hiprtc_library = path;
    const auto tool_chain = find_tool_chain(search);
    REQUIRE_FALSE(tool_chain.has_value());
    CHECK(tool_chain.error().code == StatusCode::no_compiler);
    CHECK(contains(tool_chain.error().message, path));
  }
}

TEST_CASE("A build-id is read from notes, whatever stands before it") {
  base::ByteWriter notes;
  notes.write(std::uint32_t{4}).write(std::uint32_t{5}).write(std::uint32_t{1}); // another note: 5 bytes, padded to 8
  notes.write_bytes(base::as_bytes(std::string_view("GNU\0", 4))).write_bytes(base::as_bytes("12345678"));
  CHECK(find_build_id(notes.bytes()).empty());
  notes.write(std::uint32_t{4}).write(std::uint32_t{3}).write(std::uint32_t{3});
  notes.write_bytes(base::as_bytes(std::string_view("GNU\0", 4))).write_bytes(base::as_bytes("\x01\xab\xff"));
  CHECK(find_build_id(notes.bytes()) == "01abff");
  base::Bytes cut(notes.bytes());
  cut.pop_back();
  CHECK(find_build_id(cut).empty());
}

TEST_CASE("A library without a build-id is known by its content") {
  const auto system = find_tool_chain({});
  REQUIRE(system.has_value());
  const TestFolder folder;
  auto file = base::read_file(system->library.path, 1 << 30);
  REQUIRE(file.has_value());
  // Rename the owner of the note, so that it is no build-id any more.
  const std::string note("\x04\0\0\0\x14\0\0\0\x03\0\0\0GNU\0", 16);
  const std::size_t at = base::as_text(*file).find(note);
  REQUIRE(at != std::string_view::npos);
  (*file)[at + 12] = std::byte{'g'};
  const auto write = [&folder](const char* name, const base::Bytes& bytes) {
    std::ofstream stream(folder.path() + "/" + name, std::ios::binary);
    stream.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  };
  write("first.so", *file);
  file->push_back(std::byte{0});
  write("second.so", *file);
  const auto first = read_shared_library(folder.path() + "/first.so");
  const auto second = read_shared_library(folder.path() + "/second.so");
  REQUIRE(first.has_value());
  CHECK(first->identity.build_id.starts_with("xxh3-"));
  CHECK(first->identity.soname == system->library.soname);
  CHECK(first->identity.build_id != second->identity.build_id);
}

TEST_CASE("Mapped libraries are held against the tool chain by build") {
  const LibraryIdentity hiprtc{"libhiprtc.so.6", "/a/libhiprtc.so.6", "11"};
  const LibraryIdentity comgr{"libamd_comgr.so.3", "/a/libamd_comgr.so.3", "22"};
  const LibraryIdentity moved{"libamd_comgr.so.3.0.0", "/b/libamd_comgr.so.3.0.0", "22"};
  const LibraryIdentity other{"libLLVM.so.21.1", "/a/libLLVM.so.21.1", "33"};
  const ToolChain tool_chain{hiprtc, comgr, {}};
  CHECK_FALSE(tool_chain_mismatch(tool_chain, {hiprtc, comgr}, OtherLibraries::refused).has_value());
  CHECK_FALSE(tool_chain_mismatch(tool_chain, {moved, hiprtc}, OtherLibraries::refused).has_value());
  CHECK(contains(*tool_chain_mismatch(tool_chain, {hiprtc}, OtherLibraries::refused), comgr.path));
  CHECK(contains(*tool_chain_mismatch(tool_chain, {hiprtc, comgr, other}, OtherLibraries::refused), other.path));
  CHECK_FALSE(tool_chain_mismatch(tool_chain, {hiprtc, comgr, other}, OtherLibraries::allowed).has_value());
}

TEST_SUITE_END();
