#pragma once
// The failing call's sentence and detail, kept per thread for hk_last_error_message() and hk_last_error_detail().

#include "base/status.h"

namespace hk::api {

// Keeps a failing status for this thread.
void remember_error(Status status) noexcept;
// The same for a sentence that lives as long as the process, without a detail: allocates nothing.
void remember_static_error(const char* sentence) noexcept;

// Both are valid until this thread's next failure.
const char* last_error_message() noexcept;
const char* last_error_detail() noexcept;

} // namespace hk::api
