// Creation, destruction and description of contexts.

#include <memory>
#include <string>

#include "api/context.h"
#include "api/guard.h"
#include "api/text_output.h"
#include "base/json.h"
#include "hk/hk.h"

hk_status hk_context_create(const hk_context_options* options, hk_context** context) HK_NOEXCEPT {
  return hk::api::guard([&]() -> hk::Status {
    if (context == nullptr)
      return {hk::StatusCode::invalid_argument, "context is null: pass the address of a hk_context*"};
    HK_ASSIGN_OR_RETURN(std::unique_ptr<hk_context> created, hk::api::create_context(options));
    *context = created.release();
    return {};
  });
}

hk_status hk_context_destroy(hk_context* context) HK_NOEXCEPT {
  if (context == nullptr)
    return HK_STATUS_SUCCESS;
  return hk::api::guard(context, [&](hk_context& opened) -> hk::Status {
    const std::unique_ptr<hk_context> owned(&opened);
    return owned->driver->synchronize_device();
  });
}

hk_status hk_device_info(hk_context* context, char* text, size_t capacity, size_t* required) HK_NOEXCEPT {
  return hk::api::guard(context, [&](hk_context& opened) -> hk::Status {
    return hk::api::write_text("hk_device_info", hk::api::describe_context(opened), text, capacity, required);
  });
}
