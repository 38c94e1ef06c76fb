// The key texts of stored entries are read back to explain a miss. Any bytes may be in them; written again, fields that
// were read must be read again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "cache/key_fields.h"

namespace {

// The grammar of KeyText (cache/key.h).
std::string text_of(const std::vector<hk::cache::KeyField>& fields) {
  std::string text;
  for (const hk::cache::KeyField& field : fields) {
    text += std::to_string(field.name.size()) + ":" + field.name + "=" + field.type;
    text += std::to_string(field.value.size()) + ":" + field.value + "\n";
  }
  return text;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto fields = hk::cache::parse_key_text(text);
  if (fields) {
    if (hk::cache::parse_key_text(text_of(*fields)) != fields)
      std::abort();
    for (const hk::cache::KeyField& field : *fields)
      (void)hk::cache::parse_key_list(field.value);
  }
  (void)hk::cache::parse_key_list(text);
  return 0;
}
