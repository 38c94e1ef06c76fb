// The folder that is used when HK_CACHE_DIR is unset: homes that are no homes, and /tmp/hk-<uid> when somebody else was
// there first. Needs root, to become a user who has never been here; exit code 77 (skipped) without.

#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "base/remove_tree.h"
#include "folder_state.h"
#include "integration/canned_compiler/client_process.h"

using namespace hk;
using namespace hk::test;

namespace {

constexpr uid_t k_user = 60123;
const std::string k_folder = "/tmp/hk-" + std::to_string(k_user);

// As that user, whose programs must be able to get at those of the build folder.
bool reachable() {
  if (::geteuid() != 0)
    return false;
  const pid_t child = ::fork();
  if (child == 0)
    ::_exit(::setgid(k_user) == 0 && ::setuid(k_user) == 0 && ::access(HK_CACHE_CLIENT, X_OK) == 0 &&
                    ::access(HK_CANNED_WORKER, X_OK) == 0 && ::access(HK_CODE_OBJECT_DATA, R_OK | X_OK) == 0
                ? 0
                : 1);
  int status = 0;
  return ::waitpid(child, &status, 0) == child && status == 0;
}

class Fixture {
 public:
  Fixture() : m_temporary("/tmp") {
    clear();
    REQUIRE(::chmod(m_temporary.path().c_str(), 01777) == 0);
    REQUIRE(::chmod(std::filesystem::path(m_compiler.worker()).parent_path().c_str(), 0777) == 0);
    m_variables = client_variables("", m_compiler.worker());
    m_variables["TMPDIR"] = m_temporary.path();
  }
  Fixture(const Fixture&) = delete;
  Fixture& operator=(const Fixture&) = delete;
  ~Fixture() { clear(); }

  ClientReport ask(const Variables& more) {
    Variables variables = m_variables;
    variables.insert(more.begin(), more.end());
    return run_client(variables, {"uid=" + std::to_string(k_user), "keys=1000:2"});
  }

 private:
  static void clear() {
    (void)base::remove_tree(k_folder);
    ::unlink(k_folder.c_str());
  }

  ScratchFolder m_temporary;
  CannedCompiler m_compiler;
  Variables m_variables;
};

} // namespace

TEST_SUITE_BEGIN("default_folder");

TEST_CASE(
    "default folder: HOME unset, '/', relative or missing leads to /tmp/hk-<uid>, and the next program finds it") {
  for (const Variables& more : {Variables{}, Variables{{"HOME", "/"}}, Variables{{"HOME", "home"}},
                                Variables{{"HOME", "/nonexistent/home"}, {"XDG_CACHE_HOME", "relative"}}}) {
    Fixture fixture;
    const ClientReport first = fixture.ask(more);
    CHECK(first["SUCCESS"] == 2);
    CHECK(first["not_stored"] == 0);
    check_entries(k_folder, 2);
    CHECK(mode_of(k_folder) == 0700);
    CHECK(fixture.ask(more)["disk_hits"] == 2);
  }
}

TEST_CASE("default folder: made by another user, a link, a FIFO or open to others, /tmp/hk-<uid> is left alone") {
  const ScratchFolder elsewhere("/tmp");
  REQUIRE(::chown(elsewhere.path().c_str(), k_user, k_user) == 0);
  for (const char* kind : {"foreign", "link", "FIFO", "open"}) {
    CAPTURE(std::string(kind));
    Fixture fixture;
    if (kind == std::string("foreign")) {
      REQUIRE(::mkdir(k_folder.c_str(), 0700) == 0);
    } else if (kind == std::string("link")) {
      REQUIRE(::symlink(elsewhere.path().c_str(), k_folder.c_str()) == 0);
      REQUIRE(::lchown(k_folder.c_str(), k_user, k_user) == 0);
    } else if (kind == std::string("FIFO")) {
      REQUIRE(::mkfifo(k_folder.c_str(), 0600) == 0);
      REQUIRE(::chown(k_folder.c_str(), k_user, k_user) == 0);
    } else {
      REQUIRE(::mkdir(k_folder.c_str(), 0700) == 0);
      REQUIRE(::chown(k_folder.c_str(), k_user, k_user) == 0);
      REQUIRE(::chmod(k_folder.c_str(), 0777) == 0);
    }
    const ClientReport report = fixture.ask({});
    CHECK(report["SUCCESS"] == 2);
    CHECK(report["compiles"] == 2);
    CHECK(files_below(k_folder, "", "").empty());
    CHECK(std::filesystem::is_empty(elsewhere.path()));
    CHECK(fixture.ask({})["compiles"] == 2); // in memory only
  }
}

TEST_SUITE_END();

int main(int count, char** arguments) {
  if (!reachable()) {
    std::printf("skipped: not root, or user %u cannot get at the programs of this build\n", k_user);
    return 77;
  }
  return doctest::Context(count, arguments).run();
}
