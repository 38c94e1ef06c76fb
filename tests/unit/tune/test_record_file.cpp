#include "tune/record_file.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "unit/cache/intercepted_calls.h"
#include "unit/tune/some_record.h"

namespace {

namespace fs = std::filesystem;
using hk::test::some_record;
using hk::tune::RecordFile;
using hk::tune::RecordSet;

constexpr char k_target[] = "gfx942:sramecc+:xnack-";

class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "hk-tune-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    m_path = name;
  }
  ~Folder() {
    std::error_code ignored;
    fs::permissions(m_path, fs::perms::owner_all, ignored);
    fs::remove_all(m_path, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] std::string path() const { return (m_path / "cache").string(); }
  [[nodiscard]] RecordFile file(bool network = false) const { return {path(), k_target, network}; }

 private:
  fs::path m_path;
};

RecordSet set_of(const std::string& key, std::uint64_t samples = 40) {
  RecordSet set;
  set.add(some_record(key, samples));
  return set;
}

std::string text_of(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void write_text(const std::string& path, const std::string& text) {
  fs::create_directories(fs::path(path).parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

std::size_t temporary_files(const Folder& folder) {
  std::size_t count = 0;
  for (const auto& item : fs::directory_iterator(folder.path() + "/tune"))
    count += item.path().filename().string().starts_with(".temporary-") ? 1 : 0;
  return count;
}

} // namespace

TEST_CASE("The file's name is its target, in signs that every file system takes") {
  CHECK(hk::tune::record_file_name(k_target) == "gfx942_sramecc+_xnack-.tuning");
  CHECK(hk::tune::record_file_name("../../etc/passwd") == "_._.._etc_passwd.tuning");
  CHECK(hk::tune::record_file_name("") == ".tuning");
}

TEST_CASE("Records come back, later ones are merged; nothing there is an empty set") {
  for (const bool network : {false, true}) {
    const Folder folder;
    const RecordFile file = folder.file(network);
    CHECK(file.path() == folder.path() + "/tune/gfx942_sramecc+_xnack-.tuning");
    auto read = file.read();
    REQUIRE(read.has_value());
    CHECK(read->records.empty());
    CHECK(!fs::exists(folder.path())); // reading makes nothing
    REQUIRE(file.merge(set_of("a")).ok());
    REQUIRE(file.merge(set_of("b")).ok());
    RecordSet expected = set_of("a");
    expected.merge(set_of("b"));
    CHECK(file.read()->records == expected);
    CHECK(text_of(file.path()) == expected.text());
    CHECK(RecordFile(folder.path(), "gfx950", network).read()->records.empty());
    CHECK(temporary_files(folder) == 0);
  }
}

TEST_CASE("Merging what is there already writes nothing; overriding displaces") {
  const Folder folder;
  const RecordFile file = folder.file();
  REQUIRE(file.merge(set_of("a", 40)).ok());
  struct stat before{};
  struct stat after{};
  ::stat(file.path().c_str(), &before);
  REQUIRE(file.merge(set_of("a", 40)).ok());
  REQUIRE(file.merge(set_of("a", 30)).ok()); // worse evidence
  ::stat(file.path().c_str(), &after);
  CHECK(before.st_ino == after.st_ino);
  REQUIRE(file.override_with(set_of("a", 30)).ok());
  CHECK(file.read()->records == set_of("a", 30));
}

TEST_CASE("Files and folders belong to their user alone, whatever the umask") {
  for (const mode_t mask : {0000, 0077, 0777}) {
    const Folder folder;
    const mode_t old = ::umask(mask);
    const hk::Status status = folder.file().merge(set_of("a"));
    ::umask(old);
    REQUIRE(status.ok());
    struct stat information{};
    ::stat(folder.file().path().c_str(), &information);
    CHECK((information.st_mode & 07777) == 0600);
    ::stat((folder.path() + "/tune").c_str(), &information);
    CHECK((information.st_mode & 07777) == 0700);
    ::stat((folder.path() + "/tune/locks").c_str(), &information);
    CHECK((information.st_mode & 07777) == 0600);
  }
}

TEST_CASE("Damaged lines and other versions: the rest is read, a rewrite keeps the other versions") {
  const Folder folder;
  const RecordFile file = folder.file();
  REQUIRE(file.merge(set_of("a")).ok());
  write_text(file.path(), "hk-tuning 9\nfuture\n" + text_of(file.path()) + "garbage\n");
  const auto read = file.read();
  REQUIRE(read.has_value());
  CHECK(read->damaged == 1);
  CHECK(read->foreign == 1);
  CHECK(read->records.size() == 1);
  REQUIRE(file.merge(set_of("b")).ok());
  const std::string text = text_of(file.path());
  CHECK(text.find("hk-tuning 9\nfuture\n") != std::string::npos);
  CHECK(text.find("garbage") == std::string::npos);
}

TEST_CASE("Each length to which the file could be cut is read without a failure, and never gives a wrong record") {
  const Folder folder;
  const RecordFile file = folder.file();
  RecordSet both = set_of("a");
  both.merge(set_of("b"));
  REQUIRE(file.merge(both).ok());
  const std::string whole = text_of(file.path());
  for (std::size_t length = 0; length < whole.size(); length += 7) {
    const auto parsed = RecordSet::parse(whole.substr(0, length));
    for (const auto& record : parsed.records.records())
      CHECK((record == some_record("a") || record == some_record("b")));
  }
}

TEST_CASE("What is no file of one's own is not read, and a write puts a file in its place") {
  const Folder folder;
  const RecordFile file = folder.file();
  REQUIRE(file.merge(set_of("a")).ok());
  const std::string elsewhere = folder.path() + "/elsewhere";
  SUBCASE("a symbolic link") {
    fs::rename(file.path(), elsewhere);
    fs::create_symlink(elsewhere, file.path());
  }
  SUBCASE("a FIFO") {
    fs::remove(file.path());
    REQUIRE(::mkfifo(file.path().c_str(), 0600) == 0);
  }
  SUBCASE("a file that others can write to") {
    REQUIRE(::chmod(file.path().c_str(), 0666) == 0);
  }
  SUBCASE("a file without end") {
    REQUIRE(::truncate(file.path().c_str(), std::int64_t{1} << 40) == 0);
  }
  const auto read = file.read();
  REQUIRE(!read.has_value());
  CHECK(read.error().message.find("not read") != std::string::npos);
  REQUIRE(file.merge(set_of("b")).ok());
  CHECK(file.read()->records == set_of("b"));
  if (fs::exists(elsewhere))
    CHECK(RecordSet::parse(text_of(elsewhere)).records == set_of("a"));
}

TEST_CASE("A folder in the file's place, or a folder that is not trusted, is a failure that changes nothing") {
  const Folder folder;
  const RecordFile file = folder.file();
  SUBCASE("a folder of the file's name") {
    fs::create_directories(file.path());
    CHECK(!file.read().has_value());
    CHECK(!file.merge(set_of("a")).ok());
  }
  SUBCASE("others can write to the folder") {
    REQUIRE(file.merge(set_of("a")).ok());
    REQUIRE(::chmod((folder.path() + "/tune").c_str(), 0777) == 0);
    CHECK(!file.read().has_value());
    CHECK(!file.merge(set_of("b")).ok());
    ::chmod((folder.path() + "/tune").c_str(), 0700);
    CHECK(file.read()->records == set_of("a"));
  }
  SUBCASE("the folder is a symbolic link") {
    fs::create_directories(folder.path() + "/real");
    ::chmod(folder.path().c_str(), 0700);
    fs::create_directory_symlink(folder.path() + "/real", folder.path() + "/tune");
    CHECK(!file.read().has_value());
    CHECK(!file.merge(set_of("a")).ok());
    CHECK(fs::is_empty(folder.path() + "/real"));
  }
  SUBCASE("a file stands where the folder should be") {
    write_text(folder.path() + "/tune", "x");
    CHECK(!file.read().has_value());
    CHECK(!file.merge(set_of("a")).ok());
  }
}

TEST_CASE("A write that does not fit leaves the file as it was, and nothing beside it") {
  const Folder folder;
  const RecordFile file = folder.file();
  REQUIRE(file.merge(set_of("a")).ok());
  const std::string before = text_of(file.path());
  rlimit old{};
  ::getrlimit(RLIMIT_FSIZE, &old);
  const rlimit small{before.size() + 10, old.rlim_max};
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  ::setrlimit(RLIMIT_FSIZE, &small);
  const hk::Status status = file.merge(set_of("b"));
  ::setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, old_handler);
  CHECK(!status.ok());
  CHECK(status.message.find("not kept") != std::string::npos);
  CHECK(text_of(file.path()) == before);
  CHECK(temporary_files(folder) == 0);
}

TEST_CASE("Many writers at once, threads and processes: no record is lost") {
  const Folder folder;
  constexpr int k_processes = 4;
  constexpr int k_threads = 2;
  constexpr int k_records = 5;
  REQUIRE(folder.file().merge(RecordSet()).ok());
  std::vector<pid_t> children;
  for (int process = 0; process < k_processes; ++process) {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      bool good = true;
      std::vector<std::thread> threads;
      for (int thread = 0; thread < k_threads; ++thread)
        threads.emplace_back([&, thread] {
          for (int i = 0; i < k_records; ++i)
            if (!folder.file().merge(set_of(std::to_string((process * k_threads + thread) * k_records + i))).ok())
              good = false;
        });
      for (std::thread& thread : threads)
        thread.join();
      ::_exit(good ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(status == 0);
  }
  CHECK(folder.file().read()->records.size() == k_processes * k_threads * k_records);
  CHECK(temporary_files(folder) == 0);
}

TEST_CASE("Killed writers lose nothing that was there, and what they leave is swept later") {
  const Folder folder;
  const RecordFile file = folder.file();
  REQUIRE(file.merge(set_of("first")).ok());
  for (int round = 0; round < 60; ++round) {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      for (std::uint64_t i = 0;; ++i)
        (void)file.override_with(set_of("again", i));
    }
    ::usleep(static_cast<useconds_t>(500 + 97 * round));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    const auto read = file.read();
    REQUIRE(read.has_value());
    CHECK(read->damaged == 0);
    bool first_is_there = false;
    for (const auto& record : read->records.records())
      first_is_there = first_is_there || record == some_record("first");
    CHECK(first_is_there);
  }
  const std::string left = folder.path() + "/tune/.temporary-00000000000000000000000000000000";
  write_text(left, "half");
  const timespec old[2] = {{1000, 0}, {1000, 0}};
  REQUIRE(::utimensat(AT_FDCWD, left.c_str(), old, 0) == 0);
  const auto start = std::chrono::steady_clock::now();
  REQUIRE(file.merge(set_of("last")).ok()); // no lock is left held either
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(3));
  CHECK(!fs::exists(left));
}

TEST_CASE("Whatever call fails, the file is as it was or as it should be, and nothing lies beside it") {
  using hk::test::InterceptedCalls;
  using hk::test::SystemCall;
  RecordSet both = set_of("a");
  both.merge(set_of("b"));
  for (const int error : {EIO, ENOSPC, EDQUOT, ENOLCK, ESTALE, EROFS}) {
    CAPTURE(error);
    int failing = 0;
    for (bool reached = true; reached; ++failing) {
      CAPTURE(failing);
      const Folder folder;
      const RecordFile file = folder.file();
      REQUIRE(file.merge(set_of("a")).ok());
      int calls = 0;
      hk::Status status;
      {
        const InterceptedCalls intercepted([&](SystemCall call) {
          if (call == SystemCall::unlink) // a name that cannot be removed stays until it is swept
            return 0;
          return calls++ == failing ? error : 0;
        });
        status = file.merge(set_of("b"));
      }
      reached = calls > failing;
      const auto read = file.read();
      REQUIRE(read.has_value());
      CHECK(read->damaged == 0);
      CHECK((read->records == both || (!status.ok() && read->records == set_of("a"))));
      CHECK(temporary_files(folder) == 0);
    }
    CHECK(failing > 10); // the last round failed at none of them
  }
}

TEST_CASE("Where locks do not work, or the file system is a network's, records are merged without one") {
  using hk::test::InterceptedCalls;
  using hk::test::SystemCall;
  for (const bool network : {false, true}) {
    const Folder folder;
    const RecordFile file = folder.file(network);
    REQUIRE(file.merge(set_of("a")).ok());
    int locks = 0;
    {
      const InterceptedCalls intercepted([&](SystemCall call) {
        locks += call == SystemCall::lock ? 1 : 0;
        return call == SystemCall::lock ? ENOLCK : 0;
      });
      CHECK(file.merge(set_of("b")).ok());
    }
    CHECK(locks == (network ? 0 : 1));
    CHECK(file.read()->records.size() == 2);
  }
}

TEST_CASE("A file of which the file system returns a part only is not rewritten from that part") {
  const Folder folder;
  const RecordFile file = folder.file();
  REQUIRE(file.merge(set_of("a")).ok());
  {
    hk::test::InterceptedCalls intercepted([](hk::test::SystemCall) { return 0; });
    intercepted.largest_transfer = 0; // end of file at once
    CHECK(!file.read().has_value());
    CHECK(!file.merge(set_of("b")).ok());
    intercepted.largest_transfer = 1; // slow, but whole
    CHECK(file.read()->records == set_of("a"));
    CHECK(file.merge(set_of("b")).ok());
  }
  CHECK(file.read()->records.size() == 2);
}
