#include <doctest/doctest.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include "base/log.h"
#include "unit/base/scratch_folder.h"

using hk::base::configure_log;
using hk::base::log_enabled;
using hk::base::log_message;
using hk::base::LogLevel;
using hk::base::set_log_callback;

namespace {

struct Heard {
  std::vector<std::pair<int, std::string>> messages;

  static void hear(int level, const char* message, void* user_data) {
    static_cast<Heard*>(user_data)->messages.emplace_back(level, message);
  }
};

// Puts the log back to silence, whatever a test did.
struct SilentAgain {
  ~SilentAgain() {
    set_log_callback(LogLevel::off, nullptr, nullptr);
    (void)configure_log(LogLevel::off, "");
  }
};

// Descriptor 2 goes to a file while this lives.
class CapturedStderr {
 public:
  explicit CapturedStderr(const std::string& path) : m_saved(::dup(2)) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    ::dup2(file, 2);
    ::close(file);
  }
  ~CapturedStderr() {
    ::dup2(m_saved, 2);
    ::close(m_saved);
  }

 private:
  int m_saved;
};

} // namespace

TEST_SUITE_BEGIN("base.log");

TEST_CASE("nothing is written unless asked for") {
  const hk::test::ScratchFolder folder;
  {
    const CapturedStderr captured(folder / "stderr");
    log_message(LogLevel::error, "nobody asked");
    CHECK_FALSE(log_enabled(LogLevel::error));
  }
  CHECK(hk::test::read_text(folder / "stderr").empty());
}

TEST_CASE("a level alone sends messages up to it to stderr, with level and text") {
  const SilentAgain silent;
  const hk::test::ScratchFolder folder;
  {
    const CapturedStderr captured(folder / "stderr");
    REQUIRE(configure_log(LogLevel::warning, "").ok());
    log_message(LogLevel::warning, "cache is full {} %s");
    log_message(LogLevel::info, "too talkative");
  }
  const std::string text = hk::test::read_text(folder / "stderr");
  CHECK(text.find("[hk warning] cache is full {} %s\n") != std::string::npos);
  CHECK(text.find("too talkative") == std::string::npos);
}

TEST_CASE("a log file is appended to and stderr stays empty") {
  const SilentAgain silent;
  const hk::test::ScratchFolder folder;
  hk::test::write_text(folder / "log", "earlier\n");
  {
    const CapturedStderr captured(folder / "stderr");
    REQUIRE(configure_log(LogLevel::info, folder / "log").ok());
    log_message(LogLevel::info, "first");
  }
  const std::string text = hk::test::read_text(folder / "log");
  CHECK(text.starts_with("earlier\n"));
  CHECK(text.find("[hk info] first\n") != std::string::npos);
  CHECK(hk::test::read_text(folder / "stderr").empty());
}

TEST_CASE("a log file that cannot be opened is INVALID_ARGUMENT naming it, and the earlier sink stays") {
  const SilentAgain silent;
  const hk::test::ScratchFolder folder;
  hk::test::write_text(folder / "file", "");
  REQUIRE(configure_log(LogLevel::info, folder / "log").ok());
  const hk::Status status = configure_log(LogLevel::info, folder / "file/log");
  CHECK(status.code == hk::StatusCode::invalid_argument);
  CHECK(status.message.find(folder / "file/log") != std::string::npos);
  CHECK(status.message.find("HK_LOG_FILE") != std::string::npos);
  log_message(LogLevel::info, "still here");
  CHECK(hk::test::read_text(folder / "log").find("still here") != std::string::npos);
}

TEST_CASE("a log file in a folder that does not exist is INVALID_ARGUMENT naming the folder, and creates nothing") {
  const SilentAgain silent;
  const hk::test::ScratchFolder folder;
  const hk::Status status = configure_log(LogLevel::info, folder / "misspelt/logs/log");
  CHECK(status.code == hk::StatusCode::invalid_argument);
  CHECK(status.message.find("no folder " + (folder / "misspelt/logs")) != std::string::npos);
  CHECK(status.message.find("HK_LOG_FILE") != std::string::npos);
  CHECK(::access((folder / "misspelt").c_str(), F_OK) != 0);
  CHECK(configure_log(LogLevel::off, folder / "misspelt/logs/log").ok()); // switched off, it is not opened
}

TEST_CASE("a full disk under the log file disturbs nobody") {
  const SilentAgain silent;
  const hk::test::ScratchFolder folder;
  {
    const CapturedStderr captured(folder / "stderr");
    REQUIRE(configure_log(LogLevel::info, "/dev/full").ok());
    log_message(LogLevel::info, std::string(100000, 'x'));
    log_message(LogLevel::info, "and again");
    REQUIRE(configure_log(LogLevel::off, "").ok());
  }
  CHECK(hk::test::read_text(folder / "stderr").empty());
}

TEST_CASE("the callback hears messages up to its own level, sink or not") {
  const SilentAgain silent;
  Heard heard;
  set_log_callback(LogLevel::info, Heard::hear, &heard);
  CHECK(log_enabled(LogLevel::info));
  CHECK_FALSE(log_enabled(LogLevel::debug));
  log_message(LogLevel::error, "broken");
  log_message(LogLevel::debug, "details");
  log_message(LogLevel::info, std::string_view("not terminated!", 14));
  set_log_callback(LogLevel::off, nullptr, nullptr);
  log_message(LogLevel::error, "nobody listens");
  REQUIRE(heard.messages.size() == 2);
  CHECK(heard.messages[0] == std::pair<int, std::string>(1, "broken"));
  CHECK(heard.messages[1] == std::pair<int, std::string>(3, "not terminated"));
}

TEST_CASE("a callback may log and may replace itself") {
  const SilentAgain silent;
  static int calls = 0;
  calls = 0;
  set_log_callback(
      LogLevel::info,
      [](int, const char*, void*) {
        ++calls;
        log_message(LogLevel::error, "from inside");
        set_log_callback(LogLevel::off, nullptr, nullptr);
      },
      nullptr);
  log_message(LogLevel::info, "once");
  log_message(LogLevel::info, "twice");
  CHECK(calls == 1);
}

TEST_CASE("messages of many threads arrive whole") {
  const SilentAgain silent;
  Heard heard;
  set_log_callback(LogLevel::info, Heard::hear, &heard);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([i] {
      for (int n = 0; n < 200; ++n)
        log_message(LogLevel::info, std::string(20, static_cast<char>('a' + i)));
    });
  for (std::thread& thread : threads)
    thread.join();
  CHECK(heard.messages.size() == 800);
  for (const auto& [level, text] : heard.messages)
    REQUIRE(text == std::string(20, text[0]));
}

TEST_CASE("a FIFO without a reader is INVALID_ARGUMENT at once") {
  const SilentAgain silent;
  const hk::test::ScratchFolder folder;
  REQUIRE(::mkfifo((folder / "fifo").c_str(), 0600) == 0);
  const hk::Status status = configure_log(LogLevel::info, folder / "fifo");
  CHECK(status.code == hk::StatusCode::invalid_argument);
  CHECK(status.message.find(folder / "fifo") != std::string::npos);
}

TEST_CASE("a FIFO that is full or whose reader has gone drops messages and nothing else") {
  const SilentAgain silent;
  const hk::test::ScratchFolder folder;
  REQUIRE(::mkfifo((folder / "fifo").c_str(), 0600) == 0);
  int reader = ::open((folder / "fifo").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  REQUIRE(reader >= 0);
  REQUIRE(configure_log(LogLevel::info, folder / "fifo").ok());
  log_message(LogLevel::info, "heard");
  std::string heard(1000, ' ');
  heard.resize(static_cast<std::size_t>(std::max<ssize_t>(::read(reader, heard.data(), heard.size()), 0)));
  CHECK(heard.find("[hk info] heard\n") != std::string::npos);
  for (int i = 0; i < 200; ++i) // a pipe holds 64 KiB
    log_message(LogLevel::info, std::string(1000, 'x'));
  ::close(reader);
  log_message(LogLevel::info, "to nobody"); // by default SIGPIPE would end this program
}

TEST_CASE("a child that was forked while another thread logs can use the log") {
  const SilentAgain silent;
  const hk::test::ScratchFolder folder;
  std::promise<void> inside;
  std::promise<void> forked;
  struct Meeting {
    std::promise<void>& inside;
    std::future<void> forked;
  } meeting{inside, forked.get_future()};
  REQUIRE(configure_log(LogLevel::warning, folder / "log").ok());
  set_log_callback(
      LogLevel::warning,
      [](int, const char*, void* user_data) {
        auto& met = *static_cast<Meeting*>(user_data);
        met.inside.set_value();
        met.forked.wait();
      },
      &meeting);
  std::thread logging([] { log_message(LogLevel::warning, "from the parent"); });
  inside.get_future().wait();
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(20); // ends a child that waits for ever
    set_log_callback(LogLevel::off, nullptr, nullptr);
    log_message(LogLevel::warning, "from the child");
    ::_exit(0);
  }
  forked.set_value();
  logging.join();
  int status = -1;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  CHECK(hk::test::read_text(folder / "log").find("from the child") != std::string::npos);
}

TEST_SUITE_END();
