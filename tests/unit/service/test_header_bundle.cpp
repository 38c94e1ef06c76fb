#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "service/embedded_sources.h"
#include "service/header_bundle.h"

TEST_SUITE_BEGIN("service");

using hk::service::embedded_sources;
using hk::service::find_embedded_source;
using hk::service::HeaderBundle;
using hk::service::reachable_headers;

namespace {

bool holds(const HeaderBundle& bundle, const std::string& name) {
  return std::any_of(bundle.headers.begin(), bundle.headers.end(),
                     [&](const hk::compile::SourceHeader& header) { return header.name == name; });
}

} // namespace

TEST_CASE("service.embedded_sources: sorted by path, findable, and none is empty") {
  const auto sources = embedded_sources();
  REQUIRE(!sources.empty());
  CHECK(std::is_sorted(sources.begin(), sources.end(), [](auto& a, auto& b) { return a.path < b.path; }));
  for (const auto& source : sources) {
    CHECK(!source.text.empty());
    CHECK(find_embedded_source(source.path) == &source);
  }
  CHECK(find_embedded_source("hk/tile/no_such_file.h") == nullptr);
  CHECK(find_embedded_source("") == nullptr);
}

TEST_CASE("service.header_bundle: includes are followed, in any spelling, and only they") {
  const auto bundle = reachable_headers("// #include <none.h>\n  #  include <hk/tile/mask_kind.h>\nint x;", "gfx950");
  REQUIRE(bundle);
  REQUIRE(bundle->headers.size() == 1);
  CHECK(bundle->headers[0].name == "hk/tile/mask_kind.h");
  CHECK(bundle->headers[0].text == find_embedded_source("hk/tile/mask_kind.h")->text);
  const auto arguments = reachable_headers("#include <kernels/attention_forward_arguments.h>", "gfx950");
  REQUIRE(arguments);
  CHECK(holds(*arguments, "hk/tile/integers.h"));
}

TEST_CASE("service.header_bundle: the digest changes with a header's text and name only") {
  const auto one = reachable_headers("#include <hk/tile/mask_kind.h>\n", "gfx950");
  const auto same = reachable_headers("// another unit\n#include <hk/tile/mask_kind.h>\n", "gfx942");
  const auto other = reachable_headers("#include <hk/tile/integers.h>\n", "gfx950");
  REQUIRE(one);
  REQUIRE(same);
  REQUIRE(other);
  CHECK(one->digest == same->digest);
  CHECK(one->digest != other->digest);
}

TEST_CASE("service.header_bundle: a header that is not embedded is named together with who wants it") {
  const auto bundle = reachable_headers("#include <vector>\n", "gfx950");
  REQUIRE(!bundle);
  CHECK(bundle.error().code == hk::StatusCode::internal);
  CHECK(bundle.error().message.find("<vector>") != std::string::npos);
}

TEST_CASE("service.header_bundle: processors that share sources share headers; an unlisted one has none") {
  const auto ampere = reachable_headers("#include <hk/target.h>\n", "sm_80");
  const auto hopper = reachable_headers("#include <hk/target.h>\n", "sm_90");
  REQUIRE(ampere);
  REQUIRE(hopper);
  CHECK(holds(*ampere, "hk/arch/sm80/target.h"));
  CHECK_FALSE(holds(*ampere, "hk/arch/gfx942/target.h"));
  CHECK(ampere->digest == hopper->digest);
  CHECK(reachable_headers("#include <hk/target.h>\n", "sm_75").error().code == hk::StatusCode::internal);
}

TEST_SUITE_END();
