#include "compile/shared_library_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>

#include <elf.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "compile/resolved_path.h"

namespace hk::compile {
namespace {

// No part of a library that is read here comes near this size.
constexpr std::uint64_t k_maximum_part = 16 << 20;
constexpr std::uint64_t k_maximum_file = std::uint64_t{4} << 30;

FailAs unreadable(const std::string& path, const std::string& why) {
  return fail_as(Status(StatusCode::no_compiler,
                        "library " + path + " cannot be used: " + why + "; reinstall the compiler (ROCm or CUDA)"));
}

std::optional<base::Bytes> read_part(int descriptor, std::uint64_t offset, std::uint64_t size) {
  if (size > k_maximum_part)
    return std::nullopt;
  base::Bytes bytes(size);
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const ssize_t count =
        ::pread(descriptor, bytes.data() + filled, bytes.size() - filled, static_cast<off_t>(offset + filled));
    if (count <= 0)
      return std::nullopt;
    filled += static_cast<std::size_t>(count);
  }
  return bytes;
}

template <typename Record>
std::optional<std::vector<Record>> read_records(int descriptor, std::uint64_t offset, std::uint64_t count) {
  const auto bytes = read_part(descriptor, offset, count * sizeof(Record));
  if (!bytes)
    return std::nullopt;
  std::vector<Record> records(count);
  if (count != 0)
    std::memcpy(records.data(), bytes->data(), bytes->size());
  return records;
}

// The zero-terminated text at a file offset. Tables of names reach tens of megabytes, of which a few names are wanted.
std::string text_at(int descriptor, std::uint64_t offset) {
  std::array<char, 1024> piece{};
  const ssize_t count = ::pread(descriptor, piece.data(), piece.size(), static_cast<off_t>(offset));
  const std::string_view text(piece.data(), count > 0 ? static_cast<std::size_t>(count) : 0);
  const std::size_t end = text.find('\0');
  return end == std::string_view::npos ? std::string() : std::string(text.substr(0, end));
}

// File offset of a virtual address.
std::optional<std::uint64_t> offset_of(const std::vector<Elf64_Phdr>& segments, std::uint64_t address) {
  for (const Elf64_Phdr& segment : segments)
    if (segment.p_type == PT_LOAD && address >= segment.p_vaddr && address - segment.p_vaddr < segment.p_filesz)
      return segment.p_offset + (address - segment.p_vaddr);
  return std::nullopt;
}

void add_run_folders(std::string_view list, const std::string& origin, std::vector<std::string>& folders) {
  while (!list.empty()) {
    const std::size_t colon = std::min(list.find(':'), list.size());
    std::string folder(list.substr(0, colon));
    for (std::string_view name : {"${ORIGIN}", "$ORIGIN"})
      for (std::size_t at = folder.find(name); at != std::string::npos; at = folder.find(name))
        folder.replace(at, name.size(), origin);
    if (folder.starts_with('/'))
      folders.push_back(std::move(folder));
    list.remove_prefix(std::min(colon + 1, list.size()));
  }
}

bool read_dynamic_section(int descriptor, const std::vector<Elf64_Phdr>& segments, const std::string& origin,
                          SharedLibraryFile& library) {
  const auto segment = std::find_if(segments.begin(), segments.end(),
                                    [](const Elf64_Phdr& candidate) { return candidate.p_type == PT_DYNAMIC; });
  if (segment == segments.end())
    return false;
  const auto entries = read_records<Elf64_Dyn>(descriptor, segment->p_offset, segment->p_filesz / sizeof(Elf64_Dyn));
  if (!entries)
    return false;
  const auto value_of = [&entries](std::int64_t tag) -> std::uint64_t {
    for (const Elf64_Dyn& entry : *entries)
      if (entry.d_tag == tag)
        return entry.d_un.d_val;
    return 0;
  };
  const auto texts_offset = offset_of(segments, value_of(DT_STRTAB));
  if (!texts_offset)
    return false;
  for (const Elf64_Dyn& entry : *entries) {
    const auto text = [&] { return text_at(descriptor, *texts_offset + entry.d_un.d_val); };
    if (entry.d_tag == DT_NULL)
      break;
    if (entry.d_tag == DT_NEEDED)
      library.needed.push_back(text());
    else if (entry.d_tag == DT_SONAME && !text().empty())
      library.identity.soname = text();
    else if (entry.d_tag == DT_RUNPATH || entry.d_tag == DT_RPATH)
      add_run_folders(text(), origin, library.run_folders);
  }
  return true;
}

std::string read_build_id(int descriptor, const std::vector<Elf64_Phdr>& segments) {
  for (const Elf64_Phdr& segment : segments) {
    if (segment.p_type != PT_NOTE)
      continue;
    if (const auto notes = read_part(descriptor, segment.p_offset, segment.p_filesz)) {
      if (std::string build_id = find_build_id(*notes); !build_id.empty())
        return build_id;
    }
  }
  return {};
}

Result<std::string> hash_of_file(int descriptor, const std::string& path) {
  auto bytes = base::read_all(descriptor, k_maximum_file, path);
  if (!bytes)
    return unreadable(path, bytes.error().message);
  return "xxh3-" + base::to_hex(base::hash128(*bytes));
}

} // namespace

std::string find_build_id(base::ByteView notes) {
  const auto padded = [](std::uint64_t size) { return (size + 3) & ~std::uint64_t{3}; };
  base::ByteReader reader(notes);
  std::uint32_t name_size = 0;
  std::uint32_t descriptor_size = 0;
  std::uint32_t type = 0;
  base::ByteView name;
  base::ByteView descriptor;
  while (reader.read(name_size) && reader.read(descriptor_size) && reader.read(type) &&
         reader.read_bytes(padded(name_size), name) && reader.read_bytes(descriptor_size, descriptor)) {
    if (type == NT_GNU_BUILD_ID && name_size == 4 && std::memcmp(name.data(), "GNU", 4) == 0)
      return base::to_hex(descriptor);
    if (!reader.skip(padded(descriptor_size) - descriptor_size))
      break;
  }
  return {};
}

Result<SharedLibraryFile> read_shared_library(const std::string& path) {
  SharedLibraryFile library;
  library.identity.path = resolved_path(path);
  if (library.identity.path.empty())
    return unreadable(path, ::strerrordesc_np(errno));
  const std::size_t slash = library.identity.path.rfind('/');
  library.identity.soname = library.identity.path.substr(slash + 1);
  auto file = base::open_file(AT_FDCWD, library.identity.path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
  if (!file)
    return unreadable(path, file.error().message);
  struct stat information{};
  if (::fstat(file->get(), &information) != 0 || !S_ISREG(information.st_mode))
    return unreadable(path, "it is not a regular file");
  const auto header = read_records<Elf64_Ehdr>(file->get(), 0, 1);
  if (!header || std::memcmp(header->front().e_ident, ELFMAG, SELFMAG) != 0 || header->front().e_type != ET_DYN ||
      header->front().e_ident[EI_CLASS] != ELFCLASS64 || header->front().e_machine != EM_X86_64 ||
      header->front().e_phentsize != sizeof(Elf64_Phdr))
    return unreadable(path, "it is not a shared library for x86-64");
  const auto segments = read_records<Elf64_Phdr>(file->get(), header->front().e_phoff, header->front().e_phnum);
  if (!segments || !read_dynamic_section(file->get(), *segments, library.identity.path.substr(0, slash), library))
    return unreadable(path, "its dynamic section is damaged");
  library.identity.build_id = read_build_id(file->get(), *segments);
  if (library.identity.build_id.empty()) {
    HK_ASSIGN_OR_RETURN(library.identity.build_id, hash_of_file(file->get(), path));
  }
  return library;
}

} // namespace hk::compile
