#include "base/trace.h"

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <mutex>
#include <new>
#include <thread>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files.h"
#include "base/json.h"
#include "base/log.h"
#include "base/write_without_signal.h"

namespace hk::base {
namespace {

// Another process holds the file's lock for two system calls; whoever holds it longer is not one of ours.
constexpr int k_lock_tries = 100;
constexpr std::chrono::milliseconds k_lock_pause{1};

struct TraceFile {
  std::mutex mutex;
  std::string name; // as configured; stays when the file turned out unusable, so that there is one warning only
  UniqueFd descriptor;
};

// Never destroyed: threads of the host program may trace until the very end.
TraceFile& trace_file() noexcept {
  alignas(TraceFile) static std::byte storage[sizeof(TraceFile)];
  static TraceFile* const instance = new (storage) TraceFile;
  return *instance;
}

std::string expand(const std::string& file) {
  std::string path = file;
  const std::string process = std::to_string(::getpid());
  for (std::size_t at = path.find("%p"); at != std::string::npos; at = path.find("%p", at + process.size()))
    path.replace(at, 2, process);
  return path;
}

std::string process_event() {
  const FileResult<Bytes> name = read_file("/proc/self/comm", 4096);
  std::string program = name ? std::string(reinterpret_cast<const char*>(name->data()), name->size()) : "";
  while (program.ends_with('\n'))
    program.pop_back();
  Json event = Json::object();
  event.set("name", "process_name")
      .set("ph", "M")
      .set("pid", ::getpid())
      .set("tid", ::gettid())
      .set("args", Json::object().set("name", program));
  return event.text();
}

// In one write, so that events of several processes do not mix.
bool append(int descriptor, const std::string& text) {
  ssize_t written = 0;
  do
    written = write_without_signal(descriptor, as_bytes(text));
  while (written < 0 && errno == EINTR);
  if (written >= 0 && static_cast<std::size_t>(written) < text.size())
    errno = ENOSPC;
  return written == static_cast<ssize_t>(text.size());
}

// Whoever finds the file empty opens the array. The lock keeps the events of others behind the bracket.
bool write_start(int descriptor) {
  bool locked = false;
  for (int i = 0; i < k_lock_tries && !locked; ++i) {
    locked = ::flock(descriptor, LOCK_EX | LOCK_NB) == 0;
    if (!locked && errno != EWOULDBLOCK && errno != EINTR)
      break; // a file system without locks
    if (!locked)
      std::this_thread::sleep_for(k_lock_pause);
  }
  struct stat information{};
  const bool known = ::fstat(descriptor, &information) == 0;
  const bool done = known && append(descriptor, (information.st_size == 0 ? "[\n" : ",\n") + process_event());
  const int number = errno;
  if (locked)
    ::flock(descriptor, LOCK_UN);
  errno = number;
  return done;
}

// Not under the lock: the callback of the log may come back here.
void warn(const FileError& error) {
  log_message(LogLevel::warning,
              "nothing is traced any more: " + error.message + ": set HK_TRACE to a file that can be written");
}

// O_NONBLOCK: a FIFO without a reader must not hold the program up.
FileResult<UniqueFd> open_trace(const std::string& path) {
  FileResult<UniqueFd> file = open_file(AT_FDCWD, path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK, 0644);
  if (!file)
    return file;
  struct stat information{};
  if (::fstat(file->get(), &information) != 0)
    return file_failure("fstat", path);
  if (!S_ISREG(information.st_mode))
    return file_failure("open", path + ", which is no regular file", EINVAL);
  if (!write_start(file->get()))
    return file_failure("write", path);
  return file;
}

} // namespace

void configure_trace(const std::string& file) noexcept {
  TraceFile& trace = trace_file();
  try {
    std::unique_lock lock(trace.mutex);
    if (file == trace.name)
      return;
    trace.name = file;
    trace.descriptor.reset();
    trace_state::on.store(false, std::memory_order_relaxed);
    if (file.empty())
      return;
    FileResult<UniqueFd> opened = open_trace(expand(file));
    if (opened) {
      trace.descriptor = std::move(*opened);
      trace_state::on.store(true, std::memory_order_relaxed);
      return;
    }
    lock.unlock();
    warn(opened.error());
  } catch (...) {
    trace_state::on.store(false, std::memory_order_relaxed); // no memory left: no trace
  }
}

std::int64_t TraceSpan::now() noexcept {
  const auto since_start = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(since_start).count();
}

void TraceSpan::set_outcome(std::string_view outcome) noexcept {
  if (m_name == nullptr)
    return;
  try {
    m_outcome = outcome;
  } catch (...) {
    m_outcome.clear(); // no memory left: the event goes without
  }
}

void TraceSpan::end() noexcept {
  const std::int64_t stop = now();
  try {
    Json arguments = Json::object();
    arguments.set("object", m_object);
    if (!m_outcome.empty())
      arguments.set("outcome", m_outcome);
    Json event = Json::object();
    event.set("name", m_name)
        .set("cat", "hk")
        .set("ph", "X")
        .set("ts", static_cast<double>(m_start) / 1000)
        .set("dur", static_cast<double>(stop - m_start) / 1000)
        .set("pid", ::getpid())
        .set("tid", ::gettid())
        .set("args", arguments);
    const std::string text = ",\n" + event.text();
    TraceFile& trace = trace_file();
    std::unique_lock lock(trace.mutex);
    if (!trace.descriptor.valid() || append(trace.descriptor.get(), text))
      return;
    // Half an event may stand there now: nothing may follow it.
    const FileError error = file_error("write", trace.name);
    trace_state::on.store(false, std::memory_order_relaxed);
    trace.descriptor.reset();
    lock.unlock();
    warn(error);
  } catch (...) {
    return; // no memory left: the event is lost, the caller goes on
  }
}

} // namespace hk::base
