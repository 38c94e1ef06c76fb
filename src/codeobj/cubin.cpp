#include "codeobj/cubin.h"

#include <algorithm>
#include <optional>
#include <string>

#include "codeobj/elf.h"
#include "codeobj/file_view.h"

namespace hk::codeobj {
namespace {

constexpr std::uint8_t k_abi_version_cuda_13 = 8; // moved the compute capability within e_flags

// Records of .nv.info: format, attribute, then two bytes that are a value or the size of what follows.
constexpr std::uint8_t k_format_sized = 4;
enum class Attribute : std::uint8_t {
  frame_size = 0x11,     // {symbol, bytes of local memory of its own}
  min_stack_size = 0x12, // {symbol, bytes with what it calls}
  register_count = 0x2f, // {symbol, registers}
  max_threads = 0x05,    // of .nv.info.<kernel>: {x, y, z} of __launch_bounds__
};
struct RecordHead {
  std::uint8_t format;
  std::uint8_t attribute;
  std::uint16_t size;
};
struct SymbolValue {
  std::uint32_t symbol;
  std::uint32_t value;
};

// From compute capability 9.0 on the system has the first KiB of a block's shared memory.
constexpr std::uint32_t k_first_machine_with_reserve = 90;
constexpr std::uint64_t k_reserved_shared_bytes = 1024;

FailAs damaged(const std::string& what) {
  return fail_as(Status(StatusCode::load_failed, "the cubin is damaged: " + what + "; recompile it"));
}

const ElfSection* find_section(const ElfImage& elf, const std::string& name) {
  for (const ElfSection& section : elf.sections)
    if (section.name == name)
      return &section;
  return nullptr;
}

std::optional<std::uint32_t> find_symbol(const ElfImage& elf, std::string_view name) {
  for (std::size_t i = 0; i < elf.symbols.size(); ++i)
    if (elf.symbols[i].is_defined() && elf.symbols[i].name == name)
      return static_cast<std::uint32_t>(i);
  return std::nullopt;
}

// Calls visit(attribute, payload) for the sized records of a section.
template <typename Visit>
Status read_records(const FileView& records, Visit&& visit) {
  std::uint64_t position = 0;
  while (position < records.size()) {
    const auto head = records.read<RecordHead>(position);
    if (!head)
      return damaged("its .nv.info ends in the middle of a record");
    position += sizeof(RecordHead);
    if (head->format != k_format_sized)
      continue;
    const auto payload = records.slice(position, head->size);
    if (!payload)
      return damaged("its .nv.info ends in the middle of a record");
    visit(head->attribute, *payload);
    position += head->size;
  }
  return {};
}

Status read_counts(const FileView& records, std::uint32_t symbol, KernelResources& resources) {
  return read_records(records, [&](std::uint8_t attribute, const FileView& payload) {
    const auto value = payload.read<SymbolValue>(0);
    if (!value || value->symbol != symbol)
      return;
    if (attribute == static_cast<std::uint8_t>(Attribute::register_count))
      resources.vgprs = value->value;
    if (attribute == static_cast<std::uint8_t>(Attribute::frame_size) ||
        attribute == static_cast<std::uint8_t>(Attribute::min_stack_size))
      resources.scratch_bytes = std::max<std::uint64_t>(resources.scratch_bytes, value->value);
  });
}

Status read_workgroup_size(const FileView& records, KernelResources& resources) {
  return read_records(records, [&](std::uint8_t attribute, const FileView& payload) {
    const auto sizes = payload.read_array<std::uint32_t>(0, 3);
    if (attribute == static_cast<std::uint8_t>(Attribute::max_threads) && sizes)
      resources.max_workgroup_size = (*sizes)[0] * (*sizes)[1] * (*sizes)[2];
  });
}

// 0 if the unit defines none.
Result<std::uint32_t> dynamic_shared_bytes(const FileView& file, const ElfImage& elf, std::string_view kernel) {
  const auto index = find_symbol(elf, dynamic_shared_symbol(kernel));
  if (!index)
    return 0U;
  const ElfSymbol& symbol = elf.symbols[*index];
  if (symbol.section_index >= elf.sections.size())
    return damaged("'" + symbol.name + "' lies in no section");
  const ElfSection& section = elf.sections[symbol.section_index];
  const auto content = file.slice(section.offset, section.size);
  const auto bytes = content ? content->read<std::uint32_t>(symbol.value) : std::nullopt;
  if (!bytes)
    return damaged("'" + symbol.name + "' has no value");
  return *bytes;
}

} // namespace

std::string dynamic_shared_symbol(std::string_view kernel) {
  return std::string(kernel) + "__shared_bytes";
}

Result<CubinKernel> read_cubin_kernel(std::span<const std::byte> bytes, std::string_view symbol) {
  HK_ASSIGN_OR_RETURN(const ElfImage elf, parse_elf(bytes, k_machine_cuda));
  const FileView file(bytes);
  CubinKernel kernel;
  kernel.machine = (elf.abi_version >= k_abi_version_cuda_13 ? elf.flags >> 8 : elf.flags) & 0xff;
  const std::string name(symbol);
  const auto index = find_symbol(elf, symbol);
  if (!index || find_section(elf, ".text." + name) == nullptr)
    return fail(StatusCode::load_failed, "the cubin does not hold the kernel '" + name + "'");
  const auto content_of = [&](const ElfSection* section) {
    return section == nullptr ? FileView() : file.slice(section->offset, section->size).value_or(FileView());
  };
  KernelResources& resources = kernel.resources;
  HK_RETURN_IF_ERROR(read_counts(content_of(find_section(elf, ".nv.info")), *index, resources));
  HK_RETURN_IF_ERROR(read_workgroup_size(content_of(find_section(elf, ".nv.info." + name)), resources));
  if (resources.vgprs == 0)
    return damaged("it does not say how many registers '" + name + "' needs");
  if (const ElfSection* shared = find_section(elf, ".nv.shared." + name)) {
    const std::uint64_t reserved = kernel.machine >= k_first_machine_with_reserve ? k_reserved_shared_bytes : 0;
    resources.lds_bytes = shared->size - std::min(shared->size, reserved);
  }
  HK_ASSIGN_OR_RETURN(resources.dynamic_lds_bytes, dynamic_shared_bytes(file, elf, symbol));
  resources.lds_bytes += resources.dynamic_lds_bytes;
  return kernel;
}

} // namespace hk::codeobj
