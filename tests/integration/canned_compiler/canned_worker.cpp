// A compile worker that answers every request at once with a canned code object. The folder of the path by which it is
// started tells it what to do and hears what it did:
//   <folder>/orders     lines of an action and conditions; the first line that fits a request is followed
//   <folder>/compiles   one record of fixed size for each request, appended at once (canned_compiler.h reads it)
// Actions: delay MS, hang, crash, kill, memory, garbage, refuse. Conditions: first=N (only the first N requests of all
// workers), symbol=PART (only kernels whose name holds PART).

#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "base/files.h"
#include "compile/address_space_limit.h"
#include "compile/build_id.h"
#include "compile/frame_channel.h"
#include "compile/tool_chain.h"
#include "integration/canned_compiler/canned_object.h"
#include "integration/canned_compiler/compile_record.h"

using namespace hk;
using namespace hk::compile;

namespace {

constexpr int k_socket = 3;

struct Order {
  std::string action; // empty: answer
  int milliseconds = 0;
};

auto soon() {
  return FrameChannel::Clock::now() + std::chrono::seconds(30);
}

// number: of this request among those of all workers, from 1.
Order order_for(const std::string& folder, const CompileRequest& request, long number) {
  std::ifstream file(folder + "/orders");
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    Order order;
    words >> order.action;
    bool fits = true;
    for (std::string word; words >> word;) {
      if (word.starts_with("first="))
        fits = fits && number <= std::stol(word.substr(6));
      else if (word.starts_with("symbol="))
        fits = fits && request.symbol.find(word.substr(7)) != std::string::npos;
      else
        order.milliseconds = std::stoi(word);
    }
    if (fits)
      return order;
  }
  return {};
}

// Returns the request's number. An append tells where it wrote, so two workers never get the same one.
long record(const std::string& folder, const CompileRequest& request) {
  const int file = ::open((folder + "/compiles").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  const std::string text = test::compile_record(request.symbol, request.target_id);
  if (::write(file, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    ::_exit(9);
  const off_t end = ::lseek(file, 0, SEEK_CUR);
  ::close(file);
  return end / static_cast<off_t>(text.size());
}

// Until the client goes.
void hang() {
  pollfd socket{k_socket, POLLRDHUP, 0};
  ::poll(&socket, 1, -1);
  ::_exit(0);
}

void use_up_memory(std::uint64_t address_space) {
  if (!k_limits_address_space)
    ::_exit(1); // under a sanitizer there is no limit to run into
  limit_address_space(address_space);
  constexpr std::size_t k_step = std::size_t{256} << 20;
  std::vector<std::unique_ptr<char[]>> pieces;
  while (true)
    pieces.emplace_back(new char[k_step]); // untouched: it costs no memory of the machine
}

void follow(const Order& order, const CompileRequest& request, ReplyMessage& reply) {
  if (order.action == "delay")
    std::this_thread::sleep_for(std::chrono::milliseconds(order.milliseconds));
  else if (order.action == "hang")
    hang();
  else if (order.action == "crash")
    std::raise(SIGABRT);
  else if (order.action == "kill")
    std::raise(SIGKILL);
  else if (order.action == "memory")
    use_up_memory(request.limits.address_space);
  else if (order.action == "refuse")
    reply.status = Status(StatusCode::compile_failed, "the canned compiler refused '" + request.program_name + "'",
                          "canned.hip:1:1: error: refused as ordered");
  else if (order.action == "garbage") {
    const std::string nonsense(256, 'g');
    (void)::send(k_socket, nonsense.data(), nonsense.size(), MSG_NOSIGNAL);
    hang();
  }
}

// The libraries that the client expects to have compiled, as their files say.
std::vector<LibraryIdentity> libraries_at(const char* hiprtc) {
  ToolChainSearch search;
  search.hiprtc_library = hiprtc;
  if (const char* library_path = std::getenv("LD_LIBRARY_PATH"))
    search.library_path = library_path;
  const auto found = find_tool_chain(search);
  if (!found)
    return {};
  std::vector<LibraryIdentity> libraries = found->code_generators;
  libraries.push_back(found->library);
  libraries.push_back(found->support);
  return libraries;
}

int serve(const std::string& folder, const char* hiprtc, std::chrono::milliseconds idle_limit) {
  FrameChannel channel{base::UniqueFd(k_socket)};
  (void)channel.send(FrameKind::hello, encode(HelloMessage{std::string(build_id()), {}}), soon());
  const std::vector<LibraryIdentity> libraries = libraries_at(hiprtc);
  Frame frame;
  while (channel.receive(frame, FrameChannel::Clock::now() + idle_limit) == Transfer::done) {
    const auto request = decode_request(frame.payload);
    if (!request)
      return 1;
    ReplyMessage reply;
    follow(order_for(folder, *request, record(folder, *request)), *request, reply);
    if (reply.status.ok())
      reply.code_object = test::canned_object(request->symbol, request->target_id);
    reply.compile_ms = 1;
    reply.mapped = libraries;
    if (channel.send(FrameKind::reply, encode(reply), soon()) != Transfer::done)
      return 0;
  }
  return 0;
}

} // namespace

int main(int count, char** arguments) {
  if (count != 6)
    return 2;
  doctest::Context checks; // of renamed_code_object.h
  checks.setAsDefaultForAssertsOutOfTestCases();
  const struct rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  const std::string path = arguments[0];
  return serve(path.substr(0, path.rfind('/')), arguments[1], std::chrono::milliseconds(std::stol(arguments[3])));
}
