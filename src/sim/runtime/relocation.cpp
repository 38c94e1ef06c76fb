#include "sim/runtime/relocation.h"

#include <cstring>
#include <string>

#include "sim/memory/allocation.h"

namespace hk::sim {
namespace {

using codeobj::ElfImage;
using codeobj::ElfRelocation;
using codeobj::ElfSymbol;
using codeobj::RelocationType;

std::size_t width_of(RelocationType type) {
  switch (type) {
  case RelocationType::abs64:
  case RelocationType::rel64:
  case RelocationType::relative64:
    return 8;
  case RelocationType::abs32:
  case RelocationType::abs32_low:
  case RelocationType::abs32_high:
  case RelocationType::rel32:
  case RelocationType::rel32_low:
  case RelocationType::rel32_high:
    return 4;
  default:
    return 0;
  }
}

// S, A, P and B as in the ELF specification: symbol, addend, place, base.
std::uint64_t value_of(RelocationType type, std::uint64_t s, std::uint64_t a, std::uint64_t p, std::uint64_t b) {
  switch (type) {
  case RelocationType::relative64:
    return b + a;
  case RelocationType::abs32_high:
    return (s + a) >> 32;
  case RelocationType::rel32:
  case RelocationType::rel32_low:
  case RelocationType::rel64:
    return s + a - p;
  case RelocationType::rel32_high:
    return (s + a - p) >> 32;
  default: // abs64, abs32, abs32_low
    return s + a;
  }
}

Error refused(const ElfRelocation& relocation, const std::string& why) {
  return Error(ErrorCode::invalid_image, "relocation of type " +
                                             std::to_string(static_cast<std::uint32_t>(relocation.type)) + " at " +
                                             address_text(relocation.address) + " " + why);
}

} // namespace

Error apply_relocations(const ElfImage& elf, std::span<std::byte> image, std::uint64_t base) {
  for (const ElfRelocation& relocation : elf.relocations) {
    if (relocation.type == RelocationType::none)
      continue;
    const std::size_t width = width_of(relocation.type);
    if (width == 0)
      return refused(relocation, "is not supported");
    if (elf.segment_of(relocation.address, width) == nullptr)
      return refused(relocation, "lies outside the loaded segments");
    std::uint64_t symbol_address = 0;
    if (relocation.type != RelocationType::relative64) {
      if (relocation.symbol_index == 0 || relocation.symbol_index >= elf.dynamic_symbols.size())
        return refused(relocation, "names no symbol");
      const ElfSymbol& symbol = elf.dynamic_symbols[relocation.symbol_index];
      if (!symbol.is_defined())
        return refused(relocation, "needs the symbol '" + symbol.name + "', which the object does not define");
      symbol_address = base + symbol.value;
    }
    const std::uint64_t value = value_of(relocation.type, symbol_address, static_cast<std::uint64_t>(relocation.addend),
                                         base + relocation.address, base);
    std::memcpy(image.data() + relocation.address, &value, width); // little-endian: the low bytes
  }
  return {};
}

} // namespace hk::sim
