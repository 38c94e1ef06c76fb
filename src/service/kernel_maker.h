#pragma once
// KernelMaker: the way of a kernel that is not loaded.
//
//   key -> store -> kept failure -> turn -> compiler -> load -> self-check -> publish
// One process per machine compiles a key, the others wait for its entry; a wait is bounded, after it everybody compiles
// for himself. Nothing here knows which identity a kernel will be found under: that is KernelService's part.

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/status.h"
#include "cache/kept_failures.h"
#include "cache/store.h"
#include "codeobj/target_id.h"
#include "compile/compiler.h"
#include "device/driver.h"
#include "service/header_bundle.h"
#include "service/kernel_recipe.h"
#include "service/served_kernel.h"
#include "service/service_counters.h"

namespace hk::service {

struct ServicePolicy {
  bool compile = true; // HK_JIT; false: what is not stored is not_cached
  // How long to wait for another process that compiles the same kernel.
  std::chrono::milliseconds turn_limit{125000};
};

class KernelMaker {
 public:
  // Everything outlives the maker.
  KernelMaker(device::Driver& driver, const codeobj::TargetId& target, compile::Compiler& compiler, cache::Store& store,
              const ServicePolicy& policy, ServiceCounters& counters)
      : m_driver(driver), m_target(target), m_compiler(compiler), m_store(store), m_policy(policy),
        m_counters(counters) {}

  // Any thread. Fails as KernelService::obtain.
  Result<ServedKernel> make(const KernelRecipe& recipe);

  // The key under which make() looks for the kernel.
  [[nodiscard]] Result<cache::Key> key_of(const KernelRecipe& recipe) const;

 private:
  using Clock = std::chrono::steady_clock;

  // What is to be made, with all that a compile needs.
  struct Wanted {
    const KernelRecipe& recipe;
    HeaderBundle bundle;
    cache::Key key;
  };
  struct Compiled {
    ServedKernel kernel;
    compile::CompileResult result;
  };

  Result<Wanted> wanted_of(const KernelRecipe& recipe) const;
  // Nothing if no entry is there that could be used; fails if it is the device that cannot load it now.
  Result<std::optional<ServedKernel>> load_stored(const Wanted& wanted);
  std::optional<Status> kept_failure(const Wanted& wanted);
  void keep_failure(const Wanted& wanted, const Status& status);
  cache::Turn wait_for_turn(const Wanted& wanted);
  Result<ServedKernel> build(const Wanted& wanted, const std::string& reason);
  Result<Compiled> compile(const Wanted& wanted, const std::string& reason);
  Status self_check(const Wanted& wanted, const ServedKernel& kernel);
  Result<ServedKernel> load(const KernelRecipe& recipe, base::ByteView code_object);

  device::Driver& m_driver;
  const codeobj::TargetId& m_target;
  compile::Compiler& m_compiler;
  cache::Store& m_store;
  const ServicePolicy m_policy;
  ServiceCounters& m_counters;
  cache::KeptFailures m_own_failures; // which say nothing about other processes
};

} // namespace hk::service
