#include "codeobj/target_id.h"

#include <doctest/doctest.h>

using namespace hk;
using namespace hk::codeobj;

TEST_SUITE_BEGIN("target_id");

TEST_CASE("A full id is parsed and printed back") {
  const auto target = parse_target_id("gfx942:sramecc+:xnack-");
  REQUIRE(target.has_value());
  CHECK(target->processor == "gfx942");
  CHECK(target->sramecc == FeatureSetting::on);
  CHECK(target->xnack == FeatureSetting::off);
  CHECK(target->to_string() == "gfx942:sramecc+:xnack-");
}

TEST_CASE("Features left out are any and stay left out") {
  CHECK(parse_target_id("gfx950")->to_string() == "gfx950");
  CHECK(parse_target_id("gfx950:xnack+")->to_string() == "gfx950:xnack+");
  CHECK(parse_target_id("gfx950:xnack+")->sramecc == FeatureSetting::any);
}

TEST_CASE("Feature order does not matter and printing is canonical") {
  CHECK(parse_target_id("gfx942:xnack-:sramecc+")->to_string() == "gfx942:sramecc+:xnack-");
}

TEST_CASE("The triple of metadata and bundles is accepted") {
  CHECK(parse_target_id("amdgcn-amd-amdhsa--gfx942:sramecc+")->to_string() == "gfx942:sramecc+");
}

TEST_CASE("Malformed ids are refused with a sentence that repeats them") {
  for (const char* text : {"", "gfx", "gfx9", "GFX942", "sm_", "sm_9x", "sm_90:xnack+", "gfx942:", "gfx942::xnack-",
                           "gfx942:xnack", "gfx942:xnack*", "gfx942:xnack-:xnack+", "gfx942:sramecc+:unknown-",
                           "gfx942;rm", "gfx942 ", "gfx942:xnack-:", "amdgcn-amd-amdhsa--"}) {
    CAPTURE(std::string(text));
    const auto target = parse_target_id(text);
    REQUIRE_FALSE(target.has_value());
    CHECK(target.error().code == StatusCode::invalid_argument);
    CHECK(target.error().message.find(text) != std::string::npos);
  }
}

TEST_CASE("Only listed processors are supported, and the refusal lists them") {
  CHECK(parse_supported_target_id("gfx942:xnack-").has_value());
  CHECK(parse_supported_target_id("gfx950").has_value());
  for (const char* text : {"gfx90a", "gfx1100", "gfx9999", "gfx9-4-generic"}) {
    const auto target = parse_supported_target_id(text);
    REQUIRE_FALSE(target.has_value());
    CHECK(target.error().code == StatusCode::unsupported);
    CHECK(target.error().message.find("gfx942, gfx950") != std::string::npos);
  }
}

TEST_CASE("NVIDIA processors are ids without features") {
  const auto target = parse_supported_target_id("sm_90");
  REQUIRE(target.has_value());
  CHECK(target->to_string() == "sm_90");
  CHECK(platform_of(*target) == Platform::nvidia);
  CHECK(platform_of(*parse_target_id("gfx942")) == Platform::amd);
  CHECK(runs_on(*target, *target));
  CHECK_FALSE(runs_on(*parse_target_id("sm_80"), *target));
  for (const char* text : {"sm_70", "sm_75", "sm_100", "sm_120"})
    CHECK(parse_supported_target_id(text).error().code == StatusCode::unsupported);
  CHECK(elf_flags(*target).error().code == StatusCode::unsupported);
}

TEST_CASE("Every listed processor is found by its name and says how wide its waves are") {
  CHECK(find_processor("gfx942")->wave_size == 64);
  CHECK(find_processor("gfx950")->wave_size == 64);
  CHECK(find_processor("gfx90a") == nullptr);
  for (const char* name : {"sm_80", "sm_86", "sm_89", "sm_90"}) {
    REQUIRE(find_processor(name) != nullptr);
    CHECK(find_processor(name)->wave_size == 32);
    CHECK(find_processor(name)->platform == Platform::nvidia);
  }
}

TEST_CASE("ELF flags are those that LLVM writes") {
  // llvm-readelf of hipRTC's output: 0x54C for gfx942, 0xE4C and 0xE4F with sramecc+ and xnack-.
  CHECK(*elf_flags(*parse_target_id("gfx942")) == 0x54c);
  CHECK(*elf_flags(*parse_target_id("gfx942:sramecc+:xnack-")) == 0xe4c);
  CHECK(*elf_flags(*parse_target_id("gfx950:sramecc+:xnack-")) == 0xe4f);
  CHECK(*elf_flags(*parse_target_id("gfx950:sramecc-:xnack+")) == 0xb4f);
  CHECK(elf_flags(TargetId{"gfx90a"}).error().code == StatusCode::unsupported);
}

TEST_CASE("ELF flags and target ids are inverse to each other") {
  for (const char* processor : {"gfx942", "gfx950"})
    for (const char* sramecc : {"", ":sramecc-", ":sramecc+"})
      for (const char* xnack : {"", ":xnack-", ":xnack+"}) {
        const auto target = *parse_target_id(std::string(processor) + sramecc + xnack);
        CHECK(*target_id_from_elf_flags(*elf_flags(target)) == target);
      }
}

TEST_CASE("Flags of other processors, unsupported features or generic versions are refused") {
  for (std::uint32_t flags : {0x53fu, 0x4cu, 0x14cu, 0x44cu, 0x154cu, 0x0100054cu, 0u, 0xffffffffu})
    CHECK(target_id_from_elf_flags(flags).error().code == StatusCode::unsupported);
}

TEST_CASE("Code runs on a device with the same processor and the settings it fixes") {
  const auto device = *parse_target_id("gfx942:sramecc+:xnack-");
  CHECK(runs_on(*parse_target_id("gfx942"), device));
  CHECK(runs_on(*parse_target_id("gfx942:xnack-"), device));
  CHECK(runs_on(device, device));
  CHECK_FALSE(runs_on(*parse_target_id("gfx942:xnack+"), device));
  CHECK_FALSE(runs_on(*parse_target_id("gfx942:sramecc-:xnack-"), device));
  CHECK_FALSE(runs_on(*parse_target_id("gfx950"), device));
}

TEST_SUITE_END();
