#include "service/kernel_maker.h"

#include <cstdlib>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/trace.h"
#include "codeobj/check_kernel.h"
#include "compile/compile_options.h"

namespace hk::service {
namespace {

namespace names = cache::metadata_names;

std::uint64_t nanoseconds_since(std::chrono::steady_clock::time_point start) {
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start).count());
}

std::vector<cache::ToolchainPart> toolchain_parts(const compile::ToolChain& tool_chain) {
  std::vector<cache::ToolchainPart> parts = {{tool_chain.library.soname, tool_chain.library.build_id},
                                             {tool_chain.support.soname, tool_chain.support.build_id}};
  for (const compile::LibraryIdentity& generator : tool_chain.code_generators)
    parts.push_back({generator.soname, generator.build_id});
  return parts;
}

cache::Metadata metadata_of(const std::string& symbol, const codeobj::KernelResources& resources,
                            const compile::CompileResult& compiled, const codeobj::TargetId& target) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return {
      {names::k_symbol, symbol},
      {names::k_target, target.to_string()},
      {names::k_vgprs, std::to_string(resources.vgprs)},
      {names::k_agprs, std::to_string(resources.agprs)},
      {names::k_sgprs, std::to_string(resources.sgprs)},
      {names::k_lds_bytes, std::to_string(resources.lds_bytes)},
      {names::k_compile_ms, std::to_string(compiled.compile_ms)},
      {names::k_compiler, compiled.compiler.library.soname + ", " + compiled.compiler.support.soname},
      {names::k_created, std::to_string(std::chrono::duration_cast<std::chrono::seconds>(now).count())},
  };
}

double stored_compile_ms(const cache::Metadata& metadata) {
  const auto found = metadata.find(names::k_compile_ms);
  return found == metadata.end() ? 0 : std::strtod(found->second.c_str(), nullptr);
}

// Whether compiling the same text once more would fail in the same way. A crash may have been the machine's fault, and
// so is a failure about which the compiler itself said nothing: no room in TMPDIR, no descriptor left.
bool lies_in_the_source(const Status& status) {
  return status.code == StatusCode::compile_failed && !status.detail.empty();
}

// Another process may have more processors or another driver; this one would meet the same again.
bool lies_in_the_process(const Status& status) {
  return status.code == StatusCode::compile_timeout || status.code == StatusCode::load_failed;
}

// A device without memory, or one that an earlier kernel has brought down, loads nothing: the entry may be sound.
bool lies_in_the_device(const Status& status) {
  return status.code == StatusCode::out_of_memory || status.code == StatusCode::launch_failed;
}

} // namespace

Result<KernelMaker::Wanted> KernelMaker::wanted_of(const KernelRecipe& recipe) const {
  HK_ASSIGN_OR_RETURN(HeaderBundle bundle, reachable_headers(recipe.source, m_target.processor));
  // Without the identity of the compiler there is no key, and so no entry of our own store that could be trusted.
  if (!m_compiler.tool_chain())
    return fail(m_compiler.tool_chain().error());
  cache::KeyText spec;
  spec.add("symbol", recipe.symbol).add("unit", base::hash128(recipe.source));
  const std::span<const std::string_view> pinned = compile::pinned_options(codeobj::platform_of(m_target));
  cache::Key key = cache::make_key(
      {spec.text(), bundle.digest, std::vector<std::string>(pinned.begin(), pinned.end()), m_target.to_string()},
      toolchain_parts(*m_compiler.tool_chain()));
  return Wanted{recipe, std::move(bundle), std::move(key)};
}

Result<cache::Key> KernelMaker::key_of(const KernelRecipe& recipe) const {
  HK_ASSIGN_OR_RETURN(Wanted wanted, wanted_of(recipe));
  return std::move(wanted.key);
}

Result<ServedKernel> KernelMaker::make(const KernelRecipe& recipe) {
  HK_ASSIGN_OR_RETURN(const Wanted wanted, wanted_of(recipe));
  const std::uint64_t rejected_before = m_counters.rejected_entries;
  const std::uint64_t damaged_before = m_store.counters().damaged;
  HK_ASSIGN_OR_RETURN(std::optional<ServedKernel> stored, load_stored(wanted));
  if (stored)
    return std::move(*stored);
  if (!m_policy.compile)
    return fail(StatusCode::not_cached,
                recipe.symbol + " for " + m_target.to_string() + " is not in the cache (" + m_store.location() +
                    ") and HK_JIT=off forbids compiling: fill the cache first, or set HK_JIT=on");
  if (std::optional<Status> failure = kept_failure(wanted))
    return fail(std::move(*failure));

  const cache::Turn turn = wait_for_turn(wanted);
  // Whoever had the turn before has usually published by now.
  if (m_store.contains(wanted.key)) {
    HK_ASSIGN_OR_RETURN(stored, load_stored(wanted));
    if (stored) {
      increment(m_counters.waited);
      return std::move(*stored);
    }
  }
  if (std::optional<Status> failure = kept_failure(wanted))
    return fail(std::move(*failure));

  std::string reason = "no entry in " + m_store.location();
  if (m_counters.rejected_entries != rejected_before)
    reason = "its entry could not be used";
  else if (m_store.counters().damaged != damaged_before)
    reason = "its entry was damaged";
  else if (turn.kind == cache::Turn::Kind::timed_out)
    reason = "another process did not finish it in time";
  Result<ServedKernel> built = build(wanted, reason);
  if (!built)
    keep_failure(wanted, built.error());
  return built;
}

cache::Turn KernelMaker::wait_for_turn(const Wanted& wanted) {
  const base::TraceSpan span("wait", wanted.recipe.symbol);
  const Clock::time_point start = Clock::now();
  cache::Turn turn =
      m_store.wait_for_turn(cache::TurnOf::build, base::hash128(wanted.key.name()), start + m_policy.turn_limit,
                            [&] { return m_store.contains(wanted.key) || m_store.kept_failure(wanted.key); });
  increment(m_counters.wait_nanoseconds, nanoseconds_since(start));
  if (turn.kind == cache::Turn::Kind::timed_out)
    base::log_message(base::LogLevel::warning, "another process has held the turn to compile " + wanted.recipe.symbol +
                                                   " for " + std::to_string(m_policy.turn_limit.count()) +
                                                   " ms: it is compiled here as well");
  return turn;
}

// An entry that is sound but no longer loads (another driver, a kernel that spills) is set aside once; the compile that
// follows replaces it, and its failure is final.
Result<std::optional<ServedKernel>> KernelMaker::load_stored(const Wanted& wanted) {
  std::optional<cache::Entry> entry;
  {
    const base::TraceSpan span("lookup", wanted.recipe.symbol);
    entry = m_store.lookup(wanted.key);
  }
  if (!entry)
    return std::nullopt;
  Result<ServedKernel> loaded = load(wanted.recipe, entry->payload);
  if (!loaded && lies_in_the_device(loaded.error()))
    return fail(std::move(loaded.error()));
  if (!loaded) {
    increment(m_counters.rejected_entries);
    m_store.reject(wanted.key, entry->metadata, entry->payload, loaded.error().message);
    base::log_message(base::LogLevel::warning, "cached kernel " + wanted.recipe.symbol + " cannot be used (" +
                                                   loaded.error().message + "): it is compiled again");
    return std::nullopt;
  }
  loaded->origin = KernelOrigin::cached;
  loaded->compile_ms = stored_compile_ms(entry->metadata);
  increment(m_counters.disk_hits);
  return std::move(*loaded);
}

Result<ServedKernel> KernelMaker::build(const Wanted& wanted, const std::string& reason) {
  HK_ASSIGN_OR_RETURN(Compiled made, compile(wanted, reason));
  if (const Status first = self_check(wanted, made.kernel); !first.ok()) {
    const auto set_aside = [&](const Status& why) {
      increment(m_counters.self_check_failures);
      m_store.reject(wanted.key, metadata_of(wanted.recipe.symbol, made.kernel.resources, made.result, m_target),
                     made.result.code_object, why.message);
      base::log_message(base::LogLevel::error, wanted.recipe.symbol + " failed its self-check (" + why.message + ")");
    };
    set_aside(first);
    HK_ASSIGN_OR_RETURN(made, compile(wanted, "its first object failed the self-check"));
    if (const Status second = self_check(wanted, made.kernel); !second.ok()) {
      set_aside(second);
      return fail(StatusCode::compile_failed,
                  wanted.recipe.symbol + " computes wrong values for " + m_target.to_string() +
                      ", twice: report it with the output of `hk info` (HK_SELFCHECK=off uses it all the same)",
                  second.message);
    }
  }
  m_store.publish(wanted.key, metadata_of(wanted.recipe.symbol, made.kernel.resources, made.result, m_target),
                  made.result.code_object);
  return std::move(made.kernel);
}

Result<KernelMaker::Compiled> KernelMaker::compile(const Wanted& wanted, const std::string& reason) {
  compile::CompileRequest request;
  request.program_name = compile::program_name(codeobj::platform_of(m_target), wanted.recipe.symbol);
  request.source = wanted.recipe.source;
  request.headers = wanted.bundle.headers;
  request.target_id = m_target.to_string();
  request.symbol = wanted.recipe.symbol;
  const Clock::time_point start = Clock::now();
  const base::TraceSpan span("compile", wanted.recipe.symbol);
  Result<compile::CompileResult> answer = m_compiler.compile(request);
  increment(m_counters.compile_nanoseconds, nanoseconds_since(start));
  if (!answer) {
    base::log_message(base::LogLevel::info, "not compiled: " + wanted.recipe.symbol + " for " + m_target.to_string() +
                                                " (" + answer.error().message + "): " + reason);
    return fail(std::move(answer.error()));
  }
  compile::CompileResult compiled = std::move(*answer);
  increment(m_counters.compiles);
  base::log_message(base::LogLevel::info, "compiled " + wanted.recipe.symbol + " for " + m_target.to_string() + " in " +
                                              std::to_string(static_cast<long>(compiled.compile_ms)) +
                                              " ms: " + reason);
  HK_ASSIGN_OR_RETURN(ServedKernel kernel, load(wanted.recipe, compiled.code_object));
  kernel.origin = KernelOrigin::compiled;
  kernel.compile_ms = compiled.compile_ms;
  return Compiled{std::move(kernel), std::move(compiled)};
}

Status KernelMaker::self_check(const Wanted& wanted, const ServedKernel& kernel) {
  if (!wanted.recipe.self_check)
    return {};
  const base::TraceSpan span("self-check", wanted.recipe.symbol);
  const Result<SelfCheckOutcome> outcome = wanted.recipe.self_check(kernel);
  const bool skipped = outcome && *outcome == SelfCheckOutcome::skipped;
  increment(skipped ? m_counters.self_checks_skipped : m_counters.self_checks);
  return outcome ? Status() : outcome.error();
}

Result<ServedKernel> KernelMaker::load(const KernelRecipe& recipe, base::ByteView code_object) {
  const base::TraceSpan span("load", recipe.symbol);
  ServedKernel kernel;
  HK_ASSIGN_OR_RETURN(kernel.resources, codeobj::check_kernel(code_object, m_target, recipe.symbol));
  HK_ASSIGN_OR_RETURN(kernel.module, m_driver.load(code_object, recipe.symbol));
  kernel.symbol = recipe.symbol;
  kernel.store_kind = m_store.kind();
  return kernel;
}

std::optional<Status> KernelMaker::kept_failure(const Wanted& wanted) {
  std::optional<Status> failure = m_own_failures.find(wanted.key);
  if (!failure)
    failure = m_store.kept_failure(wanted.key);
  if (!failure)
    return std::nullopt;
  increment(m_counters.kept_failures);
  failure->message += " (less than 60 s ago; until then it is not tried again)";
  return failure;
}

void KernelMaker::keep_failure(const Wanted& wanted, const Status& status) {
  if (lies_in_the_source(status))
    m_store.keep_failure(wanted.key, status);
  else if (lies_in_the_process(status))
    m_own_failures.keep(wanted.key, status);
}

} // namespace hk::service
