#include "compile/worker_client.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include <sys/socket.h>
#include <unistd.h>

#include "base/files.h"
#include "compile/build_id.h"
#include "compile/compiler_library.h"
#include "compile/finish_compile.h"
#include "compile/mapped_libraries.h"

namespace hk::compile {
namespace {

// A worker whose socket is closed is about to end.
constexpr std::chrono::seconds k_last_moments{5};

std::vector<std::string> worker_environment(const WorkerSettings& settings, const std::string& temporary_folder) {
  // Nothing of the host's environment gets in: variables of hipRTC, comgr and clang change what is compiled. comgr's
  // own cache has served damaged objects, and hk keeps its own.
  std::vector<std::string> environment = {"LANG=C", "LC_ALL=C", "AMD_COMGR_CACHE=0", "TMPDIR=" + temporary_folder};
  if (!settings.library_path.empty())
    environment.push_back("LD_LIBRARY_PATH=" + settings.library_path);
  return environment;
}

Result<std::array<base::UniqueFd, 2>> socket_pair() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return fail(StatusCode::no_compiler, std::string("no socket for the compile worker: ") + ::strerrordesc_np(errno) +
                                             "; close descriptors or raise the limit (ulimit -n)");
  return std::array{base::above_standard_streams(base::UniqueFd(ends[0])),
                    base::above_standard_streams(base::UniqueFd(ends[1]))};
}

} // namespace

Result<std::unique_ptr<WorkerClient>> WorkerClient::start(const WorkerSettings& settings, const ToolChain& tool_chain,
                                                          Clock::time_point deadline) {
  HK_ASSIGN_OR_RETURN(PrivateFolder folder, PrivateFolder::create(settings.temporary_folder));
  HK_ASSIGN_OR_RETURN(CapturedOutput output, CapturedOutput::create());
  HK_ASSIGN_OR_RETURN(auto sockets, socket_pair());
  base::SubprocessOptions options;
  options.program = settings.program;
  options.arguments = {tool_chain.library.path, tool_chain.support.path, std::to_string(settings.idle_limit.count()),
                       std::to_string(::getpid()), platform_name(tool_chain.platform)};
  options.environment = worker_environment(settings, folder.path());
  options.descriptors = {-1, output.write_end(), output.write_end(), sockets[1].get()};
  auto process = base::Subprocess::start(options);
  if (!process)
    return fail(StatusCode::no_compiler, process.error().code == StatusCode::out_of_memory
                                             ? process.error().message
                                             : process.error().message + "; reinstall hk, or let the compiler run in "
                                                                         "process (HK_JIT_IN_PROCESS=1)");
  output.close_write_end();
  std::unique_ptr<WorkerClient> client(
      new WorkerClient(std::move(folder), std::move(output), std::move(sockets[0]), std::move(*process)));
  sockets[1].reset();
  HK_RETURN_IF_ERROR(client->receive_hello(settings.program, deadline));
  return client;
}

WorkerClient::WorkerClient(PrivateFolder folder, CapturedOutput output, base::UniqueFd socket, base::Subprocess process)
    : m_folder(std::move(folder)), m_output(std::move(output)), m_channel(std::move(socket), &m_output),
      m_process(std::move(process)) {}

bool WorkerClient::usable() {
  return !m_broken && !m_process.wait_until(Clock::now());
}

Status WorkerClient::receive_hello(const std::string& program, Clock::time_point deadline) {
  Frame frame;
  const std::string activity = "starting (" + program + ")"; // it may be no worker at all: say which program it was
  const Transfer received = m_channel.receive(frame, deadline);
  if (received != Transfer::done)
    return broken(received, activity);
  const auto hello = decode_hello(frame.payload);
  if (frame.kind != FrameKind::hello || !hello)
    return broken(Transfer::damaged, activity);
  if (hello->build_id != build_id())
    return {StatusCode::no_compiler, "the compile worker " + program + " is of another build (" +
                                         hello->build_id.substr(0, 80) + ", wanted " + std::string(build_id()) +
                                         "): reinstall hk, or correct HK_COMPILE_WORKER"};
  return hello->status;
}

Status WorkerClient::dead(const std::string& activity) {
  const auto status = m_process.wait_until(Clock::now() + k_last_moments);
  m_process.kill();
  std::string message =
      "the compile worker died (" + (status ? status->text() : "its socket closed") + ") while " + activity;
  if (const auto trouble = temporary_folder_trouble(m_folder.path()))
    message += ": " + *trouble;
  else if (status && status->kind == base::ExitStatus::Kind::signalled && status->number == SIGXFSZ)
    message += ": raise the limit on the size of files (ulimit -f)";
  else
    message += "; the detail holds what it wrote; if it happens again, reinstall the compiler and hk";
  return {StatusCode::compiler_crashed, std::move(message), m_output.take()};
}

Status WorkerClient::broken(Transfer how, const std::string& activity) {
  m_broken = true;
  if (how == Transfer::closed) {
    const auto status = m_process.wait_until(Clock::now() + k_last_moments);
    m_retired = status && status->success();
    return dead(activity);
  }
  m_process.kill();
  if (how == Transfer::timed_out)
    return {StatusCode::compile_timeout,
            "the compile worker was killed while " + activity +
                ", because the time limit passed; raise HK_COMPILE_TIMEOUT_MS if the machine is slow",
            m_output.take()};
  return {StatusCode::compiler_crashed,
          "the compile worker answered with damaged data while " + activity + " and was killed; reinstall hk",
          m_output.take()};
}

Result<ReplyMessage> WorkerClient::exchange(const CompileRequest& request, Clock::time_point deadline) {
  const std::string activity = "compiling '" + request.program_name + "' for " + request.target_id;
  Frame frame;
  Transfer done = m_channel.send(FrameKind::request, encode(request), deadline);
  if (done == Transfer::done)
    done = m_channel.receive(frame, deadline);
  if (done != Transfer::done)
    return fail(broken(done, activity));
  auto reply = decode_reply(frame.payload);
  if (frame.kind != FrameKind::reply || !reply)
    return fail(broken(Transfer::damaged, activity));
  return reply;
}

Result<CompileResult> WorkerClient::compile(const CompileRequest& request, const ToolChain& tool_chain,
                                            Clock::time_point deadline) {
  m_retired = false;
  HK_ASSIGN_OR_RETURN(ReplyMessage reply, exchange(request, deadline));
  const std::string written = m_output.take();
  if (!reply.status.ok()) {
    if (reply.status.detail.empty())
      reply.status.detail = written;
    if (const auto trouble = temporary_folder_trouble(m_folder.path()); trouble && reply.status.detail.empty())
      reply.status.message += "; " + *trouble;
    return fail(std::move(reply.status));
  }
  if (const auto mismatch = tool_chain_mismatch(tool_chain, reply.mapped, OtherLibraries::refused)) {
    m_broken = true;
    return fail(StatusCode::internal, "the compiler is not the one that was found when the context was created: " +
                                          *mismatch + "; it was probably upgraded meanwhile: create a new context");
  }
  CompileResult result;
  result.code_object = std::move(reply.code_object);
  result.log = std::move(reply.log);
  result.compile_ms = reply.compile_ms;
  result.peak_rss_kib = reply.peak_rss_kib;
  return finish_compile(request, tool_chain, std::move(result));
}

} // namespace hk::compile
