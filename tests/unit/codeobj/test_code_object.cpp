#include "codeobj/code_object.h"

#include "fixture.h"

using namespace hk;
using namespace hk::codeobj;

TEST_SUITE_BEGIN("code_object");

TEST_CASE("Code object versions 4, 5 and 6") {
  CHECK(parse_code_object(load_fixture("vector_add_gfx942_v4.co"))->version == 4);
  CHECK(parse_code_object(load_fixture("vector_add_gfx950_v5.co"))->version == 5);
  CHECK(parse_code_object(load_fixture("vector_add_gfx942_v6.co"))->version == 6);
  auto file = load_fixture("vector_add_gfx950_v5.co");
  for (int abi_version : {0, 1, 5, 255}) {
    file[8] = static_cast<std::byte>(abi_version);
    const auto object = parse_code_object(file);
    REQUIRE_FALSE(object.has_value());
    CHECK(object.error().code == StatusCode::load_failed);
    CHECK(object.error().message.find("ABI version " + std::to_string(abi_version)) != std::string::npos);
  }
}

TEST_CASE("Kernels are found by name and by descriptor symbol, globals by name") {
  const auto object = parse_code_object(load_fixture("vector_add_gfx950_v5.co"));
  REQUIRE(object.has_value());
  const Kernel* kernel = object->find_kernel("add_counter");
  REQUIRE(kernel != nullptr);
  CHECK(kernel == object->find_kernel("add_counter.kd"));
  CHECK(kernel->descriptor_address == 0xb40);
  CHECK(kernel->entry_address == 0x1d00);
  CHECK(object->find_kernel("add") == nullptr);
  REQUIRE(object->find_symbol("counter") != nullptr);
  CHECK(object->find_symbol("counter")->value == 0x4278);
  CHECK(object->find_symbol("") == nullptr);
}

TEST_CASE("Segment bytes are those of the file") {
  const auto file = load_fixture("vector_add_gfx950_v5.co");
  const auto object = parse_code_object(file);
  REQUIRE(object.has_value());
  const auto bytes = object->segment_bytes(*object->elf.segment_of(0x1c00, 4));
  CHECK(bytes.size() == 0x5c0);
  CHECK(std::memcmp(bytes.data(), file.data() + 0xc00, bytes.size()) == 0);
}

TEST_CASE("Hidden arguments of V4 and V5 differ as documented") {
  // V4 passes no hidden block counts: the kernel reads sizes from the dispatch packet instead.
  const auto v4 = parse_code_object(load_fixture("vector_add_gfx942_v4.co"));
  REQUIRE(v4.has_value());
  CHECK(v4->kernels[0].descriptor.enable_sgpr_dispatch_ptr);
  const auto v6 = parse_code_object(load_fixture("vector_add_gfx942_v6.co"));
  REQUIRE(v6.has_value());
  CHECK_FALSE(v6->kernels[0].descriptor.enable_sgpr_dispatch_ptr);
  CHECK(v6->kernels[0].descriptor.enable_sgpr_kernarg_segment_ptr);
}

TEST_CASE("An object is taken for the devices it runs on, and refused for others by name") {
  const auto file = load_fixture("vector_add_gfx942_v4.co"); // gfx942, any setting
  CHECK(parse_code_object_for(file, *parse_target_id("gfx942:sramecc+:xnack-")).has_value());
  const auto object = parse_code_object_for(file, *parse_target_id("gfx950:sramecc+:xnack-"));
  REQUIRE_FALSE(object.has_value());
  CHECK(object.error().message.find("built for gfx942") != std::string::npos);
  CHECK(object.error().message.find("gfx950:sramecc+:xnack-") != std::string::npos);
}

TEST_CASE("Metadata and ELF flags must name the same target") {
  auto file = load_fixture("vector_add_gfx950_v5.co");
  REQUIRE(file[48] == std::byte{0x4f});
  file[48] = std::byte{0x4c};
  const auto object = parse_code_object(file);
  REQUIRE_FALSE(object.has_value());
  CHECK(object.error().message.find("metadata says gfx950") != std::string::npos);
}

TEST_CASE("Unlinked objects and objects of other systems are refused") {
  auto file = load_fixture("vector_add_gfx950_v5.co");
  file[16] = std::byte{1}; // ET_REL
  CHECK(parse_code_object(file).error().message.find("not a linked object") != std::string::npos);
  file = load_fixture("vector_add_gfx950_v5.co");
  file[7] = std::byte{65}; // PAL
  CHECK(parse_code_object(file).error().message.find("HSA") != std::string::npos);
}

TEST_SUITE_END();
