#include <doctest/doctest.h>

#include <random>
#include <string>

#include "cache/disk_store.h"
#include "cache/explain.h"
#include "cache/key_fields.h"
#include "cache/layout.h"
#include "unit/base/scratch_folder.h"
#include "unit/cache/sample_entries.h"

using hk::cache::DiskStore;
using hk::cache::explain_miss;
using hk::cache::explained_fields;
using hk::cache::Key;
using hk::cache::KeyField;
using hk::cache::KeyRequest;
using hk::cache::KeyText;
using hk::cache::parse_key_list;
using hk::cache::parse_key_text;
using hk::test::ScratchFolder;

namespace {

// What a key is made from, one field easily changed.
struct Parts {
  std::string symbol = "attention_d128";
  int head_dim = 128;
  std::string target = "gfx950:sramecc+:xnack-";
  std::vector<std::string> options = {"-O3", "-cuid=1"};
  hk::base::Digest128 sources{1, 2};
  std::string compiler = "aaaa";

  [[nodiscard]] Key key() const {
    KeyText spec;
    spec.add("symbol", symbol).add("head_dim", head_dim);
    KeyRequest request{spec.text(), sources, options, target};
    return hk::cache::make_key(request, {{"libhiprtc", compiler}, {"libamd_comgr", "bbbb"}});
  }
};

struct Folder {
  ScratchFolder scratch;
  std::string path = scratch / "cache";

  void publish(const Parts& parts) const {
    DiskStore store(path);
    REQUIRE(store.publish(parts.key(), {{"symbol", parts.symbol}}, hk::test::sample_payload(100)) ==
            hk::cache::PublishOutcome::published);
  }
  [[nodiscard]] hk::cache::MissExplanation why(const Parts& parts) const {
    const auto explanation = explain_miss(path, parts.key());
    REQUIRE(explanation.has_value());
    return *explanation;
  }
};

} // namespace

TEST_SUITE_BEGIN("cache.explain");

TEST_CASE("a key text is read back field by field, whatever the names and values contain") {
  KeyText text;
  text.add("a:1=s", "x\ny:z").add("empty", "").add("flag", true).add("number", -5);
  text.add("list", std::vector<std::string>{"-O3", "", "with:colon"}).add("digest", hk::base::Digest128{1, 2});
  const auto fields = parse_key_text(text.text());
  REQUIRE(fields.has_value());
  REQUIRE(fields->size() == 6);
  CHECK((*fields)[0] == KeyField{"a:1=s", 's', "x\ny:z"});
  CHECK((*fields)[1] == KeyField{"digest", 'd', "00000000000000010000000000000002"});
  CHECK((*fields)[2] == KeyField{"empty", 's', ""});
  CHECK((*fields)[3] == KeyField{"flag", 'b', "1"});
  CHECK((*fields)[4].name == "list");
  CHECK(parse_key_list((*fields)[4].value) == std::vector<std::string>{"-O3", "", "with:colon"});
  CHECK((*fields)[5] == KeyField{"number", 'i', "-5"});
  CHECK(parse_key_text("")->empty());
  CHECK(parse_key_list("")->empty());
}

TEST_CASE("what is no key text is told apart: every truncation, any byte changed in the structure, random bytes") {
  const std::string text = KeyText().add("name", "value").text();
  CHECK(text == "4:name=s5:value\n");
  for (std::size_t length = 1; length < text.size(); ++length)
    CHECK_FALSE(parse_key_text(text.substr(0, length)).has_value());
  for (const char* wrong :
       {"x", "4:name", "4:name=x5:value\n", "5:name=s5:value\n", "4:name=s6:value\n", "4:name=s5:valuex",
        "-1:name=s5:value\n", "99999999999999999999999:n", "4 :name=s5:value\n"})
    CHECK_FALSE(parse_key_text(wrong).has_value());
  for (const char* wrong : {"3", "3:", "3:ab", "18446744073709551615:a", "1:a1"})
    CHECK_FALSE(parse_key_list(wrong).has_value());
  std::mt19937_64 random(7);
  for (int round = 0; round < 20000; ++round) {
    std::string bytes = text + text;
    for (int change = 0; change < 3; ++change)
      bytes[random() % bytes.size()] = static_cast<char>("0123456789:=sl\n"[random() % 15]);
    (void)parse_key_text(bytes); // must come back
    (void)parse_key_list(bytes);
  }
}

TEST_CASE("fields come in the order of explanation") {
  const auto fields = explained_fields(Parts().key());
  std::vector<std::string> names;
  for (const KeyField& field : fields)
    names.push_back(field.name);
  CHECK(names == std::vector<std::string>{"format", "tool chain format", "target", "spec head_dim", "spec symbol",
                                          "option 1", "option 2", "sources", "build-id libamd_comgr",
                                          "build-id libhiprtc"});
}

TEST_CASE("a spec, options or texts of another kind are fields as they are") {
  const Key plain = hk::test::sample_key("attention d128");
  bool found = false;
  for (const KeyField& field : explained_fields(plain))
    found = found || (field.name == "spec" && field.value == "attention d128");
  CHECK(found);
  const auto unread = explained_fields(hk::cache::key_from_texts("rubbish", "more"));
  REQUIRE(unread.size() == 2);
  CHECK(unread[0] == KeyField{"request", 's', "rubbish"});
  CHECK(unread[1] == KeyField{"tool chain", 's', "more"});
}

TEST_CASE("the first field that differs is named with both values") {
  const Folder folder;
  const Parts stored;
  folder.publish(stored);
  Parts wanted = stored;
  wanted.compiler = "cccc";
  auto why = folder.why(wanted);
  CHECK_FALSE(why.stored);
  CHECK(why.nearest == stored.key().name());
  CHECK(why.nearest_symbol == "attention_d128");
  CHECK(why.field == "build-id libhiprtc");
  CHECK(why.wanted == "cccc");
  CHECK(why.found == "aaaa");
  CHECK(why.fields == 10);
  CHECK(why.equal_fields == 9);
  wanted.sources = {9, 9};
  CHECK(folder.why(wanted).field == "sources");
  wanted.options[1] = "-cuid=2";
  CHECK(folder.why(wanted).field == "option 2");
  CHECK(folder.why(wanted).found == "-cuid=1");
  wanted.head_dim = 64;
  CHECK(folder.why(wanted).field == "spec head_dim");
  wanted.target = "gfx942:sramecc+:xnack-";
  why = folder.why(wanted);
  CHECK(why.field == "target");
  CHECK(why.sentence() ==
        "the nearest entry " + stored.key().name() +
            " (attention_d128) differs first in \"target\": wanted \"gfx942:sramecc+:xnack-\", stored "
            "\"gfx950:sramecc+:xnack-\"");
}

TEST_CASE("a field that only one of the two has differs") {
  const Folder folder;
  Parts stored;
  stored.options = {"-O3", "-cuid=1", "-g"};
  folder.publish(stored);
  auto why = folder.why(Parts());
  CHECK(why.field == "option 3");
  CHECK(why.wanted_absent);
  CHECK_FALSE(why.found_absent);
  CHECK(why.found == "-g");
  CHECK(why.sentence().ends_with("wanted none, stored \"-g\""));
  Parts wanted = stored;
  wanted.options.push_back("-more");
  why = folder.why(wanted);
  CHECK(why.field == "option 4");
  CHECK(why.found_absent);
  CHECK(why.wanted == "-more");
  // A field of the stored entry alone is named in its place, before later differences.
  Parts also_other_sources;
  also_other_sources.sources = {5, 5};
  CHECK(folder.why(also_other_sources).field == "option 3");
}

TEST_CASE("the same symbol is nearer than more equal fields, and more equal fields are nearer than fewer") {
  const Folder folder;
  Parts same_symbol;
  same_symbol.target = "gfx942";
  same_symbol.head_dim = 1;
  same_symbol.sources = {3, 3};
  folder.publish(same_symbol);
  Parts other_symbol;
  other_symbol.symbol = "attention_d64";
  folder.publish(other_symbol);
  CHECK(folder.why(Parts()).nearest == same_symbol.key().name());
  Parts nearer;
  nearer.compiler = "dddd";
  folder.publish(nearer);
  CHECK(folder.why(Parts()).nearest == nearer.key().name());
}

TEST_CASE("a stored entry is no miss; an empty folder and damaged entries are near to nothing") {
  const Folder folder;
  CHECK(folder.why(Parts()).nearest.empty());
  CHECK(folder.why(Parts()).sentence() == "the folder holds no entry that could be compared");
  CHECK_FALSE(hk::test::exists(folder.path));
  folder.publish(Parts());
  CHECK(folder.why(Parts()).stored);
  CHECK(folder.why(Parts()).field.empty());
  CHECK(folder.why(Parts()).sentence() == "the entry is stored: " + Parts().key().name());
  const Key key = Parts().key();
  hk::test::write_text(folder.path + "/" + hk::cache::entry_folder(key) + "/" + hk::cache::entry_file(key), "rubbish");
  CHECK(folder.why(Parts()).nearest.empty());
}

TEST_SUITE_END();
