// hk_attention and its queries.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "api/guard.h"
#include "api/struct_version.h"
#include "api/text_output.h"
#include "base/json.h"
#include "cache/explain.h"
#include "hk/hk.h"
#include "ops/attention/problem.h"
#include "ops/attention/reference.h"

namespace {

// Size of hk_attention_args in release 0.1.
constexpr std::size_t k_first_args_size = 256;

hk::Result<hk::ops::AttentionProblem> read_args(const hk_attention_args* args, hk::ops::AttentionUse use) {
  hk_attention_args known{};
  HK_RETURN_IF_ERROR(hk::api::copy_struct("args", args, k_first_args_size, known));
  return hk::ops::make_attention_problem(known, use);
}

hk::Result<hk::ops::AttentionProblem> read_args(const hk_context& context, const hk_attention_args* args,
                                                hk::ops::AttentionUse use) {
  HK_ASSIGN_OR_RETURN(hk::ops::AttentionProblem problem, read_args(args, use));
  problem.processor = &context.attention->processor();
  return problem;
}

// An absent value is not an empty one.
void set_value(hk::base::Json& json, const char* name, const std::string& value, bool absent) {
  if (!absent)
    json.set(name, value);
}

hk::Status set_nearest(hk::base::Json& json, const std::string& folder, const hk::cache::Key& wanted) {
  HK_ASSIGN_OR_RETURN(const hk::cache::MissExplanation why, hk::cache::explain_miss(folder, wanted));
  json.set("sentence", why.sentence());
  if (why.stored || why.nearest.empty())
    return {};
  json.set("nearest_key", why.nearest)
      .set("nearest_kernel", why.nearest_symbol)
      .set("differing_field", why.field)
      .set("equal_fields", why.equal_fields)
      .set("fields", why.fields);
  set_value(json, "wanted_value", why.wanted, why.wanted_absent);
  set_value(json, "found_value", why.found, why.found_absent);
  return {};
}

} // namespace

hk_status hk_attention(hk_context* context, const hk_attention_args* args, void* workspace, size_t workspace_bytes,
                       void* stream) HK_NOEXCEPT {
  return hk::api::guard(context, [&](hk_context& opened) -> hk::Status {
    if (workspace == nullptr && workspace_bytes != 0)
      return {hk::StatusCode::invalid_argument,
              "workspace is null but workspace_bytes is " + std::to_string(workspace_bytes)};
    HK_ASSIGN_OR_RETURN(const hk::ops::AttentionProblem problem,
                        read_args(opened, args, hk::ops::AttentionUse::launch));
    return opened.attention->run(problem, stream);
  });
}

hk_status hk_attention_supported(hk_context* context, const hk_attention_args* args) HK_NOEXCEPT {
  return hk::api::guard(context, [&](hk_context& opened) -> hk::Status {
    HK_ASSIGN_OR_RETURN(const hk::ops::AttentionProblem problem, read_args(opened, args, hk::ops::AttentionUse::query));
    return opened.attention->supported(problem);
  });
}

hk_status hk_attention_workspace(hk_context* context, const hk_attention_args* args, size_t* bytes) HK_NOEXCEPT {
  return hk::api::guard(context, [&](hk_context& opened) -> hk::Status {
    if (bytes == nullptr)
      return {hk::StatusCode::invalid_argument, "bytes is null"};
    HK_ASSIGN_OR_RETURN(const hk::ops::AttentionProblem problem, read_args(opened, args, hk::ops::AttentionUse::query));
    HK_RETURN_IF_ERROR(opened.attention->supported(problem));
    *bytes = 0; // every workgroup keeps its state in registers and LDS
    return {};
  });
}

hk_status hk_attention_prepare(hk_context* context, const hk_attention_args* args) HK_NOEXCEPT {
  return hk::api::guard(context, [&](hk_context& opened) -> hk::Status {
    HK_ASSIGN_OR_RETURN(const hk::ops::AttentionProblem problem, read_args(opened, args, hk::ops::AttentionUse::query));
    return opened.attention->prepare(problem);
  });
}

hk_status hk_attention_describe(hk_context* context, const hk_attention_args* args, char* text, size_t capacity,
                                size_t* required) HK_NOEXCEPT {
  return hk::api::guard(context, [&](hk_context& opened) -> hk::Status {
    HK_ASSIGN_OR_RETURN(const hk::ops::AttentionProblem problem, read_args(opened, args, hk::ops::AttentionUse::query));
    HK_ASSIGN_OR_RETURN(const std::string description, opened.attention->describe(problem));
    return hk::api::write_text("hk_attention_describe", description, text, capacity, required);
  });
}

hk_status hk_attention_cache_state(hk_context* context, const hk_attention_args* args, char* text, size_t capacity,
                                   size_t* required) HK_NOEXCEPT {
  return hk::api::guard(context, [&](hk_context& opened) -> hk::Status {
    HK_ASSIGN_OR_RETURN(const hk::ops::AttentionProblem problem, read_args(opened, args, hk::ops::AttentionUse::query));
    HK_ASSIGN_OR_RETURN(const hk::service::KernelRecipe recipe, opened.attention->recipe(problem));
    HK_ASSIGN_OR_RETURN(const hk::cache::Key key, opened.service->key_of(recipe));
    hk::cache::Store& store = opened.service->store();
    hk::base::Json json = hk::base::Json::object();
    json.set("kernel", recipe.symbol)
        .set("key", key.name())
        .set("store", store.location())
        .set("stored", store.contains(key));
    if (std::string_view(store.kind()) == "disk")
      HK_RETURN_IF_ERROR(set_nearest(json, store.location(), key));
    return hk::api::write_text("hk_attention_cache_state", json.text(), text, capacity, required);
  });
}

hk_status hk_attention_reference(const hk_attention_args* args, int32_t precision, double* o, double* lse) HK_NOEXCEPT {
  return hk::api::guard([&]() -> hk::Status {
    if (precision != HK_REFERENCE_FP64 && precision != HK_REFERENCE_INPUT_TYPE)
      return {hk::StatusCode::invalid_argument,
              "precision is " + std::to_string(precision) + ": use a value of hk_reference_precision (0 or 1)"};
    HK_ASSIGN_OR_RETURN(const hk::ops::AttentionProblem problem, read_args(args, hk::ops::AttentionUse::reference));
    if (o == nullptr && !problem.empty())
      return {hk::StatusCode::invalid_argument, "o is null"};
    return hk::ops::attention_reference(problem,
                                        precision == HK_REFERENCE_FP64 ? hk::ops::ReferencePrecision::fp64
                                                                       : hk::ops::ReferencePrecision::input_type,
                                        o, lse);
  });
}
