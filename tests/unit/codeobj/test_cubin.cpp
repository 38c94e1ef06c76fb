#include "codeobj/cubin.h"

#include <random>

#include <doctest/doctest.h>

#include "codeobj/check_kernel.h"
#include "fixture.h"

using namespace hk;
using namespace hk::codeobj;

TEST_SUITE_BEGIN("cubin");

TEST_CASE("What a kernel needs is what ptxas says") {
  struct Expected {
    const char* file;
    std::uint32_t machine, dynamic_registers, stack_registers;
  };
  for (const Expected& expected :
       {Expected{"two_kernels_sm_80.cubin", 80, 8, 32}, Expected{"two_kernels_sm_90.cubin", 90, 10, 27}}) {
    CAPTURE(expected.file);
    const auto file = load_fixture(expected.file);
    const auto dynamic = read_cubin_kernel(file, "in_dynamic");
    REQUIRE(dynamic.has_value());
    CHECK(dynamic->machine == expected.machine);
    CHECK(dynamic->resources.vgprs == expected.dynamic_registers);
    CHECK(dynamic->resources.scratch_bytes == 0);
    CHECK(dynamic->resources.dynamic_lds_bytes == 70000);
    CHECK(dynamic->resources.lds_bytes == 70000);
    CHECK(dynamic->resources.max_workgroup_size == 128);
    const auto stack = read_cubin_kernel(file, "with_stack");
    REQUIRE(stack.has_value());
    CHECK(stack->resources.vgprs == expected.stack_registers);
    CHECK(stack->resources.scratch_bytes == 800);
    CHECK(stack->resources.dynamic_lds_bytes == 0);
    CHECK(stack->resources.lds_bytes == 320);
  }
}

TEST_CASE("The gate takes a kernel of the right processor and refuses every other") {
  const auto file = load_fixture("two_kernels_sm_90.cubin");
  CHECK(check_kernel(file, *parse_target_id("sm_90"), "in_dynamic").has_value());
  CHECK(check_kernel(file, *parse_target_id("sm_80"), "in_dynamic").error().code == StatusCode::internal);
  CHECK(check_kernel(file, *parse_target_id("gfx950"), "in_dynamic").error().code == StatusCode::load_failed);
  CHECK(check_kernel(file, *parse_target_id("sm_90"), "another").error().code == StatusCode::load_failed);
  const auto local = check_kernel(file, *parse_target_id("sm_90"), "with_stack");
  REQUIRE_FALSE(local.has_value());
  CHECK(local.error().code == StatusCode::compile_failed);
  CHECK(local.error().message.find("800 bytes of local memory") != std::string::npos);
  CHECK(check_kernel(file, *parse_target_id("sm_90"), "with_stack", Scratch::allowed).has_value());
  CHECK(check_kernel(load_fixture("vector_add_gfx950_v5.co"), *parse_target_id("sm_90"), "vector_add").error().code ==
        StatusCode::load_failed);
}

TEST_CASE("The gate gives for AMD code what the metadata says") {
  const auto resources =
      check_kernel(load_fixture("vector_add_gfx950_v5.co"), *parse_target_id("gfx950:sramecc+:xnack-"), "vector_add");
  REQUIRE(resources.has_value());
  const auto object = parse_code_object(load_fixture("vector_add_gfx950_v5.co"));
  CHECK(resources->vgprs == object->kernels[0].metadata.vgpr_count);
  CHECK(resources->dynamic_lds_bytes == 0);
}

TEST_CASE("Damaged cubins are refused or read, never followed out of the file") {
  const auto file = load_fixture("two_kernels_sm_90.cubin");
  for (std::size_t size = 0; size < file.size(); size += 7)
    (void)read_cubin_kernel(std::span(file).first(size), "in_dynamic");
  std::mt19937 random(11);
  for (int round = 0; round < 3000; ++round) {
    auto damaged = file;
    for (int i = 0; i < 4; ++i)
      damaged[random() % damaged.size()] = static_cast<std::byte>(random());
    (void)read_cubin_kernel(damaged, "in_dynamic");
    (void)read_cubin_kernel(damaged, "with_stack");
  }
  auto no_registers = file; // .nv.info: a record of another kind in the place of both counts
  for (std::size_t i = 0; i + 3 < no_registers.size(); ++i)
    if (no_registers[i] == std::byte{4} && no_registers[i + 1] == std::byte{0x2f} &&
        no_registers[i + 2] == std::byte{8})
      no_registers[i + 1] = std::byte{0x7e};
  CHECK(read_cubin_kernel(no_registers, "in_dynamic").error().code == StatusCode::load_failed);
}

TEST_SUITE_END();
