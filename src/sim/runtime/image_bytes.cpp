#include "sim/runtime/image_bytes.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include <elf.h>
#include <sys/uio.h>
#include <unistd.h>

namespace hk::sim {
namespace {

constexpr std::string_view k_bundle_magic = "__CLANG_OFFLOAD_BUNDLE__";
constexpr std::string_view k_compressed_magic = "CCOB";
constexpr std::uint64_t k_bundle_entries_limit = 1024;

class ForeignBytes {
 public:
  explicit ForeignBytes(const void* begin) : m_begin(static_cast<const std::byte*>(begin)) {}

  // The kernel copies the bytes, so that unmapped memory is an error instead of a signal.
  bool copy(std::uint64_t offset, std::uint64_t size, void* to) const {
    std::uint64_t done = 0;
    while (done < size) {
      iovec local{static_cast<std::byte*>(to) + done, size - done};
      iovec remote{const_cast<std::byte*>(m_begin) + offset + done, size - done};
      const ssize_t copied = process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
      if (copied <= 0) {
        if (copied < 0 && (errno == ENOSYS || errno == EPERM)) { // forbidden by a sandbox: read it directly
          std::memcpy(to, m_begin + offset, size);
          return true;
        }
        return false;
      }
      done += static_cast<std::uint64_t>(copied);
    }
    return true;
  }

  template <typename T>
  bool read(std::uint64_t offset, T& value) const {
    return offset < k_largest_image && copy(offset, sizeof value, &value);
  }

 private:
  const std::byte* m_begin;
};

// Grows `end` to hold [offset, offset + size). False if that is larger than any image.
bool extend(std::uint64_t& end, std::uint64_t offset, std::uint64_t size) {
  if (offset > k_largest_image || size > k_largest_image)
    return false;
  end = std::max(end, offset + size);
  return true;
}

bool elf_size(const ForeignBytes& bytes, std::uint64_t& end) {
  Elf64_Ehdr header;
  if (!bytes.read(0, header) || header.e_ident[EI_CLASS] != ELFCLASS64)
    return false;
  bool good = extend(end, 0, sizeof header) &&
              extend(end, header.e_shoff, std::uint64_t{header.e_shnum} * header.e_shentsize) &&
              extend(end, header.e_phoff, std::uint64_t{header.e_phnum} * header.e_phentsize);
  for (std::uint64_t i = 0; good && i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    good =
        bytes.read(header.e_phoff + i * header.e_phentsize, segment) && extend(end, segment.p_offset, segment.p_filesz);
  }
  for (std::uint64_t i = 0; good && i < header.e_shnum; ++i) {
    Elf64_Shdr section;
    good = bytes.read(header.e_shoff + i * header.e_shentsize, section) &&
           (section.sh_type == SHT_NOBITS || section.sh_type == SHT_NULL ||
            extend(end, section.sh_offset, section.sh_size));
  }
  return good;
}

// Magic, number of entries, then per entry: offset, size, length of the name, name.
bool bundle_size(const ForeignBytes& bytes, std::uint64_t& end) {
  std::uint64_t position = k_bundle_magic.size();
  std::uint64_t entries = 0;
  if (!bytes.read(position, entries) || entries > k_bundle_entries_limit)
    return false;
  position += sizeof entries;
  for (std::uint64_t i = 0; i < entries; ++i) {
    std::uint64_t fields[3] = {0, 0, 0};
    if (!bytes.read(position, fields) || !extend(end, fields[0], fields[1]) || fields[2] > k_largest_image)
      return false;
    position += sizeof fields + fields[2];
  }
  return extend(end, 0, position);
}

} // namespace

Outcome<std::vector<std::byte>> read_image(const void* image) {
  const ForeignBytes bytes(image);
  char magic[24] = {};
  if (!bytes.copy(0, sizeof magic, magic))
    return error(ErrorCode::invalid_image, "the image is not readable memory");
  std::uint64_t size = 0;
  bool good = false;
  if (std::memcmp(magic, ELFMAG, SELFMAG) == 0)
    good = elf_size(bytes, size);
  else if (std::string_view(magic, sizeof magic) == k_bundle_magic)
    good = bundle_size(bytes, size);
  else if (std::string_view(magic, k_compressed_magic.size()) == k_compressed_magic)
    return error(ErrorCode::invalid_image,
                 "compressed offload bundles are not supported; compile with --no-offload-compress");
  else
    return error(ErrorCode::invalid_image, "the image is neither an ELF file nor an offload bundle");
  if (!good || size > k_largest_image)
    return error(ErrorCode::invalid_image, "the headers of the image are damaged");
  std::vector<std::byte> copy(size);
  if (!bytes.copy(0, size, copy.data()))
    return error(ErrorCode::invalid_image, "the image is shorter than its headers say");
  return copy;
}

} // namespace hk::sim
