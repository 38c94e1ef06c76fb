#include "api/context.h"

#include <atomic>
#include <string>

#include "api/fork_state.h"
#include "api/struct_version.h"
#include "base/json.h"
#include "base/log.h"
#include "base/trace.h"
#include "cache/open_store.h"
#include "codeobj/target_id.h"
#include "device/open_device.h"

namespace hk::api {
namespace {

// Size of hk_context_options in release 0.1.
constexpr std::size_t k_first_options_size = 40;

// Fork generation of the first context plus one; 0 = no context yet.
std::atomic<std::uint64_t> first_context{0};

Status forked() {
  return {StatusCode::forked,
          "this process was forked from one that already used hk, and a GPU runtime does not survive "
          "a fork: start the child with exec or spawn, or fork before the first hk_context_create"};
}

// The first context of a process tree fixes the generation in which hk may be used.
Status claim_process(std::uint32_t generation) {
  std::uint64_t expected = 0;
  const std::uint64_t mine = std::uint64_t{generation} + 1;
  if (first_context.compare_exchange_strong(expected, mine) || expected == mine)
    return {};
  return forked();
}

Status apply_specialize(std::int32_t asked, base::Config& config) {
  switch (asked) {
  case HK_SPECIALIZE_DEFAULT:
    return {};
  case HK_SPECIALIZE_EXACT:
    config.specialize = base::Specialize::exact;
    return {};
  case HK_SPECIALIZE_FAMILY:
    config.specialize = base::Specialize::family;
    return {};
  default:
    return {StatusCode::invalid_argument,
            "options.specialize is " + std::to_string(asked) + ": use a value of hk_specialize"};
  }
}

Status apply_tune(std::int32_t asked, base::Config& config) {
  switch (asked) {
  case HK_TUNE_DEFAULT:
    return {};
  case HK_TUNE_OFF:
    config.tune = base::TuneMode::off;
    return {};
  case HK_TUNE_LOOKUP:
    config.tune = base::TuneMode::lookup;
    return {};
  case HK_TUNE_MISSING:
    config.tune = base::TuneMode::missing;
    return {};
  case HK_TUNE_FORCE:
    config.tune = base::TuneMode::force;
    return {};
  default:
    return {StatusCode::invalid_argument, "options.tune is " + std::to_string(asked) + ": use a value of hk_tune"};
  }
}

Status apply_options(const hk_context_options& options, base::Config& config) {
  if (options.device != nullptr)
    config.device = options.device;
  if (options.runtime_library != nullptr)
    config.hip_library = config.cuda_library = options.runtime_library;
  if (options.compile_worker != nullptr)
    config.compile_worker = options.compile_worker;
  if (options.cache_directory != nullptr)
    config.cache_folder = options.cache_directory;
  if (options.reserved != 0)
    return {StatusCode::invalid_argument, "options.reserved is " + std::to_string(options.reserved) + ": it must be 0"};
  HK_RETURN_IF_ERROR(apply_specialize(options.specialize, config));
  return apply_tune(options.tune, config);
}

// On a simulated device every trial runs in software, and on the null device nothing runs: there tuning is asked for.
base::TuneMode tune_mode(base::TuneMode asked, const device::DeviceInfo& device) {
  if (asked != base::TuneMode::automatic)
    return asked;
  return device.simulated || device.runtime_library.empty() ? base::TuneMode::lookup : base::TuneMode::missing;
}

service::ServicePolicy service_policy(const base::Config& config) {
  // The other process may wait for a slot of the machine and compile, each for as long as a compile may take, and needs
  // some time for what is around it.
  constexpr std::chrono::seconds k_margin{5};
  return {config.jit, 2 * std::chrono::milliseconds(config.compile_timeout_ms) + k_margin};
}

ops::AttentionPolicy attention_policy(const base::Config& config, const device::DeviceInfo& device) {
  ops::AttentionPolicy policy;
  policy.specialize = config.specialize;
  policy.exact_max = config.jit_exact_max;
  policy.tune = tune_mode(config.tune, device);
  policy.tune_budget = std::chrono::milliseconds(config.tune_budget_ms);
  policy.self_check = config.self_check;
  policy.repeatable_times = device.simulated && config.simulator_noise.empty();
  return policy;
}

} // namespace

Result<std::unique_ptr<hk_context>> create_context(const hk_context_options* options) {
  HK_ASSIGN_OR_RETURN(base::Config config, base::read_config());
  if (options != nullptr) {
    hk_context_options known{};
    HK_RETURN_IF_ERROR(copy_struct("options", options, k_first_options_size, known));
    HK_RETURN_IF_ERROR(apply_options(known, config));
  }
  HK_RETURN_IF_ERROR(claim_process(fork_generation()));
  HK_RETURN_IF_ERROR(base::configure_log(config.log_level, config.log_file));
  base::configure_trace(config.trace_file);
  ContextParts parts;
  HK_ASSIGN_OR_RETURN(parts.driver, device::open_device({config.device, config.hip_library, config.simulator_library,
                                                         config.cuda_library}));
  HK_ASSIGN_OR_RETURN(const codeobj::TargetId target, codeobj::parse_supported_target_id(parts.driver->info().target));
  parts.compiler = compile::make_compiler(compile::compiler_options(config, codeobj::platform_of(target)));
  parts.store = cache::open_store(config);
  return assemble_context(std::move(config), std::move(parts));
}

Result<std::unique_ptr<hk_context>> assemble_context(base::Config config, ContextParts parts) {
  HK_ASSIGN_OR_RETURN(codeobj::TargetId target, codeobj::parse_supported_target_id(parts.driver->info().target));
  auto context = std::make_unique<hk_context>();
  context->fork_generation = fork_generation();
  context->config = std::move(config);
  context->driver = std::move(parts.driver);
  context->service =
      std::make_unique<service::KernelService>(*context->driver, std::move(target), std::move(parts.compiler),
                                               std::move(parts.store), service_policy(context->config));
  context->attention = std::make_unique<ops::Attention>(*context->driver, *context->service,
                                                        attention_policy(context->config, context->driver->info()));
  return context;
}

Status check_context(const hk_context* context) {
  if (context == nullptr)
    return {StatusCode::invalid_argument, "context is null: pass one from hk_context_create"};
  if (context->fork_generation != fork_generation())
    return forked();
  return {};
}

std::string describe_context(const hk_context& context) {
  const device::DeviceInfo& info = context.driver->info();
  const Result<compile::ToolChain>& tool_chain = context.service->compiler().tool_chain();
  const Result<std::string> worker = context.service->compiler().worker();
  base::Json compiler = base::Json::object();
  if (tool_chain)
    compiler.set("library", tool_chain->library.path)
        .set("library_build", tool_chain->library.build_id)
        .set("support", tool_chain->support.path)
        .set("support_build", tool_chain->support.build_id);
  else
    compiler.set("problem", tool_chain.error().message);
  if (worker)
    compiler.set("worker", worker->empty() ? "none: this process compiles" : *worker);
  else
    compiler.set("worker_problem", worker.error().message);
  base::Json runtime = base::Json::object();
  runtime.set("library", info.runtime_library).set("reason", info.runtime_reason).set("version", info.runtime_version);
  base::Json settings = base::Json::object();
  for (const base::EnvironmentVariable& variable : base::environment_variables())
    settings.set(variable.name, variable.show(context.config));
  base::Json text = base::Json::object();
  text.set("device", info.device)
      .set("product", info.product)
      .set("target", info.target)
      .set("simulated", info.simulated)
      .set("compute_units", info.compute_units)
      .set("memory_bytes", info.memory)
      .set("lds_bytes", info.lds_bytes)
      .set("clock_mhz", info.clock_mhz)
      .set("runtime", runtime)
      .set("compiler", compiler)
      .set("cache", context.service->store().location())
      .set("settings", settings);
  return text.text();
}

} // namespace hk::api
