#pragma once
// A real code object whose kernel vector_add bears another name, so that a fake compiler can answer any request.
//
// The new names are appended to the file: a second copy of each string table with the names at its end, to which the
// symbols then point, and a second metadata note.

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include <doctest/doctest.h>

#include "base/bytes.h"

namespace hk::test {

class RenamedCodeObject {
 public:
  // For gfx950:sramecc+:xnack-, the target of the null device.
  explicit RenamedCodeObject(std::string symbol) : m_symbol(std::move(symbol)) {
    std::ifstream file(HK_CODE_OBJECT_DATA "/vector_add_gfx950_v5.co", std::ios::binary);
    REQUIRE(file.good());
    m_file.assign(std::istreambuf_iterator<char>(file), {});
  }

  base::Bytes bytes() {
    const auto header = at<Elf64_Ehdr>(0);
    for (unsigned i = 0; i < header.e_shnum; ++i) {
      const std::uint64_t where = header.e_shoff + i * sizeof(Elf64_Shdr);
      const auto section = at<Elf64_Shdr>(where);
      if (section.sh_type == SHT_DYNSYM || section.sh_type == SHT_SYMTAB)
        rename_symbols(section, header.e_shoff + section.sh_link * sizeof(Elf64_Shdr));
      else if (section.sh_type == SHT_NOTE)
        rename_note(where, header);
    }
    const base::ByteView view = base::as_bytes(m_file);
    return {view.begin(), view.end()};
  }

 private:
  template <typename Record>
  Record at(std::uint64_t offset) const {
    Record record;
    REQUIRE(offset + sizeof(record) <= m_file.size());
    std::memcpy(&record, m_file.data() + offset, sizeof(record));
    return record;
  }

  template <typename Record>
  void put(std::uint64_t offset, const Record& record) {
    std::memcpy(m_file.data() + offset, &record, sizeof(record));
  }

  std::uint64_t append(const std::string& text) {
    m_file.resize((m_file.size() + 7) / 8 * 8, '\0');
    const std::uint64_t offset = m_file.size();
    m_file += text;
    return offset;
  }

  void rename_symbols(const Elf64_Shdr& symbols, std::uint64_t strings_header) {
    auto strings = at<Elf64_Shdr>(strings_header);
    std::string table = m_file.substr(strings.sh_offset, strings.sh_size);
    for (std::uint64_t offset = 0; offset < symbols.sh_size; offset += sizeof(Elf64_Sym)) {
      auto symbol = at<Elf64_Sym>(symbols.sh_offset + offset);
      const std::string name = table.c_str() + symbol.st_name;
      if (name != "vector_add" && name != "vector_add.kd")
        continue;
      symbol.st_name = static_cast<Elf64_Word>(table.size());
      table += m_symbol + name.substr(std::strlen("vector_add")) + '\0';
      put(symbols.sh_offset + offset, symbol);
    }
    strings.sh_offset = append(table);
    strings.sh_size = table.size();
    put(strings_header, strings);
  }

  // MessagePack text of up to 255 bytes: 0xd9, length, bytes; of up to 31 bytes: 0xa0 + length, bytes.
  void rename_text(std::string& metadata, const std::string& from, const std::string& to) const {
    const std::string short_form = static_cast<char>(0xa0 + from.size()) + from;
    const std::string long_form = std::string("\xd9") + static_cast<char>(to.size()) + to;
    const std::size_t found = metadata.find(short_form);
    REQUIRE(found != std::string::npos);
    REQUIRE(to.size() < 256);
    metadata.replace(found, short_form.size(), long_form);
  }

  void rename_note(std::uint64_t section_header, const Elf64_Ehdr& header) {
    auto section = at<Elf64_Shdr>(section_header);
    auto note = at<Elf64_Nhdr>(section.sh_offset);
    const std::uint64_t descriptor = sizeof(note) + 8; // the owner "AMDGPU" and its zero byte fill 8 bytes
    std::string owner = m_file.substr(section.sh_offset + sizeof(note), 8);
    std::string metadata = m_file.substr(section.sh_offset + descriptor, note.n_descsz);
    rename_text(metadata, "vector_add", m_symbol);
    rename_text(metadata, "vector_add.kd", m_symbol + ".kd");
    note.n_descsz = static_cast<Elf64_Word>(metadata.size());
    metadata.resize((metadata.size() + 3) / 4 * 4, '\0');
    std::string record(reinterpret_cast<const char*>(&note), sizeof(note));
    record += owner + metadata;
    section.sh_offset = append(record);
    section.sh_size = record.size();
    put(section_header, section);
    for (unsigned i = 0; i < header.e_phnum; ++i) {
      const std::uint64_t where = header.e_phoff + i * sizeof(Elf64_Phdr);
      auto segment = at<Elf64_Phdr>(where);
      if (segment.p_type != PT_NOTE)
        continue;
      segment.p_offset = section.sh_offset;
      segment.p_filesz = segment.p_memsz = section.sh_size;
      put(where, segment);
    }
  }

  std::string m_symbol;
  std::string m_file;
};

} // namespace hk::test
