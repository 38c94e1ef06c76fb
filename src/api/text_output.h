#pragma once
// The two-call convention of hk.h for text: ask for the size, then fetch.

#include <cstddef>
#include <string_view>

#include "base/status.h"

namespace hk::api {

// Writes content and a zero byte to text, or only the number of bytes to *required if text is null and capacity 0.
// Refuses, naming `what`, a missing or too small buffer; *required (may be null if text is not) is set even then.
Status write_text(std::string_view what, std::string_view content, char* text, std::size_t capacity,
                  std::size_t* required);

} // namespace hk::api
