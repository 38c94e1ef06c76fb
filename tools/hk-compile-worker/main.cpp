// hk-compile-worker: runs hipRTC or NVRTC for libhk in a process of its own, because a compiler may end the process
// that it runs in. Started by libhk as
//   hk-compile-worker LIBRARY_PATH SUPPORT_PATH IDLE_LIMIT_MS PARENT_PID amd|nvidia
// with descriptor 3 = the socket to its client (src/compile/worker_protocol.h) and TMPDIR = a folder of its own.

#include <array>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/remove_tree.h"
#include "compile/build_id.h"
#include "compile/compiler_library.h"
#include "compile/worker_loop.h"

namespace {

constexpr int k_socket = 3;

template <typename Integer>
bool parse_number(const char* text, Integer& number) {
  const char* end = text + std::strlen(text);
  const auto result = std::from_chars(text, end, number);
  return result.ec == std::errc() && result.ptr == end;
}

// A client that dies closes its socket a moment before its death shows.
constexpr int k_death_shows_ms = 1000;

bool is_ready(int descriptor, short events, int limit_ms) {
  pollfd watched{descriptor, events, 0};
  return ::poll(&watched, 1, limit_ms) > 0 && (watched.revents & POLLNVAL) == 0;
}

// Ends this process and then removes its folder. In that order, or a compiler that still runs would put files where
// some were just removed, or miss one and end the process itself before all were gone; so a child does it, alone.
[[noreturn]] void end_and_remove(const char* folder) {
  const pid_t worker = ::getpid();
  if (::fork() > 0)
    ::_exit(0);
  while (::getppid() == worker)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  (void)hk::base::remove_tree(folder);
  ::_exit(0);
}

// Ends this process, in the middle of a compile too, as soon as the client closes the socket or dies. The socket alone
// does not tell of a death when the client had forked: the child keeps a copy open. PR_SET_PDEATHSIG would not do: it
// fires when the *thread* that started the worker ends. The folder is the client's to remove, unless it died.
void end_with_client(pid_t client) {
  // 0: the client is in an outer PID namespace and has no number here; then the socket alone must do.
  const pid_t parent = ::getppid();
  const int process = parent != 0 ? static_cast<int>(::syscall(SYS_pidfd_open, client, 0)) : -1;
  bool dead = parent != 0 && ::getppid() != client; // before pidfd_open could see it
  if (!dead) {
    std::array<pollfd, 2> descriptors = {pollfd{k_socket, POLLRDHUP, 0}, pollfd{process, POLLIN, 0}};
    while (::poll(descriptors.data(), descriptors.size(), -1) <= 0)
      continue;
    dead = process >= 0 && is_ready(process, POLLIN, k_death_shows_ms);
  }
  if (const char* folder = std::getenv("TMPDIR"); dead && folder != nullptr)
    end_and_remove(folder);
  ::_exit(0);
}

} // namespace

int main(int argument_count, char** arguments) {
  if (argument_count == 2 && std::strcmp(arguments[1], "--build-id") == 0) {
    const std::string id(hk::compile::build_id());
    std::puts(id.c_str());
    return 0;
  }
  std::int64_t idle_milliseconds = 0;
  pid_t client = 0;
  if (argument_count != 6 || !parse_number(arguments[3], idle_milliseconds) || !parse_number(arguments[4], client)) {
    std::fputs("hk-compile-worker is started by libhk; run it with --build-id to see which build it is\n", stderr);
    return 2;
  }
  const auto platform = std::strcmp(arguments[5], hk::compile::platform_name(hk::codeobj::Platform::nvidia)) == 0
                            ? hk::codeobj::Platform::nvidia
                            : hk::codeobj::Platform::amd;
  const struct rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  std::thread(end_with_client, client).detach();
  const int code = hk::compile::run_worker({hk::base::UniqueFd(k_socket), platform, arguments[1], arguments[2],
                                            std::chrono::milliseconds(idle_milliseconds)});
  if (is_ready(k_socket, POLLRDHUP, 0))
    ::pause();   // the other thread sees it too and ends the process
  ::_exit(code); // LLVM's static destructors have nothing to add
}
