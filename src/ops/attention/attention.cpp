#include "ops/attention/attention.h"

#include <cstring>
#include <span>
#include <utility>

#include "base/json.h"
#include "ops/attention/launch.h"
#include "ops/attention/self_check.h"
#include "ops/attention/source_writer.h"

namespace hk::ops {
namespace {

Status check_place(device::Driver& driver, const char* name, const void* pointer) {
  switch (driver.place_of(pointer)) {
  case device::PointerPlace::this_device:
    return {};
  case device::PointerPlace::other_device:
    return {StatusCode::invalid_argument, std::string(name) + " is memory of another device than the context's, " +
                                              driver.info().device + ": use a context of that device"};
  case device::PointerPlace::host:
    break;
  }
  return {StatusCode::invalid_argument, std::string(name) + " is not device memory of " + driver.info().device +
                                            ": copy the data to the device first, e.g. with hk_memory_copy"};
}

base::Json configuration_json(const AttentionConfiguration& configuration) {
  base::Json json = base::Json::object();
  json.set("waves", configuration.waves)
      .set("tile_q", configuration.tile_q)
      .set("tile_kv", configuration.tile_kv)
      .set("source", "default rule");
  return json;
}

base::Json kernel_json(const service::ServedKernel& kernel) {
  base::Json json = base::Json::object();
  json.set("origin", kernel.origin == service::KernelOrigin::compiled ? "compiled" : kernel.store_kind)
      .set("compile_ms", kernel.compile_ms)
      .set("vgprs", kernel.resources.vgprs)
      .set("agprs", kernel.resources.agprs)
      .set("sgprs", kernel.resources.sgprs)
      .set("lds_bytes", kernel.resources.lds_bytes)
      .set("scratch_bytes", kernel.resources.scratch_bytes);
  return json;
}

} // namespace

Attention::Choice Attention::choose(const AttentionProblem& problem) const {
  if (m_policy.specialize == base::Specialize::family)
    return {family_attention_spec(problem), "family kernel: asked for by specialize or HK_SPECIALIZE"};
  const AttentionSpec exact = exact_attention_spec(problem);
  if (m_policy.specialize == base::Specialize::exact)
    return {exact, "exact kernel: asked for by specialize or HK_SPECIALIZE"};
  if (m_service.peek(identity_of(exact)) != nullptr)
    return {exact, "exact kernel: loaded"};
  if (m_exact_kernels[family_index(exact)].load(std::memory_order_relaxed) < m_policy.exact_max)
    return {exact, "exact kernel: fewer than HK_JIT_EXACT_MAX are loaded of this family", true};
  return {family_attention_spec(problem), "family kernel: HK_JIT_EXACT_MAX exact kernels of this family are loaded"};
}

Status Attention::check_places(const AttentionProblem& problem) const {
  HK_RETURN_IF_ERROR(check_place(m_driver, "q.data", problem.q.data));
  HK_RETURN_IF_ERROR(check_place(m_driver, "o.data", problem.o.data));
  if (problem.seq_k > 0) {
    HK_RETURN_IF_ERROR(check_place(m_driver, "k.data", problem.k.data));
    HK_RETURN_IF_ERROR(check_place(m_driver, "v.data", problem.v.data));
  }
  return problem.lse == nullptr ? Status() : check_place(m_driver, "lse", problem.lse);
}

service::KernelRecipe Attention::recipe_of(const AttentionProblem& problem, const AttentionSpec& spec) const {
  return {symbol_of(spec), attention_source(spec),
          attention_self_check(m_driver, problem, spec.configuration, m_policy.self_check)};
}

// Takes a place among the family's exact kernels for the time of the build and keeps it if a kernel came of it. If the
// places ran out meanwhile, the family kernel serves; spec is then changed to it.
Result<const service::ServedKernel*> Attention::load(const AttentionProblem& problem, AttentionSpec& spec) {
  const Choice choice = choose(problem);
  spec = choice.spec;
  if (!choice.counts) {
    HK_ASSIGN_OR_RETURN(const service::KernelService::Obtained obtained,
                        m_service.obtain(identity_of(spec), recipe_of(problem, spec)));
    return obtained.kernel;
  }
  std::atomic<std::uint32_t>& places = m_exact_kernels[family_index(spec)];
  if (places.fetch_add(1, std::memory_order_relaxed) >= m_policy.exact_max) {
    places.fetch_sub(1, std::memory_order_relaxed);
    spec = family_attention_spec(problem);
    HK_ASSIGN_OR_RETURN(const service::KernelService::Obtained obtained,
                        m_service.obtain(identity_of(spec), recipe_of(problem, spec)));
    return obtained.kernel;
  }
  Result<service::KernelService::Obtained> obtained = m_service.obtain(identity_of(spec), recipe_of(problem, spec));
  if (!obtained || !obtained->created)
    places.fetch_sub(1, std::memory_order_relaxed);
  if (!obtained)
    return fail(std::move(obtained.error()));
  return obtained->kernel;
}

Status Attention::run(const AttentionProblem& problem, device::Stream stream) {
  if (problem.empty())
    return {};
  HK_RETURN_IF_ERROR(check_places(problem));
  AttentionSpec spec = choose(problem).spec;
  HK_ASSIGN_OR_RETURN(device::LaunchShape shape, attention_launch_shape(problem, spec.configuration));
  const service::ServedKernel* kernel = m_service.find(identity_of(spec));
  if (kernel == nullptr) {
    HK_ASSIGN_OR_RETURN(const bool capturing, m_driver.is_capturing(stream));
    if (capturing)
      return {StatusCode::not_prepared, "the stream is being captured and " + symbol_of(spec) +
                                            " is not loaded: call hk_attention_prepare before the capture begins"};
    HK_ASSIGN_OR_RETURN(kernel, load(problem, spec));
    HK_ASSIGN_OR_RETURN(shape, attention_launch_shape(problem, spec.configuration));
  }
  const AttentionForwardArguments arguments = attention_arguments(problem);
  return m_service.launch(*kernel, shape, std::as_bytes(std::span(&arguments, 1)), stream);
}

Status Attention::prepare(const AttentionProblem& problem) {
  if (problem.empty())
    return {};
  HK_RETURN_IF_ERROR(supported(problem));
  if (m_service.peek(identity_of(choose(problem).spec)) != nullptr)
    return {};
  AttentionSpec spec;
  HK_ASSIGN_OR_RETURN([[maybe_unused]] const service::ServedKernel* kernel, load(problem, spec));
  return {};
}

Status Attention::supported(const AttentionProblem& problem) const {
  if (problem.empty())
    return {};
  HK_ASSIGN_OR_RETURN([[maybe_unused]] const device::LaunchShape shape,
                      attention_launch_shape(problem, choose(problem).spec.configuration));
  return {};
}

Result<std::string> Attention::describe(const AttentionProblem& problem) const {
  base::Json json = base::Json::object();
  json.set("operation", "attention").set("device", m_driver.info().device).set("target", m_driver.info().target);
  if (problem.empty()) {
    json.set("kernel", "").set("reason", "no output element exists: nothing is launched");
    return json.text();
  }
  const Choice choice = choose(problem);
  HK_ASSIGN_OR_RETURN(const device::LaunchShape shape, attention_launch_shape(problem, choice.spec.configuration));
  const service::ServedKernel* kernel = m_service.peek(identity_of(choice.spec));
  json.set("kernel", symbol_of(choice.spec))
      .set("reason", choice.reason)
      .set("alignment", choice.spec.aligned ? "16 bytes" : "element")
      .set("configuration", configuration_json(choice.spec.configuration))
      .set("workgroups", shape.workgroups)
      .set("workgroup_size", shape.workgroup_size)
      .set("workspace_bytes", 0)
      .set("loaded", kernel != nullptr);
  if (kernel != nullptr)
    json.set("resources", kernel_json(*kernel));
  return json.text();
}

} // namespace hk::ops
