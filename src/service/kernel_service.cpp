#include "service/kernel_service.h"

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <exception>
#include <new>
#include <utility>

#include "base/log.h"
#include "compile/compile_options.h"
#include "service/header_bundle.h"

namespace hk::service {
namespace {

using cache::metadata_names::k_compile_ms;
using Clock = std::chrono::steady_clock;

std::uint64_t nanoseconds_since(Clock::time_point start) {
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start).count());
}

std::vector<cache::ToolchainPart> toolchain_parts(const compile::ToolChain& tool_chain) {
  std::vector<cache::ToolchainPart> parts = {{tool_chain.hiprtc.soname, tool_chain.hiprtc.build_id},
                                             {tool_chain.comgr.soname, tool_chain.comgr.build_id}};
  for (const compile::LibraryIdentity& generator : tool_chain.code_generators)
    parts.push_back({generator.soname, generator.build_id});
  return parts;
}

cache::Metadata metadata_of(const ServedKernel& kernel, const compile::CompileResult& compiled,
                            const codeobj::TargetId& target) {
  namespace names = cache::metadata_names;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return {
      {names::k_symbol, kernel.symbol},
      {names::k_target, target.to_string()},
      {names::k_vgprs, std::to_string(kernel.resources.vgprs)},
      {names::k_agprs, std::to_string(kernel.resources.agprs)},
      {names::k_sgprs, std::to_string(kernel.resources.sgprs)},
      {names::k_lds_bytes, std::to_string(kernel.resources.lds_bytes)},
      {names::k_compile_ms, std::to_string(compiled.compile_ms)},
      {names::k_compiler, compiled.compiler.hiprtc.soname + ", " + compiled.compiler.comgr.soname},
      {names::k_created, std::to_string(std::chrono::duration_cast<std::chrono::seconds>(now).count())},
  };
}

double stored_compile_ms(const cache::Metadata& metadata) {
  const auto found = metadata.find(k_compile_ms);
  return found == metadata.end() ? 0 : std::strtod(found->second.c_str(), nullptr);
}

} // namespace

// One running build, shared by the thread that owns it and those that wait.
struct KernelService::Build {
  std::mutex mutex;
  std::condition_variable finished;
  bool done = false;
  Result<const ServedKernel*> outcome = nullptr;

  void finish(Result<const ServedKernel*> result) {
    const std::lock_guard lock(mutex);
    outcome = std::move(result);
    done = true;
    finished.notify_all();
  }

  Result<const ServedKernel*> wait() {
    std::unique_lock lock(mutex);
    finished.wait(lock, [this] { return done; });
    return outcome;
  }
};

KernelService::KernelService(device::Driver& driver, codeobj::TargetId target,
                             std::unique_ptr<compile::Compiler> compiler, std::unique_ptr<cache::Store> store)
    : m_driver(driver), m_target(std::move(target)), m_compiler(std::move(compiler)), m_store(std::move(store)) {}

KernelService::~KernelService() = default;

const ServedKernel* KernelService::find(const KernelIdentity& identity) noexcept {
  const ServedKernel* kernel = m_table.find(identity);
  if (kernel != nullptr)
    increment(m_counters.memory_hits);
  return kernel;
}

const ServedKernel* KernelService::peek(const KernelIdentity& identity) const noexcept {
  return m_table.find(identity);
}

Result<KernelService::Obtained> KernelService::obtain(const KernelIdentity& identity, const KernelRecipe& recipe) {
  std::shared_ptr<Build> build;
  bool owner = false;
  {
    const std::lock_guard lock(m_mutex);
    if (const ServedKernel* kernel = m_table.find(identity))
      return Obtained{kernel, false};
    std::shared_ptr<Build>& entry = m_builds[identity];
    owner = entry == nullptr;
    if (owner)
      entry = std::make_shared<Build>();
    build = entry;
  }
  if (!owner) {
    increment(m_counters.joined);
    HK_ASSIGN_OR_RETURN(const ServedKernel* kernel, build->wait());
    return Obtained{kernel, false};
  }

  // Whatever happens, the waiting threads must hear of it, also when there is no memory left: the sentence for that
  // exists before the work begins, and finishing moves it.
  Result<const ServedKernel*> outcome = fail(StatusCode::internal, {});
  std::exception_ptr thrown;
  try {
    outcome = fail(StatusCode::internal, "the thread that built " + recipe.symbol + " failed: call again");
    Result<ServedKernel> made = make(recipe);
    if (!made)
      outcome = fail(std::move(made.error()));
    else
      outcome = m_table.insert(identity, std::move(*made));
  } catch (...) {
    thrown = std::current_exception();
  }
  {
    const std::lock_guard lock(m_mutex);
    m_builds.erase(identity);
  }
  if (!outcome)
    increment(m_counters.failures);
  build->finish(std::move(outcome));
  if (thrown)
    std::rethrow_exception(thrown);
  HK_ASSIGN_OR_RETURN(const ServedKernel* kernel, build->wait());
  return Obtained{kernel, true};
}

Result<ServedKernel> KernelService::make(const KernelRecipe& recipe) {
  HK_ASSIGN_OR_RETURN(HeaderBundle bundle, reachable_headers(recipe.source, m_target.processor));
  // Without the identity of the compiler there is no key, and so no entry of our own store that could be trusted.
  if (!m_compiler->tool_chain())
    return fail(m_compiler->tool_chain().error());
  cache::KeyText spec;
  spec.add("symbol", recipe.symbol).add("unit", base::hash128(recipe.source));
  const std::span<const std::string_view> pinned = compile::pinned_options();
  const cache::Key key = cache::make_key(
      {spec.text(), bundle.digest, std::vector<std::string>(pinned.begin(), pinned.end()), m_target.to_string()},
      toolchain_parts(*m_compiler->tool_chain()));
  if (std::unique_ptr<ServedKernel> stored = load_stored(recipe, key))
    return std::move(*stored);
  return build(recipe, std::move(bundle.headers), key);
}

// An entry that is sound but no longer loads (another driver, a kernel that spills) is set aside once; the compile that
// follows replaces it, and its failure is final.
std::unique_ptr<ServedKernel> KernelService::load_stored(const KernelRecipe& recipe, const cache::Key& key) {
  const std::optional<cache::Entry> entry = m_store->lookup(key);
  if (!entry)
    return nullptr;
  Result<ServedKernel> loaded = load(recipe, entry->payload);
  if (!loaded) {
    increment(m_counters.rejected_entries);
    m_store->reject(key, entry->metadata, entry->payload, loaded.error().message);
    base::log_message(base::LogLevel::warning, "cached kernel " + recipe.symbol + " cannot be used (" +
                                                   loaded.error().message + "): it is compiled again");
    return nullptr;
  }
  loaded->origin = KernelOrigin::cached;
  loaded->compile_ms = stored_compile_ms(entry->metadata);
  increment(m_counters.disk_hits);
  return std::make_unique<ServedKernel>(std::move(*loaded));
}

Result<ServedKernel> KernelService::build(const KernelRecipe& recipe, std::vector<compile::SourceHeader> headers,
                                          const cache::Key& key) {
  compile::CompileRequest request;
  request.program_name = recipe.symbol + ".hip";
  request.source = recipe.source;
  request.headers = std::move(headers);
  request.target_id = m_target.to_string();
  request.symbol = recipe.symbol;
  const Clock::time_point start = Clock::now();
  HK_ASSIGN_OR_RETURN(const compile::CompileResult compiled, m_compiler->compile(request));
  m_counters.compile_nanoseconds.fetch_add(nanoseconds_since(start), std::memory_order_relaxed);
  increment(m_counters.compiles);
  HK_ASSIGN_OR_RETURN(ServedKernel kernel, load(recipe, compiled.code_object));
  kernel.origin = KernelOrigin::compiled;
  kernel.compile_ms = compiled.compile_ms;
  m_store->publish(key, metadata_of(kernel, compiled, m_target), compiled.code_object);
  return kernel;
}

Result<ServedKernel> KernelService::load(const KernelRecipe& recipe, base::ByteView code_object) {
  HK_ASSIGN_OR_RETURN(const codeobj::CodeObject object, codeobj::check_compiled(code_object, m_target, recipe.symbol));
  ServedKernel kernel;
  HK_ASSIGN_OR_RETURN(kernel.module, m_driver.load(code_object, recipe.symbol));
  kernel.symbol = recipe.symbol;
  kernel.resources = codeobj::resources_of(*object.find_kernel(recipe.symbol));
  kernel.store_kind = m_store->kind();
  return kernel;
}

Status KernelService::launch(const ServedKernel& kernel, device::LaunchShape shape,
                             std::span<const std::byte> arguments, device::Stream stream) {
  HK_RETURN_IF_ERROR(m_driver.launch(*kernel.module, shape, arguments, stream));
  increment(m_counters.launches);
  return {};
}

} // namespace hk::service
