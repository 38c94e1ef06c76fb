#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

#include "cache/key.h"
#include "unit/cache/sample_entries.h"

using hk::cache::Key;
using hk::cache::KeyRequest;
using hk::cache::KeyText;
using hk::cache::make_key;
using hk::cache::ToolchainPart;

TEST_SUITE_BEGIN("cache.key");

TEST_CASE("each field is written with name, type and lengths") {
  CHECK(KeyText().add("name", "value").text() == "4:name=s5:value\n");
  CHECK(KeyText().add("n", -5).text() == "1:n=i2:-5\n");
  CHECK(KeyText().add("n", true).text() == "1:n=b1:1\n");
  CHECK(KeyText().add("n", hk::base::Digest128{1, 2}).text() == "1:n=d32:00000000000000010000000000000002\n");
  CHECK(KeyText().add("n", std::vector<std::string>{"a", "", "bc"}).text() == "1:n=l9:1:a0:2:bc\n");
  CHECK(KeyText().text().empty());
}

TEST_CASE("fields that look alike when run together give different texts") {
  std::set<std::string> texts;
  int count = 0;
  const auto add = [&](const KeyText& text) {
    ++count;
    texts.insert(text.text());
  };
  add(KeyText().add("ab", "c"));
  add(KeyText().add("a", "bc"));
  add(KeyText().add("a", "b").add("c", ""));
  add(KeyText().add("a", "1"));
  add(KeyText().add("a", 1));
  add(KeyText().add("a", true));
  add(KeyText().add("a", std::vector<std::string>{"1"}));
  add(KeyText().add("a", std::vector<std::string>{}));
  add(KeyText().add("a", std::vector<std::string>{"x", "y"}));
  add(KeyText().add("a", std::vector<std::string>{"y", "x"}));
  add(KeyText().add("a", std::vector<std::string>{"x1:y"}));
  add(KeyText().add("a", std::string("\n1:b=s1:c\n")));
  add(KeyText().add("a", "\n1:b").add("b", "c"));
  add(KeyText().add("a", std::string("\0", 1)));
  add(KeyText().add("a", ""));
  CHECK(static_cast<int>(texts.size()) == count);
}

TEST_CASE("the order of the calls does not matter") {
  CHECK(KeyText().add("a", 1).add("b", 2).text() == KeyText().add("b", 2).add("a", 1).text());
}

TEST_CASE("every input of a request changes the request's digest and not the tool chain's") {
  const KeyRequest base{"spec", {1, 2}, {"-O3", "-x"}, "gfx942:sramecc+:xnack-"};
  const std::vector<ToolchainPart> toolchain = {{"libhiprtc", "aa"}, {"libamd_comgr", "bb"}};
  const Key key = make_key(base, toolchain);
  std::vector<KeyRequest> changed(8, base);
  changed[0].spec = "spec ";
  changed[1].sources.high = 9;
  changed[2].sources.low = 9;
  changed[3].options = {"-x", "-O3"};
  changed[4].options = {"-O3 -x"};
  changed[5].options.emplace_back("");
  changed[6].target = "gfx942:sramecc+:xnack+";
  changed[7].target = "gfx950:sramecc+:xnack-";
  std::set<std::string> names = {key.name()};
  for (const KeyRequest& request : changed) {
    const Key other = make_key(request, toolchain);
    CHECK(names.insert(other.name()).second);
    CHECK_FALSE(other.request == key.request);
    CHECK(other.toolchain == key.toolchain);
  }
}

TEST_CASE("every build-id changes the tool chain's digest and not the request's") {
  const KeyRequest request{"spec", {1, 2}, {}, "gfx950"};
  const Key key = make_key(request, {{"libhiprtc", "aa"}, {"libamd_comgr", "bb"}});
  for (const std::vector<ToolchainPart>& toolchain :
       std::vector<std::vector<ToolchainPart>>{{{"libhiprtc", "ab"}, {"libamd_comgr", "bb"}},
                                               {{"libhiprtc", "bb"}, {"libamd_comgr", "aa"}},
                                               {{"libhiprtc", "aa"}},
                                               {}}) {
    const Key other = make_key(request, toolchain);
    CHECK(other.request == key.request);
    CHECK_FALSE(other.toolchain == key.toolchain);
    CHECK_FALSE(other.name() == key.name());
  }
  CHECK(make_key(request, {{"libamd_comgr", "bb"}, {"libhiprtc", "aa"}}) == key);
}

// Texts and digests from golden_entry_v1.py and xxhsum.
TEST_CASE("the key of a known request is the known text and digest") {
  const Key key = hk::test::sample_key();
  CHECK(key.request_text == "6:format=i1:1\n"
                            "7:options=l29:3:-O321:--offload-arch=gfx942\n"
                            "7:sources=d32:0123456789abcdeffedcba9876543210\n"
                            "4:spec=s14:attention d128\n"
                            "6:target=s22:gfx942:sramecc+:xnack-\n");
  CHECK(key.toolchain_text == "21:build-id libamd_comgr=s6:c0ffee\n"
                              "18:build-id libhiprtc=s4:beef\n"
                              "6:format=i1:1\n");
  CHECK(key.name() == "75b687ad1195d749ae888d425199d734-40431064e148708892e64c9d7867add5");
}

TEST_SUITE_END();
