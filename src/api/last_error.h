#pragma once
// The failing call's sentence and detail, kept per thread for hk_last_error_message() and hk_last_error_detail().

#include "base/status.h"

namespace hk::api {

// Keeps a failing status for this thread. Never throws: without memory the sentence is lost, the code is not.
void remember_error(Status status) noexcept;

// Both are valid until this thread's next remember_error.
const char* last_error_message() noexcept;
const char* last_error_detail() noexcept;

} // namespace hk::api
