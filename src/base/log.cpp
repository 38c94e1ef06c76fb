#include "base/log.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <new>
#include <utility>

#include <sys/stat.h>

#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

namespace hk::base {
namespace {

struct LogState {
  std::recursive_mutex mutex; // recursive: a callback may replace itself
  std::shared_ptr<spdlog::logger> sink;
  LogLevel sink_level = LogLevel::off;
  LogCallback callback = nullptr;
  void* callback_data = nullptr;
  LogLevel callback_level = LogLevel::off;
  // The most talkative of the two levels, so that a disabled message costs one load.
  std::atomic<int> threshold{0};

  void update_threshold() {
    const LogLevel heard = callback != nullptr ? callback_level : LogLevel::off;
    threshold.store(std::max(static_cast<int>(sink_level), static_cast<int>(heard)), std::memory_order_relaxed);
  }
};

// Never destroyed: threads and static destructors of the host program may log until the very end.
LogState& state() noexcept {
  alignas(LogState) static std::byte storage[sizeof(LogState)];
  static LogState* const instance = new (storage) LogState;
  return *instance;
}

thread_local bool inside_callback = false;

spdlog::level::level_enum spdlog_level(LogLevel level) {
  switch (level) {
  case LogLevel::error:
    return spdlog::level::err;
  case LogLevel::warning:
    return spdlog::level::warn;
  case LogLevel::info:
    return spdlog::level::info;
  case LogLevel::debug:
    return spdlog::level::debug;
  case LogLevel::off:
    break;
  }
  return spdlog::level::off;
}

std::shared_ptr<spdlog::logger> make_sink(LogLevel level, const std::string& file) {
  spdlog::sink_ptr sink;
  if (file.empty())
    sink = std::make_shared<spdlog::sinks::stderr_sink_mt>();
  else
    sink = std::make_shared<spdlog::sinks::basic_file_sink_mt>(file);
  auto logger = std::make_shared<spdlog::logger>("hk", std::move(sink));
  logger->set_level(spdlog_level(level));
  logger->set_pattern("[%Y-%m-%dT%H:%M:%S.%e] [%P] [hk %l] %v");
  logger->flush_on(spdlog::level::trace);
  // The default handler prints to stderr when a sink fails (a full disk); a library must not.
  logger->set_error_handler([](const std::string&) {});
  return logger;
}

// "." where the path names none.
std::string folder_of(const std::string& file) {
  const std::size_t slash = file.rfind('/');
  return slash == std::string::npos ? "." : file.substr(0, slash + 1);
}

bool is_folder(const std::string& path) {
  struct stat facts{};
  return ::stat(path.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode);
}

} // namespace

std::string_view log_level_name(LogLevel level) noexcept {
  switch (level) {
  case LogLevel::error:
    return "error";
  case LogLevel::warning:
    return "warning";
  case LogLevel::info:
    return "info";
  case LogLevel::debug:
    return "debug";
  case LogLevel::off:
    break;
  }
  return "off";
}

bool log_enabled(LogLevel level) noexcept {
  return level != LogLevel::off && static_cast<int>(level) <= state().threshold.load(std::memory_order_relaxed);
}

void log_message(LogLevel level, std::string_view text) noexcept {
  if (!log_enabled(level) || inside_callback)
    return;
  try {
    LogState& log = state();
    const std::lock_guard lock(log.mutex);
    if (log.sink && level <= log.sink_level)
      log.sink->log(spdlog_level(level), "{}", text);
    if (log.callback != nullptr && level <= log.callback_level) {
      const std::string terminated(text);
      inside_callback = true;
      log.callback(static_cast<int>(level), terminated.c_str(), log.callback_data);
      inside_callback = false;
    }
  } catch (...) {
    inside_callback = false; // out of memory, or a throwing callback: the message is lost, the caller goes on
  }
}

Status configure_log(LogLevel level, const std::string& file) {
  std::shared_ptr<spdlog::logger> sink;
  if (level != LogLevel::off) {
    // spdlog would create the folders, and a misspelt path would go unnoticed.
    if (const std::string folder = folder_of(file); !file.empty() && !is_folder(folder))
      return Status(StatusCode::invalid_argument, "log file " + file + " cannot be opened: there is no folder " +
                                                      folder + "; create it, or correct HK_LOG_FILE");
    try {
      sink = make_sink(level, file);
    } catch (const std::exception& problem) {
      return Status(StatusCode::invalid_argument, "log file " + file + " cannot be opened (" + problem.what() +
                                                      "): set HK_LOG_FILE to a file that can be written");
    }
  }
  LogState& log = state();
  const std::lock_guard lock(log.mutex);
  log.sink = std::move(sink);
  log.sink_level = level;
  log.update_threshold();
  return {};
}

void set_log_callback(LogLevel level, LogCallback callback, void* user_data) noexcept {
  LogState& log = state();
  const std::lock_guard lock(log.mutex);
  log.callback = callback;
  log.callback_data = user_data;
  log.callback_level = level;
  log.update_threshold();
}

} // namespace hk::base
