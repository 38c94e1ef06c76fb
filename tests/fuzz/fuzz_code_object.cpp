// Any bytes may reach the code-object reader: a cache entry, a foreign file, a damaged compiler answer.
#include <cstddef>
#include <cstdint>
#include <span>

#include "codeobj/code_object.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto parsed = hk::codeobj::parse_code_object({reinterpret_cast<const std::byte*>(data), size});
  if (parsed.has_value()) {
    for (const auto& segment : parsed->elf.segments)
      (void)parsed->segment_bytes(segment);
  }
  return 0;
}
