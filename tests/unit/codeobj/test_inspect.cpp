#include "codeobj/inspect.h"

#include "fixture.h"

using namespace hk;
using namespace hk::codeobj;

TEST_SUITE_BEGIN("inspect");

TEST_CASE("Resources of a compiled kernel") {
  const auto object = parse_code_object(load_fixture("vector_add_gfx950_v5.co"));
  REQUIRE(object.has_value());
  const KernelResources resources = resources_of(object->kernels[0]);
  CHECK(resources.vgprs == 6);
  CHECK(resources.agprs == 0);
  CHECK(resources.sgprs == 15);
  CHECK(resources.lds_bytes == 256);
  CHECK(resources.scratch_bytes == 0);
  CHECK(resources.max_workgroup_size == 1024);
}

TEST_CASE("The unified register file is split at the accumulator offset") {
  auto object = parse_code_object(load_fixture("descriptor_fields_gfx942.co"));
  REQUIRE(object.has_value());
  Kernel kernel = *object->find_kernel("every_field");
  CHECK(resources_of(kernel).vgprs == 252);
  CHECK(resources_of(kernel).agprs == 48);
  kernel.metadata.agpr_count.reset(); // as older compilers write it
  CHECK(resources_of(kernel).vgprs == 252);
  CHECK(resources_of(kernel).agprs == 48);
  CHECK(resources_of(kernel).spilled_vgprs == 9);
  CHECK(resources_of(kernel).spilled_sgprs == 7);
  CHECK(resources_of(kernel).scratch_bytes == 48);
}

TEST_CASE("A good object passes") {
  const auto target = *parse_target_id("gfx950:sramecc+:xnack-");
  CHECK(check_compiled(load_fixture("vector_add_gfx950_v5.co"), target, "vector_add").has_value());
}

TEST_CASE("A wrong target, also in one feature only, is refused") {
  for (const char* text : {"gfx942:sramecc+:xnack-", "gfx950", "gfx950:sramecc+:xnack+"}) {
    const auto object = check_compiled(load_fixture("vector_add_gfx950_v5.co"), *parse_target_id(text), "vector_add");
    REQUIRE_FALSE(object.has_value());
    CHECK(object.error().code == StatusCode::internal);
    CHECK(object.error().message.find(text) != std::string::npos);
  }
}

TEST_CASE("A missing kernel is refused by name") {
  const auto target = *parse_target_id("gfx950:sramecc+:xnack-");
  const auto object = check_compiled(load_fixture("vector_add_gfx950_v5.co"), target, "vector_subtract");
  REQUIRE_FALSE(object.has_value());
  CHECK(object.error().message.find("vector_subtract") != std::string::npos);
}

TEST_CASE("Scratch and spills are refused") {
  const auto target = *parse_target_id("gfx942:sramecc+:xnack-");
  const auto object = check_compiled(load_fixture("descriptor_fields_gfx942.co"), target, "every_field");
  REQUIRE_FALSE(object.has_value());
  CHECK(object.error().code == StatusCode::compile_failed);
  CHECK(object.error().message.find("48 bytes of scratch") != std::string::npos);
  CHECK(object.error().message.find("spills 9") != std::string::npos);
  CHECK(
      check_compiled(load_fixture("descriptor_fields_gfx942.co"), target, "every_field", Scratch::allowed).has_value());
  CHECK(check_compiled(load_fixture("descriptor_fields_gfx942.co"), target, "defaults").has_value());
}

TEST_SUITE_END();
