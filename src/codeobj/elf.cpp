#include "codeobj/elf.h"

#include <algorithm>
#include <array>

#include <elf.h>

#include "codeobj/file_view.h"

namespace hk::codeobj {
namespace {

FailAs damaged(const std::string& what) {
  return fail_as(Status(StatusCode::load_failed, "the code object is damaged: " + what + "; recompile it"));
}

Result<Elf64_Ehdr> read_header(const FileView& file, std::uint16_t machine) {
  const auto header = file.read<Elf64_Ehdr>(0);
  if (!header)
    return damaged("its " + std::to_string(file.size()) + " bytes are fewer than an ELF header");
  if (std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0)
    return fail(StatusCode::load_failed, "the file is not a code object: it does not start with the ELF magic");
  if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB ||
      header->e_machine != machine)
    return fail(StatusCode::load_failed, std::string("the ELF file is not for an ") +
                                             (machine == k_machine_amdgpu ? "AMD" : "NVIDIA") + " GPU (machine " +
                                             std::to_string(header->e_machine) + ", wanted 64-bit little-endian " +
                                             std::to_string(machine) + ")");
  if (header->e_phnum != 0 && header->e_phentsize != sizeof(Elf64_Phdr))
    return damaged("program headers of " + std::to_string(header->e_phentsize) + " bytes");
  if (header->e_shnum != 0 && header->e_shentsize != sizeof(Elf64_Shdr))
    return damaged("section headers of " + std::to_string(header->e_shentsize) + " bytes");
  return *header;
}

Result<std::vector<ElfSegment>> read_segments(const FileView& file, const Elf64_Ehdr& header) {
  std::vector<ElfSegment> segments;
  const auto table = file.read_array<Elf64_Phdr>(header.e_phoff, header.e_phnum);
  if (!table)
    return damaged("the program headers reach past its end");
  for (std::size_t i = 0; i < table->size(); ++i) {
    const Elf64_Phdr& raw = (*table)[i];
    if (!file.contains(raw.p_offset, raw.p_filesz))
      return damaged("segment " + std::to_string(i) + " reaches past its end");
    if (raw.p_type == PT_LOAD && (raw.p_filesz > raw.p_memsz || raw.p_memsz > k_max_loaded_size ||
                                  raw.p_vaddr > k_max_loaded_size - raw.p_memsz))
      return damaged("segment " + std::to_string(i) + " has an impossible size or address");
    segments.push_back({raw.p_type, raw.p_flags, raw.p_offset, raw.p_vaddr, raw.p_filesz, raw.p_memsz, raw.p_align});
  }
  return segments;
}

// Empty for a section that lies outside the file.
FileView bytes_of(const FileView& file, const ElfSection& section) {
  return file.slice(section.offset, section.size).value_or(FileView());
}

Result<std::vector<ElfSection>> read_sections(const FileView& file, const Elf64_Ehdr& header) {
  std::vector<ElfSection> sections;
  const auto table = file.read_array<Elf64_Shdr>(header.e_shoff, header.e_shnum);
  if (!table)
    return damaged("the section headers reach past its end");
  for (std::size_t i = 0; i < table->size(); ++i) {
    const Elf64_Shdr& raw = (*table)[i];
    if (raw.sh_type != SHT_NOBITS && raw.sh_type != SHT_NULL && !file.contains(raw.sh_offset, raw.sh_size))
      return damaged("section " + std::to_string(i) + " reaches past its end");
    sections.push_back({"", raw.sh_type, raw.sh_flags, raw.sh_addr, raw.sh_offset, raw.sh_size, raw.sh_link,
                        raw.sh_info, raw.sh_entsize});
  }
  if (sections.empty())
    return sections;
  if (header.e_shstrndx >= sections.size() || sections[header.e_shstrndx].type != SHT_STRTAB)
    return damaged("it has no table of section names");
  const FileView names = bytes_of(file, sections[header.e_shstrndx]);
  for (std::size_t i = 0; i < sections.size(); ++i) {
    const auto name = names.zero_terminated((*table)[i].sh_name);
    if (!name)
      return damaged("the name of section " + std::to_string(i) + " is not inside the name table");
    sections[i].name = *name;
  }
  return sections;
}

Result<std::vector<ElfSymbol>> read_symbols(const FileView& file, const std::vector<ElfSection>& sections,
                                            const ElfSection& section) {
  if (section.entry_size != sizeof(Elf64_Sym) || section.size % sizeof(Elf64_Sym) != 0 ||
      section.link >= sections.size() || sections[section.link].type != SHT_STRTAB)
    return damaged("symbol table '" + section.name + "' has a wrong entry size or no name table");
  const auto table = file.read_array<Elf64_Sym>(section.offset, section.size / sizeof(Elf64_Sym));
  if (!table)
    return damaged("symbol table '" + section.name + "' reaches past its end");
  const FileView names = bytes_of(file, sections[section.link]);
  std::vector<ElfSymbol> symbols;
  for (const Elf64_Sym& raw : *table) {
    const auto name = names.zero_terminated(raw.st_name);
    if (!name)
      return damaged("a name of symbol table '" + section.name + "' is not inside its name table");
    symbols.push_back({std::string(*name), raw.st_value, raw.st_size,
                       static_cast<std::uint8_t>(ELF64_ST_TYPE(raw.st_info)),
                       static_cast<std::uint8_t>(ELF64_ST_BIND(raw.st_info)),
                       static_cast<std::uint8_t>(ELF64_ST_VISIBILITY(raw.st_other)), raw.st_shndx});
  }
  return symbols;
}

Status read_relocations(const FileView& file, const ElfSection& section, ElfImage& image) {
  if (section.entry_size != sizeof(Elf64_Rela) || section.size % sizeof(Elf64_Rela) != 0)
    return damaged("relocation section '" + section.name + "' has a wrong entry size");
  const auto table = file.read_array<Elf64_Rela>(section.offset, section.size / sizeof(Elf64_Rela));
  if (!table)
    return damaged("relocation section '" + section.name + "' reaches past its end");
  for (const Elf64_Rela& raw : *table) {
    const auto symbol_index = static_cast<std::uint32_t>(ELF64_R_SYM(raw.r_info));
    if (symbol_index != 0 && symbol_index >= image.dynamic_symbols.size())
      return damaged("a relocation of '" + section.name + "' names a symbol that does not exist");
    image.relocations.push_back(
        {raw.r_offset, static_cast<RelocationType>(ELF64_R_TYPE(raw.r_info)), symbol_index, raw.r_addend});
  }
  return {};
}

Status read_notes(const FileView& file, const ElfSegment& segment, std::vector<ElfNote>& notes) {
  const FileView table = file.slice(segment.offset, segment.file_size).value_or(FileView());
  std::uint64_t position = 0;
  while (position < table.size()) {
    const auto header = table.read<Elf64_Nhdr>(position);
    const auto padded = [](std::uint64_t length) { return (length + 3) & ~std::uint64_t{3}; };
    const std::uint64_t name_offset = position + sizeof(Elf64_Nhdr);
    if (!header || !table.contains(name_offset, padded(header->n_namesz)))
      return damaged("its notes end in the middle of one");
    const std::uint64_t descriptor_offset = name_offset + padded(header->n_namesz);
    if (!table.contains(descriptor_offset, header->n_descsz))
      return damaged("its notes end in the middle of one");
    std::string owner(table.slice(name_offset, header->n_namesz).value_or(FileView()).text());
    owner.resize(std::min(owner.find('\0'), owner.size()));
    notes.push_back({std::move(owner), header->n_type, segment.offset + descriptor_offset, header->n_descsz});
    position = descriptor_offset + padded(header->n_descsz);
  }
  return {};
}

} // namespace

std::uint64_t ElfImage::loaded_size() const noexcept {
  std::uint64_t end = 0;
  for (const ElfSegment& segment : segments)
    if (segment.type == PT_LOAD)
      end = std::max(end, segment.virtual_address + segment.memory_size);
  return end;
}

const ElfSegment* ElfImage::segment_of(std::uint64_t address, std::uint64_t size) const noexcept {
  for (const ElfSegment& segment : segments)
    if (segment.type == PT_LOAD && address >= segment.virtual_address &&
        address - segment.virtual_address <= segment.memory_size &&
        size <= segment.memory_size - (address - segment.virtual_address))
      return &segment;
  return nullptr;
}

std::optional<std::uint64_t> ElfImage::file_offset_of(std::uint64_t address, std::uint64_t size) const noexcept {
  for (const ElfSegment& segment : segments) {
    if (segment.type != PT_LOAD || address < segment.virtual_address)
      continue;
    const std::uint64_t distance = address - segment.virtual_address;
    if (distance <= segment.file_size && size <= segment.file_size - distance)
      return segment.offset + distance;
  }
  return std::nullopt;
}

Result<ElfImage> parse_elf(std::span<const std::byte> bytes, std::uint16_t machine) {
  const FileView file(bytes);
  HK_ASSIGN_OR_RETURN(const Elf64_Ehdr header, read_header(file, machine));
  ElfImage image;
  image.os_abi = header.e_ident[EI_OSABI];
  image.abi_version = header.e_ident[EI_ABIVERSION];
  image.type = header.e_type;
  image.flags = header.e_flags;
  HK_ASSIGN_OR_RETURN(image.segments, read_segments(file, header));
  HK_ASSIGN_OR_RETURN(image.sections, read_sections(file, header));
  for (const ElfSection& section : image.sections) {
    if (section.type == SHT_DYNSYM && image.dynamic_symbols.empty()) {
      HK_ASSIGN_OR_RETURN(image.dynamic_symbols, read_symbols(file, image.sections, section));
    } else if (section.type == SHT_SYMTAB && image.symbols.empty()) {
      HK_ASSIGN_OR_RETURN(image.symbols, read_symbols(file, image.sections, section));
    }
  }
  for (const ElfSection& section : image.sections) {
    if (section.type == SHT_RELA && (section.flags & SHF_ALLOC) != 0)
      HK_RETURN_IF_ERROR(read_relocations(file, section, image));
  }
  for (const ElfSegment& segment : image.segments) {
    if (segment.type == PT_NOTE)
      HK_RETURN_IF_ERROR(read_notes(file, segment, image.notes));
  }
  return image;
}

} // namespace hk::codeobj
