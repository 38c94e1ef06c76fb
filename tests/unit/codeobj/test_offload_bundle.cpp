#include "codeobj/offload_bundle.h"

#include "codeobj/code_object.h"
#include "fixture.h"

using namespace hk;
using namespace hk::codeobj;

TEST_SUITE_BEGIN("offload_bundle");

TEST_CASE("The entries of a real bundle") {
  const auto bundle = load_fixture("vector_add.bundle");
  CHECK(is_offload_bundle(bundle));
  CHECK_FALSE(is_offload_bundle(load_fixture("vector_add_gfx950_v5.co")));
  const auto entries = parse_offload_bundle(bundle);
  REQUIRE(entries.has_value());
  REQUIRE(entries->size() == 3);
  CHECK((*entries)[0].kind == "host");
  CHECK_FALSE((*entries)[0].is_amdgpu());
  CHECK((*entries)[1].kind == "hipv4");
  CHECK((*entries)[1].target == "gfx942");
  CHECK((*entries)[1].offset == 0xd4);
  CHECK((*entries)[1].size == 6464);
  CHECK((*entries)[2].target == "gfx950:sramecc+:xnack-");
  CHECK((*entries)[2].size == 7232);
}

TEST_CASE("The entry for the device is taken out of a bundle") {
  const auto bundle = load_fixture("vector_add.bundle");
  const auto object = parse_code_object_for(bundle, *parse_target_id("gfx950:sramecc+:xnack-"));
  REQUIRE(object.has_value());
  CHECK(object->image == load_fixture("vector_add_gfx950_v5.co"));
  CHECK(parse_code_object_for(bundle, *parse_target_id("gfx942:sramecc+:xnack-"))->version == 4);
  const auto other = parse_code_object_for(bundle, *parse_target_id("gfx950:sramecc+:xnack+"));
  REQUIRE_FALSE(other.has_value());
  CHECK(other.error().message.find("gfx942, gfx950:sramecc+:xnack-") != std::string::npos);
  CHECK(other.error().message.find("gfx950:sramecc+:xnack+") != std::string::npos);
}

TEST_CASE("A bundle for several targets needs a device") {
  const auto object = parse_code_object(load_fixture("vector_add.bundle"));
  REQUIRE_FALSE(object.has_value());
  CHECK(object.error().message.find("say which") != std::string::npos);
}

TEST_CASE("Compressed bundles are refused with the remedy") {
  const auto object = parse_code_object(bytes_of("CCOB and what follows"));
  REQUIRE_FALSE(object.has_value());
  CHECK(object.error().code == StatusCode::unsupported);
  CHECK(object.error().message.find("clang-offload-bundler") != std::string::npos);
}

TEST_CASE("Impossible counts and lengths are refused") {
  auto bundle = load_fixture("vector_add.bundle");
  const auto with_word = [&bundle](std::size_t offset, std::uint64_t word) {
    auto copy = bundle;
    std::memcpy(copy.data() + offset, &word, sizeof(word));
    return copy;
  };
  for (std::size_t offset : {std::size_t{24}, std::size_t{32}, std::size_t{40}, std::size_t{48}})
    for (std::uint64_t word : {std::uint64_t{1} << 20, std::uint64_t{1} << 40, ~std::uint64_t{0}})
      CHECK_FALSE(parse_offload_bundle(with_word(offset, word)).has_value());
}

TEST_SUITE_END();
