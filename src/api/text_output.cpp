#include "api/text_output.h"

#include <cstring>
#include <string>

namespace hk::api {

Status write_text(std::string_view what, std::string_view content, char* text, std::size_t capacity,
                  std::size_t* required) {
  const std::size_t needed = content.size() + 1;
  if (required != nullptr)
    *required = needed;
  if (text == nullptr && capacity == 0) {
    if (required != nullptr)
      return {};
    return {StatusCode::invalid_argument, std::string(what) + ": text and required are both null: pass one of them"};
  }
  if (text == nullptr)
    return {StatusCode::invalid_argument,
            std::string(what) + ": text is null but capacity is " + std::to_string(capacity)};
  if (capacity < needed)
    return {StatusCode::invalid_argument, std::string(what) + ": capacity is " + std::to_string(capacity) + ", but " +
                                              std::to_string(needed) + " bytes are needed"};
  std::memcpy(text, content.data(), content.size());
  text[content.size()] = '\0';
  return {};
}

} // namespace hk::api
