// Creation, destruction and description of contexts.

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "api/context.h"
#include "api/guard.h"
#include "api/struct_version.h"
#include "api/text_output.h"
#include "base/json.h"
#include "hk/hk.h"

namespace {

// Size of hk_statistics in release 0.1.
constexpr std::size_t k_first_statistics_size = 72;

} // namespace

hk_status hk_context_create(const hk_context_options* options, hk_context** context) HK_NOEXCEPT {
  return hk::api::guard([&]() -> hk::Status {
    if (context == nullptr)
      return {hk::StatusCode::invalid_argument, "context is null: pass the address of a hk_context*"};
    HK_ASSIGN_OR_RETURN(std::unique_ptr<hk_context> created, hk::api::create_context(options));
    *context = created.release();
    return {};
  });
}

hk_status hk_context_destroy(hk_context* context) HK_NOEXCEPT {
  return hk::api::guard([&]() -> hk::Status {
    if (context == nullptr)
      return {};
    HK_RETURN_IF_ERROR(hk::api::check_context(context));
    hk::Status waited = context->driver->wait_for_launches();
    // Kernels may be running or captured: they stay loaded, and the caller can try again.
    if (waited.code != hk::StatusCode::invalid_argument)
      delete context;
    return waited;
  });
}

hk_status hk_device_info(hk_context* context, char* text, size_t capacity, size_t* required) HK_NOEXCEPT {
  return hk::api::guard(context, [&](hk_context& opened) -> hk::Status {
    return hk::api::write_text("hk_device_info", hk::api::describe_context(opened), text, capacity, required);
  });
}

hk_status hk_context_statistics(hk_context* context, hk_statistics* statistics) HK_NOEXCEPT {
  return hk::api::guard(context, [&](hk_context& opened) -> hk::Status {
    hk_statistics known{};
    HK_RETURN_IF_ERROR(hk::api::copy_struct("statistics", statistics, k_first_statistics_size, known));
    const hk::service::ServiceCounters& counters = opened.service->counters();
    const hk::cache::StoreCounters store = std::as_const(*opened.service).store().counters();
    known.launches = counters.launches.sum();
    known.memory_hits = counters.memory_hits.sum();
    known.disk_hits = counters.disk_hits;
    known.compiles = counters.compiles;
    known.joined = counters.joined;
    known.rejected_entries = counters.rejected_entries + store.damaged;
    known.failures = counters.failures;
    known.compile_nanoseconds = counters.compile_nanoseconds;
    known.waited = counters.waited;
    known.wait_nanoseconds = counters.wait_nanoseconds;
    known.kept_failures = counters.kept_failures;
    known.self_checks = counters.self_checks;
    known.self_checks_skipped = counters.self_checks_skipped;
    known.self_check_failures = counters.self_check_failures;
    known.tuner_runs = counters.tuner_runs;
    known.tuner_candidates = counters.tuner_candidates;
    known.not_stored = store.not_stored;
    known.evicted_entries = store.evicted;
    std::memcpy(statistics, &known, std::min<std::size_t>(known.struct_size, sizeof(known)));
    return {};
  });
}
