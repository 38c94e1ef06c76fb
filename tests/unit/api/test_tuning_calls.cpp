// The calls about tuning records and the cache state on the null device: arguments, texts, what is refused.
#include <doctest/doctest.h>

#include <string>

#include "assembled_context.h"
#include "base/hash.h"
#include "base/scratch_folder.h"
#include "cache/disk_store.h"
#include "hk/hk.h"
#include "tune/record_set.h"

TEST_SUITE_BEGIN("api");

using hk::test::AssembledContext;
using hk::test::sample_args;

namespace {

struct Opened {
  explicit Opened(hk::base::TuneMode mode, const std::string& folder = {}) {
    hk::base::Config config;
    config.tune = mode;
    hk::api::ContextParts parts;
    parts.driver = std::make_unique<hk::device::NullDriver>("null", "gfx950");
    parts.compiler = std::make_unique<hk::test::FakeCompiler>(compiler);
    if (folder.empty())
      parts.store = std::make_unique<hk::cache::MemoryStore>();
    else
      parts.store = std::make_unique<hk::cache::DiskStore>(folder);
    context = std::move(*hk::api::assemble_context(config, std::move(parts)));
  }
  hk_context* get() const { return context.get(); }

  hk::test::CompilerControl compiler;
  std::unique_ptr<hk_context> context;
};

template <typename Function>
std::string fetched(Function&& function) {
  std::size_t required = 0;
  REQUIRE_MESSAGE(function(nullptr, 0, &required) == HK_STATUS_SUCCESS, hk_last_error_message());
  std::string text(required, '\0');
  REQUIRE(function(text.data(), text.size(), &required) == HK_STATUS_SUCCESS);
  text.resize(required - 1);
  return text;
}

std::string digest_of(hk_context* context) {
  return fetched([&](char* text, std::size_t capacity, std::size_t* required) {
    return hk_tuning_digest(context, text, capacity, required);
  });
}
std::string exported(hk_context* context) {
  return fetched([&](char* text, std::size_t capacity, std::size_t* required) {
    return hk_tuning_export(context, text, capacity, required);
  });
}
std::string described(hk_context* context, const hk_attention_args& args) {
  return fetched([&](char* text, std::size_t capacity, std::size_t* required) {
    return hk_attention_describe(context, &args, text, capacity, required);
  });
}
std::string cache_state(hk_context* context, const hk_attention_args& args) {
  return fetched([&](char* text, std::size_t capacity, std::size_t* required) {
    return hk_attention_cache_state(context, &args, text, capacity, required);
  });
}
bool contains(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

// A record for the sample problem that lets 8 waves win. The null device takes it for a GPU.
std::string sample_records(hk_context* context) {
  hk::tune::Record record;
  record.key = "attention_forward__bf16_d128_lse_gqa4_q96_k160__bh16";
  record.target = context->driver->info().target;
  record.evidence = hk::tune::Evidence::measured;
  record.environment = "test";
  record.tool_chain = "test";
  record.winner = "q256_kv64_w8";
  record.default_configuration = "q128_kv64_w4";
  record.gate = "passed";
  record.candidates = {{"q256_kv64_w8", "measured", 8, 0.01, 20}, {"q128_kv64_w4", "measured", 10, 0.01, 20}};
  const auto bundle =
      hk::service::reachable_headers("#include <hk/target.h>\n#include <kernels/attention_forward.h>\n", "gfx950");
  REQUIRE(bundle);
  record.source = hk::base::to_hex(bundle->digest);
  hk::tune::RecordSet set;
  set.add(record);
  return set.text();
}

} // namespace

TEST_CASE("api.tuning: what is imported decides, is exported again, and shows in the digest") {
  const Opened opened(hk::base::TuneMode::lookup);
  const Opened other(hk::base::TuneMode::lookup);
  const std::string empty_digest = digest_of(opened.get());
  CHECK(empty_digest.size() == 32);
  CHECK(hk::base::digest_from_hex(empty_digest));
  CHECK(digest_of(other.get()) == empty_digest);
  const hk_attention_args args = sample_args();
  REQUIRE(hk_attention_prepare(opened.get(), &args) == HK_STATUS_SUCCESS);
  CHECK(contains(described(opened.get(), args), R"("source":"default rule")"));

  const std::string records = sample_records(opened.get());
  REQUIRE_MESSAGE(hk_tuning_import(opened.get(), records.data(), records.size(), 0) == HK_STATUS_SUCCESS,
                  hk_last_error_message());
  CHECK(exported(opened.get()) == records);
  CHECK(digest_of(opened.get()) != empty_digest);
  const std::string text = described(opened.get(), args);
  CHECK(contains(text, "__q256_kv64_w8"));
  CHECK(contains(text, R"("source":"tuning record, measured")"));
  CHECK(contains(text, R"({"configuration":"q256_kv64_w8","state":"measured","median_us":8.0)"));
  CHECK(contains(text, R"("loaded":false)"));
  REQUIRE(hk_attention_prepare(opened.get(), &args) == HK_STATUS_SUCCESS);
  CHECK(contains(described(opened.get(), args), R"("loaded":true)"));

  REQUIRE(hk_tuning_import(other.get(), records.data(), records.size(), HK_TUNING_IMPORT_REPLACE) == HK_STATUS_SUCCESS);
  CHECK(digest_of(other.get()) == digest_of(opened.get()));
}

TEST_CASE("api.tuning: stored records reach other contexts when they are made, and older ones by refresh") {
  const hk::test::ScratchFolder folder;
  const Opened older(hk::base::TuneMode::lookup, folder.path());
  const Opened opened(hk::base::TuneMode::lookup, folder.path());
  const std::string records = sample_records(opened.get());
  REQUIRE_MESSAGE(hk_tuning_import(opened.get(), records.data(), records.size(), HK_TUNING_IMPORT_STORE) ==
                      HK_STATUS_SUCCESS,
                  hk_last_error_message());
  const Opened later(hk::base::TuneMode::lookup, folder.path());
  CHECK(digest_of(later.get()) == digest_of(opened.get()));
  CHECK(digest_of(older.get()) != digest_of(opened.get()));
  const hk_attention_args args = sample_args();
  CHECK(contains(described(older.get(), args), R"("source":"default rule")"));
  REQUIRE(hk_context_refresh(older.get()) == HK_STATUS_SUCCESS);
  CHECK(digest_of(older.get()) == digest_of(opened.get()));
  CHECK(contains(described(older.get(), args), R"("source":"tuning record, measured")"));
  // Another record file may not be read through a link; then nothing changes.
  const std::string before = exported(older.get());
  const std::string path = older.context->attention->records().location();
  REQUIRE(::rename(path.c_str(), (path + ".real").c_str()) == 0);
  REQUIRE(::symlink((path + ".real").c_str(), path.c_str()) == 0);
  CHECK(hk_context_refresh(older.get()) == HK_STATUS_INTERNAL);
  CHECK(exported(older.get()) == before);
}

TEST_CASE("api.tuning: what is refused") {
  const Opened opened(hk::base::TuneMode::lookup);
  const std::string records = sample_records(opened.get());
  const std::string digest = digest_of(opened.get());
  CHECK(hk_tuning_import(opened.get(), nullptr, 5, 0) == HK_STATUS_INVALID_ARGUMENT);
  CHECK(hk_tuning_import(opened.get(), records.data(), records.size(), 4) == HK_STATUS_INVALID_ARGUMENT);
  CHECK(contains(hk_last_error_message(), "flags is 4"));
  CHECK(hk_tuning_import(opened.get(), records.data(), records.size() - 3, 0) == HK_STATUS_INVALID_ARGUMENT);
  // An empty file is no export: it must not take the records away.
  REQUIRE(hk_tuning_import(opened.get(), records.data(), records.size(), 0) == HK_STATUS_SUCCESS);
  CHECK(hk_tuning_import(opened.get(), "", 0, HK_TUNING_IMPORT_REPLACE) == HK_STATUS_INVALID_ARGUMENT);
  CHECK(exported(opened.get()) == records);
  const Opened without_records(hk::base::TuneMode::lookup);
  const std::string none = exported(without_records.get());
  CHECK(hk_tuning_import(opened.get(), none.data(), none.size(), HK_TUNING_IMPORT_REPLACE) == HK_STATUS_SUCCESS);
  CHECK(exported(opened.get()) == none);
  CHECK(digest_of(opened.get()) == digest);
  CHECK(hk_tuning_import(opened.get(), records.data(), records.size(), HK_TUNING_IMPORT_STORE) ==
        HK_STATUS_UNSUPPORTED);
  CHECK(contains(hk_last_error_message(), "no cache folder"));
  CHECK(exported(opened.get()) == records); // known all the same
  const Opened off(hk::base::TuneMode::off);
  CHECK(hk_tuning_import(off.get(), records.data(), records.size(), 0) == HK_STATUS_UNSUPPORTED);
  CHECK(hk_context_refresh(off.get()) == HK_STATUS_SUCCESS);
  char small[8];
  std::size_t required = 0;
  CHECK(hk_tuning_digest(opened.get(), small, sizeof(small), &required) == HK_STATUS_INVALID_ARGUMENT);
  CHECK(required == 33);
  CHECK(hk_tuning_digest(nullptr, small, sizeof(small), &required) == HK_STATUS_INVALID_ARGUMENT);
  CHECK(hk_context_refresh(nullptr) == HK_STATUS_INVALID_ARGUMENT);
}

TEST_CASE("api.cache_state: stored or not, and what the nearest entry differs in") {
  const hk::test::ScratchFolder folder;
  const Opened opened(hk::base::TuneMode::off, folder.path());
  const hk_attention_args args = sample_args();
  std::string text = cache_state(opened.get(), args);
  CHECK(contains(text, R"("kernel":"attention_forward__bf16_d128_lse_gqa4_q96_k160__q128_kv64_w4")"));
  CHECK(contains(text, R"("stored":false)"));
  CHECK_FALSE(contains(text, "nearest_key"));
  CHECK(opened.compiler.compiles == 0);
  REQUIRE(hk_attention_prepare(opened.get(), &args) == HK_STATUS_SUCCESS);
  text = cache_state(opened.get(), args);
  CHECK(contains(text, R"("stored":true)"));
  CHECK_FALSE(contains(text, "nearest_key"));
  const hk_attention_args other = sample_args({.seq_q = 97});
  text = cache_state(opened.get(), other);
  CHECK(contains(text, R"("stored":false)"));
  CHECK(contains(text, R"("nearest_kernel":"attention_forward__bf16_d128_lse_gqa4_q96_k160__q128_kv64_w4")"));
  CHECK(contains(text, R"("differing_field":")"));
  CHECK(contains(text, R"("wanted_value":")"));
  // Without a folder there is nothing near.
  const Opened in_memory(hk::base::TuneMode::off);
  CHECK(contains(cache_state(in_memory.get(), args), R"("store":"memory","stored":false})"));
  // No kernel, no entry.
  const hk_attention_args nothing = sample_args({.batch = 0});
  CHECK(hk_attention_cache_state(in_memory.get(), &nothing, nullptr, 0, nullptr) == HK_STATUS_INVALID_ARGUMENT);
}

TEST_SUITE_END();
