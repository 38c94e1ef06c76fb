#pragma once
// The code object with which the canned worker answers: a real one that bears the wanted name and target.

#include <algorithm>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "unit/service/renamed_code_object.h"

namespace hk::test {

// target_id: "gfx950:sramecc+:xnack-" or the same of gfx942; both have texts of one length, and machine numbers that
// the ELF header's flags hold (llvm/BinaryFormat/ELF.h: EF_AMDGPU_MACH_AMDGCN_GFX942 = 0x4c, GFX950 = 0x4f).
inline base::Bytes canned_object(const std::string& symbol, std::string_view target_id) {
  base::Bytes object = RenamedCodeObject(symbol).bytes();
  if (!target_id.starts_with("gfx942"))
    return object;
  constexpr std::size_t k_flags_offset = 48;
  object[k_flags_offset] = std::byte{0x4c};
  const base::ByteView from = base::as_bytes("gfx950");
  const base::ByteView to = base::as_bytes("gfx942");
  for (auto at = object.begin();;) {
    at = std::search(at, object.end(), from.begin(), from.end());
    if (at == object.end())
      return object;
    at = std::copy(to.begin(), to.end(), at);
  }
}

} // namespace hk::test
