#include "ops/attention/attention.h"

#include <span>
#include <utility>

#include "base/log.h"
#include "ops/attention/launch.h"
#include "ops/attention/search_space.h"
#include "ops/attention/tuning_key.h"

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

// Empty where entries are kept in memory.
std::string cache_folder_of(const service::KernelService& service) {
  return std::string_view(service.store().kind()) == "disk" ? service.store().location() : std::string();
}

} // namespace

Attention::Attention(device::Driver& driver, service::KernelService& service, const AttentionPolicy& policy)
    : m_driver(driver), m_service(service), m_policy(policy),
      m_records(driver.info(), cache_folder_of(service), policy.tune != base::TuneMode::off),
      m_tuner(driver, service, m_records, m_decisions,
              {policy.tune, policy.tune_budget, policy.self_check, policy.repeatable_times}),
      m_places(policy.exact_max) {}

Attention::Choice Attention::with_decision(AttentionSpec spec, const char* reason,
                                           const AttentionProblem& problem) const {
  return with_decision(spec, reason, m_decisions.find(tuning_identity(spec, problem)));
}

Attention::Choice Attention::with_decision(AttentionSpec spec, const char* reason, const DecisionTable::Found& found) {
  Choice choice{spec, reason};
  choice.spec.configuration = {};
  if (found.decision) {
    choice.spec.configuration = found.decision->configuration;
    choice.source = found.decision->source;
    choice.decided = true;
  }
  return choice;
}

// Only specs with a place are known to the decision table as exact ones, under their own identity for all size classes.
Attention::Choice Attention::choose(const AttentionProblem& problem) const {
  if (m_policy.specialize == base::Specialize::family)
    return with_decision(family_attention_spec(problem), "family kernel: asked for by specialize or HK_SPECIALIZE",
                         problem);
  const AttentionSpec exact = exact_attention_spec(problem);
  if (m_policy.specialize == base::Specialize::exact)
    return with_decision(exact, "exact kernel: asked for by specialize or HK_SPECIALIZE", problem);
  if (const DecisionTable::Found found = m_decisions.find(tuning_identity(exact, problem)); found.known)
    return with_decision(exact, "exact kernel: loaded", found);
  if (m_places.any_left(exact)) {
    Choice choice{exact, "exact kernel: fewer than HK_JIT_EXACT_MAX are loaded of this family"};
    choice.counts = true;
    return choice;
  }
  if (m_decisions.find(class_identity_of(exact)).known)
    return with_decision(exact, "exact kernel: loaded for other sizes", DecisionTable::Found{});
  return with_decision(family_attention_spec(problem),
                       "family kernel: HK_JIT_EXACT_MAX exact kernels of this family are loaded", problem);
}

Attention::Choice Attention::preview(const AttentionProblem& problem) const {
  Choice choice = choose(problem);
  if (!choice.decided) {
    const Decision known = m_tuner.known(problem, choice.spec);
    choice.spec.configuration = known.configuration;
    choice.source = known.source;
  }
  return choice;
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
  return attention_recipe(m_driver, problem, spec, m_policy.self_check);
}

// Takes a place among the family's exact kernels before anything is compiled, and gives it back if nothing came of it.
// If the places ran out meanwhile, the family kernel serves.
Result<Attention::Loaded> Attention::load(const AttentionProblem& problem) {
  Choice choice = choose(problem);
  ExactPlaces::Taken taken = ExactPlaces::Taken::before;
  if (choice.counts) {
    taken = m_places.take(choice.spec);
    if (taken == ExactPlaces::Taken::none_left)
      choice = with_decision(family_attention_spec(problem), "", problem);
  }
  const AttentionSpec exact = choice.spec;
  Result<Loaded> loaded = load_decided(problem, choice);
  if (loaded && choice.counts)
    m_decisions.mark(class_identity_of(exact));
  if (!loaded && taken == ExactPlaces::Taken::now)
    m_places.give_back(exact);
  return loaded;
}

Result<Attention::Loaded> Attention::load_decided(const AttentionProblem& problem, Choice choice) {
  const service::KernelIdentity identity = tuning_identity(choice.spec, problem);
  const std::uint64_t generation = m_decisions.generation();
  Decision decision{choice.spec.configuration, choice.source};
  if (!choice.decided) {
    HK_ASSIGN_OR_RETURN(decision, m_tuner.decide(problem, choice.spec));
  }
  choice.spec.configuration = decision.configuration;
  Result<service::KernelService::Obtained> obtained =
      m_service.obtain(identity_of(choice.spec), recipe_of(problem, choice.spec));
  const AttentionConfiguration by_rule = default_attention_configuration(problem);
  if (!obtained && decision.configuration != by_rule) {
    // A record is advice of another day: what it names must not keep the problem from being computed.
    base::log_message(base::LogLevel::warning, symbol_of(choice.spec) + " cannot be used (" + obtained.error().message +
                                                   "): the default configuration is");
    decision = {by_rule, DecisionSource::default_rule};
    choice.spec.configuration = by_rule;
    obtained = m_service.obtain(identity_of(choice.spec), recipe_of(problem, choice.spec));
  }
  if (!obtained)
    return fail(std::move(obtained.error()));
  m_decisions.set(identity, decision, generation);
  return Loaded{obtained->kernel, choice.spec};
}

// For a stream in capture, where nothing can be loaded: the kernel that was prepared may have been another one than
// the kernel that is chosen now, because places or records changed in between.
Attention::Loaded Attention::any_loaded(const AttentionProblem& problem) const {
  const auto usable = [&](const AttentionSpec& spec) -> const service::ServedKernel* {
    const service::ServedKernel* kernel = m_service.peek(identity_of(spec));
    return kernel != nullptr && !m_tuner.found_wrong(problem, spec) ? kernel : nullptr;
  };
  const AttentionSpec wanted = preview(problem).spec;
  if (const service::ServedKernel* kernel = usable(wanted))
    return {kernel, wanted};
  for (AttentionSpec spec : {exact_attention_spec(problem), family_attention_spec(problem)}) {
    for (const AttentionConfiguration& configuration : attention_search_space(problem)) {
      spec.configuration = configuration;
      if (const service::ServedKernel* kernel = usable(spec))
        return {kernel, spec};
    }
  }
  return {};
}

Status Attention::run(const AttentionProblem& problem, device::Stream stream) {
  if (problem.empty())
    return {};
  HK_RETURN_IF_ERROR(check_places(problem));
  const Choice choice = choose(problem);
  Loaded loaded{nullptr, choice.spec};
  if (choice.decided)
    loaded.kernel = m_service.find(identity_of(choice.spec));
  if (loaded.kernel == nullptr) {
    HK_RETURN_IF_ERROR(supported(problem));
    HK_ASSIGN_OR_RETURN(const bool capturing, m_driver.is_capturing(stream));
    if (capturing) {
      loaded = any_loaded(problem);
      if (loaded.kernel == nullptr)
        return {StatusCode::not_prepared, "the stream is being captured and " + symbol_of(preview(problem).spec) +
                                              " is not loaded: call hk_attention_prepare before the capture begins"};
    } else {
      HK_ASSIGN_OR_RETURN(loaded, load(problem));
    }
  }
  HK_ASSIGN_OR_RETURN(const device::LaunchShape shape, attention_launch_shape(problem, loaded.spec.configuration));
  const AttentionForwardArguments arguments = attention_arguments(problem);
  return m_service.launch(*loaded.kernel, shape, std::as_bytes(std::span(&arguments, 1)), stream);
}

Status Attention::prepare(const AttentionProblem& problem) {
  if (problem.empty())
    return {};
  HK_RETURN_IF_ERROR(supported(problem));
  const Choice choice = choose(problem);
  if (choice.decided && m_service.peek(identity_of(choice.spec)) != nullptr)
    return {};
  HK_ASSIGN_OR_RETURN([[maybe_unused]] const Loaded loaded, load(problem));
  return {};
}

// Only the default can be too large: what was tuned is known to fit (attention_search_space).
Status Attention::supported(const AttentionProblem& problem) const {
  if (problem.empty())
    return {};
  const Choice choice = choose(problem);
  HK_ASSIGN_OR_RETURN([[maybe_unused]] const device::LaunchShape shape,
                      attention_launch_shape(problem, choice.decided ? choice.spec.configuration
                                                                     : default_attention_configuration(problem)));
  return {};
}

Result<service::KernelRecipe> Attention::recipe(const AttentionProblem& problem) const {
  if (problem.empty())
    return fail(StatusCode::invalid_argument, "no output element exists, so no kernel is wanted: give batch and seq_q "
                                              "of at least 1");
  HK_RETURN_IF_ERROR(supported(problem));
  return recipe_of(problem, preview(problem).spec);
}

Status Attention::refresh_records() {
  HK_RETURN_IF_ERROR(m_records.refresh());
  m_decisions.forget();
  return {};
}

Status Attention::import_records(std::string_view text, ImportHow how, bool store) {
  const Status status = m_records.import(text, how, store);
  m_decisions.forget(); // also when only the storing failed
  return status;
}

} // namespace hk::ops
