#pragma once
// KernelService: from a spec to a loaded kernel.
//
//   find()    the loaded kernels; no lock, no allocation, no string
//   obtain()  on a miss: join a running build or own it, which is the maker's work (kernel_maker.h)
//   launch()
// All functions may be called from any thread. The service knows no operation: what a kernel is made from comes as a
// recipe.

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>

#include "base/status.h"
#include "cache/store.h"
#include "codeobj/target_id.h"
#include "compile/compiler.h"
#include "device/driver.h"
#include "service/kernel_identity.h"
#include "service/kernel_maker.h"
#include "service/kernel_recipe.h"
#include "service/kernel_table.h"
#include "service/served_kernel.h"
#include "service/service_counters.h"

namespace hk::service {

class KernelService {
 public:
  // driver outlives the service. target: the device's full target id, of a listed processor.
  KernelService(device::Driver& driver, codeobj::TargetId target, std::unique_ptr<compile::Compiler> compiler,
                std::unique_ptr<cache::Store> store, const ServicePolicy& policy = {});
  ~KernelService();
  KernelService(const KernelService&) = delete;
  KernelService& operator=(const KernelService&) = delete;

  // Null if the kernel is not loaded; else it counts as a memory hit.
  const ServedKernel* find(const KernelIdentity& identity) noexcept;
  // The same without counting.
  [[nodiscard]] const ServedKernel* peek(const KernelIdentity& identity) const noexcept;

  struct Obtained {
    const ServedKernel* kernel = nullptr;
    bool created = false; // by this call; false if another thread's build was joined
  };
  // Makes the kernel if it is not loaded. Fails with no_compiler, compile_failed, compile_timeout, compiler_crashed,
  // not_cached, load_failed, launch_failed (the device had failed before), out_of_memory, forked or internal; threads
  // that joined a build get its failure. A compile that failed is tried again after 60 s.
  Result<Obtained> obtain(const KernelIdentity& identity, const KernelRecipe& recipe);

  Status launch(const ServedKernel& kernel, device::LaunchShape shape, std::span<const std::byte> arguments,
                device::Stream stream);

  [[nodiscard]] const ServiceCounters& counters() const noexcept { return m_counters; }
  // The key of the kernel's entry; fails without a compiler.
  [[nodiscard]] Result<cache::Key> key_of(const KernelRecipe& recipe) const { return m_maker.key_of(recipe); }

  [[nodiscard]] ServiceCounters& counters() noexcept { return m_counters; }
  [[nodiscard]] cache::Store& store() noexcept { return *m_store; }
  [[nodiscard]] const cache::Store& store() const noexcept { return *m_store; }
  [[nodiscard]] const compile::Compiler& compiler() const noexcept { return *m_compiler; }
  [[nodiscard]] const codeobj::TargetId& target() const noexcept { return m_target; }
  [[nodiscard]] const codeobj::Processor& processor() const noexcept { return *m_processor; }

 private:
  struct Build;

  device::Driver& m_driver;
  codeobj::TargetId m_target;
  const codeobj::Processor* m_processor;
  std::unique_ptr<compile::Compiler> m_compiler;
  std::unique_ptr<cache::Store> m_store;
  ServiceCounters m_counters;
  KernelMaker m_maker;
  KernelTable m_table;
  std::mutex m_mutex; // of m_builds
  std::unordered_map<KernelIdentity, std::shared_ptr<Build>, KernelIdentityHash> m_builds;
};

} // namespace hk::service
