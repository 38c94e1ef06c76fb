#include "codeobj/code_object.h"

#include <algorithm>
#include <optional>

#include <elf.h>

#include "codeobj/offload_bundle.h"

namespace hk::codeobj {
namespace {

FailAs refused(const std::string& what) {
  return fail_as(Status(StatusCode::load_failed, "the code object cannot be loaded: " + what));
}

Result<Metadata> find_metadata(std::span<const std::byte> file, const ElfImage& elf) {
  for (const ElfNote& note : elf.notes)
    if (note.owner == "AMDGPU" && note.type == k_note_type_metadata)
      return parse_metadata(file.subspan(note.offset, note.size));
  return refused("it has no metadata note; compile it with -mcode-object-version=5");
}

const ElfSymbol* find_defined(const std::vector<ElfSymbol>& symbols, std::string_view name) {
  for (const ElfSymbol& symbol : symbols)
    if (symbol.is_defined() && symbol.name == name)
      return &symbol;
  return nullptr;
}

Result<Kernel> read_kernel(std::span<const std::byte> file, const ElfImage& elf, KernelMetadata&& metadata) {
  Kernel kernel;
  kernel.metadata = std::move(metadata);
  const std::string label = "kernel '" + kernel.metadata.name + "'";
  const ElfSymbol* symbol = find_defined(elf.dynamic_symbols, kernel.metadata.symbol);
  if (symbol == nullptr)
    return refused(label + " has no descriptor symbol '" + kernel.metadata.symbol + "'");
  const auto offset = elf.file_offset_of(symbol->value, k_kernel_descriptor_size);
  if (!offset || symbol->value % k_kernel_descriptor_alignment != 0)
    return refused("the descriptor of " + label + " is not an aligned 64 bytes of a segment");
  HK_ASSIGN_OR_RETURN(kernel.descriptor, decode_kernel_descriptor(file.subspan(*offset, k_kernel_descriptor_size)));
  kernel.descriptor_address = symbol->value;
  kernel.entry_address = symbol->value + static_cast<std::uint64_t>(kernel.descriptor.code_entry_offset);
  const ElfSegment* segment = elf.segment_of(kernel.entry_address, 4);
  if (segment == nullptr || (segment->flags & PF_X) == 0 || kernel.entry_address % 256 != 0)
    return refused("the entry of " + label + " is not an address aligned to 256 in an executable segment");
  return kernel;
}

Result<CodeObject> parse_object(std::span<const std::byte> file) {
  CodeObject object;
  HK_ASSIGN_OR_RETURN(object.elf, parse_elf(file));
  if (object.elf.type != ET_DYN)
    return refused("it is not a linked object (ELF type " + std::to_string(object.elf.type) + ", wanted 3); link it");
  if (object.elf.os_abi != k_os_abi_amdgpu_hsa)
    return refused("it is not for the HSA runtime (OS ABI " + std::to_string(object.elf.os_abi) + ", wanted 64)");
  object.version = object.elf.abi_version - k_abi_version_v4 + 4;
  if (object.version < 4 || object.version > 6)
    return refused("its ABI version " + std::to_string(object.elf.abi_version) +
                   " is not that of code object V4, V5 or V6; compile it with -mcode-object-version=5");
  HK_ASSIGN_OR_RETURN(object.target, target_id_from_elf_flags(object.elf.flags));
  HK_ASSIGN_OR_RETURN(object.metadata, find_metadata(file, object.elf));
  if (!object.metadata.target.empty()) {
    HK_ASSIGN_OR_RETURN(const TargetId named, parse_target_id(object.metadata.target));
    if (named != object.target)
      return refused("its metadata says " + named.to_string() + ", its ELF flags say " + object.target.to_string());
  }
  for (KernelMetadata& metadata : object.metadata.kernels) {
    HK_ASSIGN_OR_RETURN(Kernel kernel, read_kernel(file, object.elf, std::move(metadata)));
    object.kernels.push_back(std::move(kernel));
  }
  object.metadata.kernels.clear();
  object.image.assign(file.begin(), file.end());
  return object;
}

int specificity(const TargetId& target) {
  return (target.sramecc != FeatureSetting::any) + (target.xnack != FeatureSetting::any);
}

std::string targets_of(const std::vector<BundleEntry>& entries) {
  std::string list;
  for (const BundleEntry& entry : entries)
    if (entry.is_amdgpu())
      list += (list.empty() ? "" : ", ") + entry.target;
  return list.empty() ? "no AMD GPU" : list;
}

// The bytes of the entry to take from a bundle; `device` null: the only AMD GPU entry.
Result<std::span<const std::byte>> choose_entry(std::span<const std::byte> bundle, const TargetId* device) {
  HK_ASSIGN_OR_RETURN(const std::vector<BundleEntry> entries, parse_offload_bundle(bundle));
  const BundleEntry* chosen = nullptr;
  int best = -1;
  for (const BundleEntry& entry : entries) {
    if (!entry.is_amdgpu())
      continue;
    if (device == nullptr) {
      if (chosen != nullptr)
        return refused("it is a bundle for several targets (" + targets_of(entries) + "); say which one");
      chosen = &entry;
      continue;
    }
    HK_ASSIGN_OR_RETURN(const TargetId target, parse_target_id(entry.target));
    if (runs_on(target, *device) && specificity(target) > best) {
      best = specificity(target);
      chosen = &entry;
    }
  }
  if (chosen == nullptr)
    return refused("it is a bundle for " + targets_of(entries) + (device ? ", not for " + device->to_string() : ""));
  return bundle.subspan(chosen->offset, chosen->size);
}

} // namespace

const Kernel* CodeObject::find_kernel(std::string_view name) const noexcept {
  for (const Kernel& kernel : kernels)
    if (kernel.metadata.name == name || kernel.metadata.symbol == name)
      return &kernel;
  return nullptr;
}

const ElfSymbol* CodeObject::find_symbol(std::string_view name) const noexcept {
  return find_defined(elf.dynamic_symbols, name);
}

std::span<const std::byte> CodeObject::segment_bytes(const ElfSegment& segment) const noexcept {
  return std::span<const std::byte>(image).subspan(segment.offset, segment.file_size);
}

Result<CodeObject> parse_code_object(std::span<const std::byte> file) {
  if (!is_offload_bundle(file))
    return parse_object(file);
  HK_ASSIGN_OR_RETURN(const std::span<const std::byte> entry, choose_entry(file, nullptr));
  return parse_object(entry);
}

Result<CodeObject> parse_code_object_for(std::span<const std::byte> file, const TargetId& device) {
  std::span<const std::byte> bytes = file;
  if (is_offload_bundle(file)) {
    HK_ASSIGN_OR_RETURN(bytes, choose_entry(file, &device));
  }
  HK_ASSIGN_OR_RETURN(CodeObject object, parse_object(bytes));
  if (!runs_on(object.target, device))
    return refused("it is built for " + object.target.to_string() + ", the device is " + device.to_string());
  return object;
}

} // namespace hk::codeobj
