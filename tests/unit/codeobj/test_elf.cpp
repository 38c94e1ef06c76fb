#include "codeobj/elf.h"

#include <elf.h>

#include "fixture.h"

using namespace hk;
using namespace hk::codeobj;

TEST_SUITE_BEGIN("elf");

TEST_CASE("The header of a compiled object") {
  const auto image = parse_elf(load_fixture("vector_add_gfx950_v5.co"));
  REQUIRE(image.has_value());
  CHECK(image->os_abi == k_os_abi_amdgpu_hsa);
  CHECK(image->abi_version == 3);
  CHECK(image->type == ET_DYN);
  CHECK(image->flags == 0xe4f);
}

TEST_CASE("Segments, and where addresses lie in the file") {
  const auto image = parse_elf(load_fixture("vector_add_gfx950_v5.co"));
  REQUIRE(image.has_value());
  CHECK(image->segments.size() == 9);
  CHECK(image->loaded_size() == 0x4278 + 5);
  const ElfSegment* code = image->segment_of(0x1c00, 0x5c0);
  REQUIRE(code != nullptr);
  CHECK(code->flags == (PF_R | PF_X));
  CHECK(image->segment_of(0x1c00, 0x5c1) == nullptr);
  CHECK(image->segment_of(0x1bff, 1) == nullptr);
  CHECK(image->file_offset_of(0x1c00, 0x5c0) == 0xc00);
  CHECK(image->file_offset_of(0x31c0, 8) == 0x11c0);
  CHECK_FALSE(image->file_offset_of(0x4278, 4).has_value()); // .bss: in memory, not in the file
  CHECK(image->segment_of(0x4278, 4) != nullptr);
  CHECK_FALSE(image->file_offset_of(~std::uint64_t{0}, 8).has_value());
  CHECK(image->segment_of(~std::uint64_t{0}, ~std::uint64_t{0}) == nullptr);
}

TEST_CASE("Dynamic symbols") {
  const auto image = parse_elf(load_fixture("vector_add_gfx950_v5.co"));
  REQUIRE(image.has_value());
  REQUIRE(image->dynamic_symbols.size() == 8);
  const ElfSymbol& function = image->dynamic_symbols[1];
  CHECK(function.name == "vector_add");
  CHECK(function.value == 0x1c00);
  CHECK(function.size == 196);
  CHECK(function.type == STT_FUNC);
  CHECK(function.binding == STB_GLOBAL);
  CHECK(function.visibility == STV_PROTECTED);
  CHECK(function.section_index == 8);
  CHECK(function.is_defined());
  CHECK_FALSE(image->dynamic_symbols[0].is_defined());
  const ElfSymbol& global = image->dynamic_symbols[6];
  CHECK(global.name == "counter");
  CHECK(global.value == 0x4278);
  CHECK(global.size == 4);
  CHECK(global.type == STT_OBJECT);
  CHECK(image->symbols.size() == 25);
}

TEST_CASE("The relocation of a pointer to a device global") {
  const auto image = parse_elf(load_fixture("vector_add_gfx950_v5.co"));
  REQUIRE(image.has_value());
  REQUIRE(image->relocations.size() == 1);
  CHECK(image->relocations[0].address == 0x31c0);
  CHECK(image->relocations[0].type == RelocationType::relative64);
  CHECK(image->relocations[0].addend == 0x4278);
}

TEST_CASE("Sections and notes") {
  const auto image = parse_elf(load_fixture("vector_add_gfx950_v5.co"));
  REQUIRE(image.has_value());
  REQUIRE(image->sections.size() == 18);
  CHECK(image->sections[8].name == ".text");
  CHECK(image->sections[8].address == 0x1c00);
  CHECK(image->sections[8].size == 0x5c0);
  REQUIRE(image->notes.size() == 1);
  CHECK(image->notes[0].owner == "AMDGPU");
  CHECK(image->notes[0].type == 32);
}

TEST_CASE("Files of other kinds are refused for what they are") {
  CHECK(parse_elf({}).error().message.find("0 bytes") != std::string::npos);
  CHECK(parse_elf(bytes_of(std::string(100, 'x'))).error().message.find("ELF magic") != std::string::npos);
  auto file = load_fixture("vector_add_gfx950_v5.co");
  file[18] = std::byte{62}; // e_machine = x86-64
  const auto image = parse_elf(file);
  REQUIRE_FALSE(image.has_value());
  CHECK(image.error().code == StatusCode::load_failed);
  CHECK(image.error().message.find("not for an AMD GPU") != std::string::npos);
}

TEST_CASE("A segment that asks for more memory than any kernel is refused") {
  auto file = load_fixture("vector_add_gfx950_v5.co");
  const std::size_t second_segment = 64 + 56; // the first PT_LOAD
  Elf64_Phdr header;
  std::memcpy(&header, file.data() + second_segment, sizeof(header));
  REQUIRE(header.p_type == PT_LOAD);
  for (std::uint64_t memory_size : {std::uint64_t{1} << 40, ~std::uint64_t{0}, std::uint64_t{1}}) {
    header.p_memsz = memory_size;
    std::memcpy(file.data() + second_segment, &header, sizeof(header));
    CHECK_FALSE(parse_elf(file).has_value());
  }
}

TEST_SUITE_END();
