#include "sim_run.h"

#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include "progress.h"
#include "sim_file.h"
#include "sim_run_argument.h"
#include "sim_run_buffer.h"
#include "sim_run_layout.h"
#include "sim_run_report.h"
#include "sim_run_simulator.h"

namespace hk::command {
namespace {

FailAs refused(const std::string& why) {
  return fail_as(Status(StatusCode::invalid_argument, why));
}

std::optional<std::uint64_t> whole_number(std::string_view text) {
  return bits_of_number(SimElement::u64, text);
}

// What the texts of the command line say.
struct Request {
  std::array<std::uint32_t, 3> grid{};
  std::array<std::uint32_t, 3> block{};
  std::uint32_t dynamic_lds = 0;
  std::vector<ArgumentValue> arguments;
  hksim_launch_options launch{};
};

// Of "X,Y,Z[:WAVE[:LINES]]".
Status parse_trace(const std::string& text, Request& request) {
  constexpr std::uint64_t k_default_lines = 1000;
  constexpr std::uint64_t k_most_lines = 10'000'000; // about 1 GB of text
  std::string_view rest = text;
  const auto next = [&] {
    const std::size_t end = rest.find(':');
    const std::string_view part = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    return part;
  };
  HK_ASSIGN_OR_RETURN(const auto workgroup, parse_three("--trace", next(), 0));
  const std::string_view wave_text = next();
  const std::string_view lines_text = next();
  const std::optional<std::uint64_t> wave = wave_text.empty() ? 0 : whole_number(wave_text);
  const std::optional<std::uint64_t> lines = lines_text.empty() ? k_default_lines : whole_number(lines_text);
  if (!wave || !lines || !rest.empty() || *lines == 0 || *lines > k_most_lines)
    return refused("--trace " + text + ": expected X,Y,Z[:WAVE[:LINES]] with at most " + std::to_string(k_most_lines) +
                   " lines");
  for (std::size_t i = 0; i < 3; ++i)
    if (workgroup[i] >= request.grid[i])
      return refused("--trace " + text + ": the grid has no such workgroup; they count from 0");
  const std::uint64_t work_items = std::uint64_t{request.block[0]} * request.block[1] * request.block[2];
  if (*wave >= (work_items + 63) / 64)
    return refused("--trace " + text + ": a workgroup has " + std::to_string((work_items + 63) / 64) +
                   " waves, counted from 0");
  request.launch.trace_lines = *lines;
  request.launch.traced_wave = *wave;
  request.launch.traced_workgroup =
      workgroup[0] + std::uint64_t{request.grid[0]} * (workgroup[1] + std::uint64_t{request.grid[1]} * workgroup[2]);
  return {};
}

Result<Request> parse_request(const SimRunOptions& options) {
  Request request;
  HK_ASSIGN_OR_RETURN(request.grid, parse_three("--grid", options.grid, 1));
  HK_ASSIGN_OR_RETURN(request.block, parse_three("--block", options.block, 1));
  const std::optional<std::uint64_t> lds = options.lds.empty() ? 0 : parse_size(options.lds);
  if (!lds || *lds > std::numeric_limits<std::uint32_t>::max())
    return refused("--lds " + options.lds + ": it is no number of bytes");
  request.dynamic_lds = static_cast<std::uint32_t>(*lds);
  for (const std::string& text : options.arguments) {
    HK_ASSIGN_OR_RETURN(ArgumentValue value, parse_argument(text));
    request.arguments.push_back(std::move(value));
  }
  request.launch.struct_size = sizeof request.launch;
  request.launch.max_wave_instructions = options.max_instructions;
  request.launch.turn = options.turn;
  request.launch.forgive_missing_waits = options.forgive_missing_waits ? 1 : 0;
  if (!options.trace.empty())
    HK_RETURN_IF_ERROR(parse_trace(options.trace, request));
  return request;
}

// The explicit part of the kernarg segment, addresses filled in.
Result<base::Bytes> kernarg_bytes(const ArgumentPlan& plan, const std::vector<ArgumentValue>& values,
                                  const RunBuffers& buffers) {
  base::Bytes segment(plan.bytes);
  std::size_t own_buffers = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const ArgumentValue& value = values[i];
    std::byte* const place = segment.data() + plan.offsets[i];
    if (!value.bytes.empty())
      std::memcpy(place, value.bytes.data(), value.bytes.size());
    std::uint64_t address = 0;
    if (value.form == ArgumentForm::buffer) {
      address = buffers.address_of(own_buffers++);
    } else if (value.form == ArgumentForm::pointer) {
      HK_ASSIGN_OR_RETURN(address, buffers.address_of(value.buffer_name, value.offset));
    }
    if (value.form != ArgumentForm::bytes)
      std::memcpy(place, &address, sizeof address);
  }
  return segment;
}

// Runs the kernel and waits for it; a fault is a failure whose detail names it.
Status launch(const SimulatedDevice& simulated, const SimFile& file, const codeobj::Kernel& kernel,
              const Request& request, const base::Bytes& arguments) {
  device::Driver& driver = simulated.driver();
  HK_ASSIGN_OR_RETURN(const auto module, driver.load(file.object.image, kernel.metadata.name));
  HK_RETURN_IF_ERROR(simulated.set_launch_options(request.launch));
  device::LaunchShape shape;
  shape.workgroups = request.grid[0];
  shape.workgroups_y = request.grid[1];
  shape.workgroups_z = request.grid[2];
  shape.workgroup_size = request.block[0];
  shape.workgroup_size_y = request.block[1];
  shape.workgroup_size_z = request.block[2];
  shape.dynamic_lds_bytes = request.dynamic_lds;
  HK_RETURN_IF_ERROR(driver.launch(*module, shape, arguments, nullptr));
  return driver.synchronize(nullptr);
}

Status run(const SimRunOptions& options) {
  HK_ASSIGN_OR_RETURN(const Request request, parse_request(options));
  HK_ASSIGN_OR_RETURN(SimFile file, read_sim_file(options.file, options.device));
  HK_ASSIGN_OR_RETURN(const codeobj::Kernel* const kernel, kernel_of(file, options.kernel));
  const ArgumentLayout layout = options.packed ? ArgumentLayout::packed : ArgumentLayout::metadata;
  HK_ASSIGN_OR_RETURN(const ArgumentPlan plan, plan_arguments(kernel->metadata, request.arguments, layout));
  HK_ASSIGN_OR_RETURN(const SimulatedDevice simulated, SimulatedDevice::open(file.device));
  RunBuffers buffers(simulated.driver());
  for (const ArgumentValue& value : request.arguments)
    if (value.form == ArgumentForm::buffer)
      HK_RETURN_IF_ERROR(buffers.prepare(value.buffer));
  HK_RETURN_IF_ERROR(buffers.upload());
  HK_ASSIGN_OR_RETURN(const base::Bytes arguments, kernarg_bytes(plan, request.arguments, buffers));
  const auto begin = std::chrono::steady_clock::now();
  std::optional<Progress> progress(std::in_place);
  progress->phase("simulating " + kernel->metadata.name);
  Status ended = launch(simulated, file, *kernel, request, arguments);
  progress.reset();
  const std::chrono::duration<double, std::milli> host_time = std::chrono::steady_clock::now() - begin;
  // The trace of a run that came to a fault is the one that is wanted most.
  if (!options.trace.empty())
    std::fputs(simulated.last_trace().c_str(), stdout);
  if (!ended.ok())
    return ended;
  HK_RETURN_IF_ERROR(buffers.download());
  if (options.stats) {
    RunFacts facts;
    facts.device = simulated.driver().info().device;
    facts.target = simulated.driver().info().target;
    facts.profile = simulated.profile_digest();
    facts.grid = request.grid;
    facts.block = request.block;
    facts.lds_bytes = kernel->metadata.group_segment_fixed_size + request.dynamic_lds;
    facts.host_ms = host_time.count();
    std::printf("%s\n", run_json(facts, simulated.last_launch()).c_str());
  }
  return {};
}

} // namespace

Result<std::array<std::uint32_t, 3>> parse_three(const std::string& what, std::string_view text, std::uint32_t rest) {
  std::array<std::uint32_t, 3> numbers{rest, rest, rest};
  std::string_view left = text;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t end = left.find(',');
    const std::optional<std::uint64_t> number = whole_number(left.substr(0, end));
    if (!number || *number > std::numeric_limits<std::uint32_t>::max() || (i == 2 && end != std::string_view::npos))
      return refused(what + " " + std::string(text) + ": expected one to three whole numbers below 2^32, as in 4,2,1");
    numbers[i] = static_cast<std::uint32_t>(*number);
    if (end == std::string_view::npos)
      break;
    left.remove_prefix(end + 1);
  }
  return numbers;
}

int sim_run(const SimRunOptions& options) {
  const Status status = run(options);
  if (status.ok())
    return 0;
  const std::string& detail = status.detail;
  std::fprintf(stderr, "hk sim run: %s%s%s\n", status.message.c_str(), detail.empty() ? "" : ": ", detail.c_str());
  return 1;
}

} // namespace hk::command
