#include "base/log.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <new>
#include <utility>

#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <spdlog/details/null_mutex.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>

#include "base/files.h"

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
alignas(LogState) std::byte storage[sizeof(LogState)];

// A thread that logged while another forked does not exist in the child, and what it held nobody would release.
void free_lock_in_child() {
  new (&std::launder(reinterpret_cast<LogState*>(storage))->mutex) std::recursive_mutex;
}

LogState& state() noexcept {
  static LogState* const instance = [] {
    auto* const made = new (storage) LogState;
    ::pthread_atfork(nullptr, nullptr, free_lock_in_child);
    return made;
  }();
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

// Called under the log's lock. spdlog's own sinks wait for the reader of a FIFO, and let a write end the program by a
// signal. A line is one write, so that those of several processes do not mix.
class DescriptorSink final : public spdlog::sinks::base_sink<spdlog::details::null_mutex> {
 public:
  explicit DescriptorSink(UniqueFd file) : m_file(std::move(file)) {}

 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    spdlog::memory_buf_t line;
    formatter_->format(message, line);
    // A line that cannot be written is dropped.
    (void)write_all(m_file.valid() ? m_file.get() : STDERR_FILENO, as_bytes(std::string_view(line.data(), line.size())),
                    "the log");
  }
  void flush_() override {}

 private:
  UniqueFd m_file; // none: stderr
};

// O_NONBLOCK: neither a FIFO without a reader nor one that is full may hold the program up.
FileResult<UniqueFd> open_log(const std::string& file) {
  return open_file(AT_FDCWD, file, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK | O_NOCTTY, 0666);
}

std::shared_ptr<spdlog::logger> make_sink(LogLevel level, UniqueFd file) {
  spdlog::sink_ptr sink = std::make_shared<DescriptorSink>(std::move(file));
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
    FileResult<UniqueFd> opened;
    if (!file.empty())
      opened = open_log(file);
    if (!opened)
      return Status(StatusCode::invalid_argument, "log file " + file + " cannot be opened (" + opened.error().message +
                                                      "): set HK_LOG_FILE to a file that can be written");
    sink = make_sink(level, std::move(*opened));
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
