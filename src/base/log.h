#pragma once
// The log: silent unless the environment or a callback asks for it.
//
// Messages go to the callback (set by hk_set_log_callback) and to one sink: stderr when only HK_LOG_LEVEL is set, a
// file when HK_LOG_FILE is set. Every function may be called from any thread.

#include <string>
#include <string_view>

#include "base/status.h"

namespace hk::base {

// Numbers are those of the C API's log callback; a smaller number is more urgent.
enum class LogLevel : int { off = 0, error = 1, warning = 2, info = 3, debug = 4 };

std::string_view log_level_name(LogLevel level) noexcept;

using LogCallback = void (*)(int level, const char* message, void* user_data);

// True if a message of this level would reach the sink or the callback: ask before building an expensive text.
bool log_enabled(LogLevel level) noexcept;

// Never throws and never fails towards the caller; a message that cannot be written is dropped.
void log_message(LogLevel level, std::string_view text) noexcept;

// Replaces the sink. `file` empty = stderr; a file is appended to. Level off = no sink at all.
// Returns INVALID_ARGUMENT, and keeps the earlier sink, if the file cannot be opened.
Status configure_log(LogLevel level, const std::string& file);

// Replaces the callback (null = none); it receives messages up to `level`. When this returns, no other thread is inside
// the earlier callback. Messages logged by a callback itself are dropped.
void set_log_callback(LogLevel level, LogCallback callback, void* user_data) noexcept;

} // namespace hk::base
