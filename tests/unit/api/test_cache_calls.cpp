// hk_cache_* on folders that are empty, filled, damaged or not ours.
#include <doctest/doctest.h>

#include <sys/stat.h>

#include <string>

#include "base/scratch_folder.h"
#include "cache/disk_store.h"
#include "hk/hk.h"

TEST_SUITE_BEGIN("api");

using hk::test::ScratchFolder;

namespace {

using TextFunction = hk_status (*)(const char* directory, char* text, std::size_t capacity, std::size_t* required);

std::string text_of(TextFunction function, const std::string& folder) {
  std::size_t required = 0;
  REQUIRE_MESSAGE(function(folder.c_str(), nullptr, 0, &required) == HK_STATUS_SUCCESS, hk_last_error_message());
  std::string text(required, '\0');
  REQUIRE(function(folder.c_str(), text.data(), text.size(), &required) == HK_STATUS_SUCCESS);
  text.resize(required - 1);
  return text;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

void fill(const std::string& folder, int entries) {
  hk::cache::DiskStore store(folder);
  for (int i = 0; i < entries; ++i) {
    const hk::cache::Key key = hk::cache::make_key({"spec " + std::to_string(i), {}, {}, "gfx950"}, {});
    store.publish(key, {{hk::cache::metadata_names::k_symbol, "kernel_" + std::to_string(i)}},
                  hk::base::as_bytes("payload"));
  }
}

} // namespace

TEST_CASE("api.cache: a folder that does not exist is an empty one and is not made") {
  const ScratchFolder scratch;
  const std::string folder = scratch / "none";
  CHECK(has(text_of(hk_cache_stat, folder), R"("entries":0)"));
  CHECK(has(text_of(hk_cache_list, folder), R"("entries":[])"));
  CHECK(has(text_of(hk_cache_verify, folder), R"("damaged":[])"));
  CHECK(!hk::test::exists(folder));
}

TEST_CASE("api.cache: entries are counted, listed, verified and removed") {
  const ScratchFolder scratch;
  const std::string folder = scratch / "cache";
  fill(folder, 3);
  CHECK(has(text_of(hk_cache_stat, folder), R"("entries":3)"));
  const std::string list = text_of(hk_cache_list, folder);
  for (const char* symbol : {"kernel_0", "kernel_1", "kernel_2"})
    CHECK(has(list, symbol));
  CHECK(has(text_of(hk_cache_verify, folder), R"("damaged":[])"));
  std::uint64_t removed = 0;
  CHECK(hk_cache_clear(folder.c_str(), &removed) == HK_STATUS_SUCCESS);
  CHECK(removed == 3);
  CHECK(has(text_of(hk_cache_stat, folder), R"("entries":0)"));
  CHECK(hk_cache_clear(folder.c_str(), nullptr) == HK_STATUS_SUCCESS);
}

TEST_CASE("api.cache: stat says which folder it is, who chose it, its kind, its size, and what else lies there") {
  const ScratchFolder scratch;
  const std::string folder = scratch / "cache";
  fill(folder, 2);
  hk::cache::DiskStore store(folder);
  const hk::cache::Key key = hk::cache::make_key({"bad", {}, {}, "gfx950"}, {});
  store.reject(key, {}, hk::base::as_bytes("payload"), "for the test");
  store.keep_failure(key, hk::Status(hk::StatusCode::compile_failed, "for the test"));
  const std::string stat = text_of(hk_cache_stat, folder);
  for (const char* part :
       {R"("chosen_by":"the caller")", R"("file_system":"local")", R"("passed_over":[])", R"("entries":2)",
        R"("rejected_entries":1)", R"("kept_failures":1)", R"("temporary_files":0)", R"("max_bytes":)"})
    CHECK_MESSAGE(has(stat, part), stat);
  CHECK(has(stat, "\"folder\":\"" + folder + "\""));
}

TEST_CASE("api.cache: one entry is shown with key and metadata, by its name or a beginning of it") {
  const ScratchFolder scratch;
  const std::string folder = scratch / "cache";
  fill(folder, 3);
  const std::string name = hk::cache::make_key({"spec 1", {}, {}, "gfx950"}, {}).name();
  const auto inspect = [&](const char* key) {
    std::size_t required = 0;
    REQUIRE_MESSAGE(hk_cache_inspect(folder.c_str(), key, nullptr, 0, &required) == HK_STATUS_SUCCESS,
                    hk_last_error_message());
    std::string text(required, '\0');
    REQUIRE(hk_cache_inspect(folder.c_str(), key, text.data(), text.size(), &required) == HK_STATUS_SUCCESS);
    return text;
  };
  const std::string text = inspect(name.c_str());
  for (const char* part : {R"("kind":"entry")", R"("payload_bytes":7)", R"("target":"gfx950")", R"("spec":"spec 1")",
                           R"("symbol":"kernel_1")"})
    CHECK_MESSAGE(has(text, part), text);
  CHECK(inspect(name.substr(0, 20).c_str()) == text);
  std::size_t required = 77;
  CHECK(hk_cache_inspect(folder.c_str(), "", nullptr, 0, &required) == HK_STATUS_INVALID_ARGUMENT);
  CHECK(has(hk_last_error_message(), "3 entries"));
  CHECK(hk_cache_inspect(folder.c_str(), "nonsense", nullptr, 0, &required) == HK_STATUS_INVALID_ARGUMENT);
  CHECK(has(hk_last_error_message(), "nonsense"));
  CHECK(hk_cache_inspect(folder.c_str(), nullptr, nullptr, 0, &required) == HK_STATUS_INVALID_ARGUMENT);
  CHECK(required == 77);
}

TEST_CASE("api.cache: garbage collection keeps a size and says what it removed") {
  const ScratchFolder scratch;
  const std::string folder = scratch / "cache";
  fill(folder, 4);
  std::uint64_t removed = 77;
  std::uint64_t bytes = 77;
  CHECK(hk_cache_gc(folder.c_str(), 0, &removed, &bytes) == HK_STATUS_SUCCESS); // the default is larger
  CHECK(removed == 0);
  CHECK(bytes == 0);
  CHECK(hk_cache_gc(folder.c_str(), 1, &removed, &bytes) == HK_STATUS_SUCCESS);
  CHECK(removed == 4);
  CHECK(bytes >= 4 * 200);
  CHECK(has(text_of(hk_cache_stat, folder), R"("entries":0)"));
  CHECK(hk_cache_gc(folder.c_str(), 1, nullptr, nullptr) == HK_STATUS_SUCCESS);
  CHECK(hk_cache_gc((scratch / "none").c_str(), 1, &removed, nullptr) == HK_STATUS_SUCCESS);
  CHECK(removed == 0);
  CHECK(!hk::test::exists(scratch / "none"));
}

TEST_CASE("api.cache: a folder that others can write to is refused with the reason") {
  const ScratchFolder scratch;
  const std::string folder = scratch / "open";
  REQUIRE(::mkdir(folder.c_str(), 0700) == 0);
  REQUIRE(::chmod(folder.c_str(), 0777) == 0);
  std::size_t required = 77;
  CHECK(hk_cache_stat(folder.c_str(), nullptr, 0, &required) == HK_STATUS_INVALID_ARGUMENT);
  CHECK(has(hk_last_error_message(), folder));
  CHECK(required == 77);
  std::uint64_t removed = 77;
  CHECK(hk_cache_gc(folder.c_str(), 1, &removed, nullptr) == HK_STATUS_INVALID_ARGUMENT);
  CHECK(hk_cache_inspect(folder.c_str(), "0", nullptr, 0, &required) == HK_STATUS_INVALID_ARGUMENT);
  CHECK(hk_cache_clear(folder.c_str(), &removed) == HK_STATUS_INVALID_ARGUMENT);
  CHECK(removed == 77);
}

TEST_SUITE_END();
