// The tuning records of a context.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "api/guard.h"
#include "api/text_output.h"
#include "base/hash.h"
#include "hk/hk.h"

hk_status hk_context_refresh(hk_context* context) HK_NOEXCEPT {
  return hk::api::guard(context, [&](hk_context& opened) { return opened.attention->refresh_records(); });
}

hk_status hk_tuning_digest(hk_context* context, char* text, size_t capacity, size_t* required) HK_NOEXCEPT {
  return hk::api::guard(context, [&](hk_context& opened) -> hk::Status {
    const std::string digest = hk::base::to_hex(opened.attention->records().digest());
    return hk::api::write_text("hk_tuning_digest", digest, text, capacity, required);
  });
}

hk_status hk_tuning_export(hk_context* context, char* text, size_t capacity, size_t* required) HK_NOEXCEPT {
  return hk::api::guard(context, [&](hk_context& opened) -> hk::Status {
    return hk::api::write_text("hk_tuning_export", opened.attention->records().text(), text, capacity, required);
  });
}

hk_status hk_tuning_import(hk_context* context, const char* text, size_t size, uint32_t flags) HK_NOEXCEPT {
  return hk::api::guard(context, [&](hk_context& opened) -> hk::Status {
    if (text == nullptr)
      return {hk::StatusCode::invalid_argument, "text is null: pass a text of hk_tuning_export"};
    constexpr std::uint32_t k_known = HK_TUNING_IMPORT_REPLACE | HK_TUNING_IMPORT_STORE;
    if ((flags & ~k_known) != 0)
      return {hk::StatusCode::invalid_argument,
              "flags is " + std::to_string(flags) + ": use values of hk_tuning_import_flags (0 to 3)"};
    const hk::ops::ImportHow how =
        (flags & HK_TUNING_IMPORT_REPLACE) != 0 ? hk::ops::ImportHow::replace : hk::ops::ImportHow::merge;
    return opened.attention->import_records(std::string_view(text, size), how, (flags & HK_TUNING_IMPORT_STORE) != 0);
  });
}
