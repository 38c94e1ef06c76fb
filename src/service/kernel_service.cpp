#include "service/kernel_service.h"

#include <condition_variable>
#include <exception>
#include <utility>

#include "base/trace.h"

namespace hk::service {

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
                             std::unique_ptr<compile::Compiler> compiler, std::unique_ptr<cache::Store> store,
                             const ServicePolicy& policy)
    : m_driver(driver), m_target(std::move(target)), m_processor(codeobj::find_processor(m_target.processor)),
      m_compiler(std::move(compiler)), m_store(std::move(store)),
      m_maker(m_driver, m_target, *m_compiler, *m_store, policy, m_counters) {}

KernelService::~KernelService() = default;

const ServedKernel* KernelService::find(const KernelIdentity& identity) noexcept {
  const ServedKernel* kernel = m_table.find(identity);
  if (kernel != nullptr)
    m_counters.memory_hits.add();
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
    Result<ServedKernel> made = m_maker.make(recipe);
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

Status KernelService::launch(const ServedKernel& kernel, device::LaunchShape shape,
                             std::span<const std::byte> arguments, device::Stream stream) {
  const base::TraceSpan span("launch", kernel.symbol);
  HK_RETURN_IF_ERROR(m_driver.launch(*kernel.module, shape, arguments, stream));
  m_counters.launches.add();
  return {};
}

} // namespace hk::service
