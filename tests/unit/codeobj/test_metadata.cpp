#include "codeobj/metadata.h"

#include "codeobj/code_object.h"
#include "fixture.h"

using namespace hk;
using namespace hk::codeobj;

TEST_SUITE_BEGIN("metadata");

// Expected values: llvm-readelf -n.
TEST_CASE("A compiled kernel") {
  const auto object = parse_code_object(load_fixture("vector_add_gfx950_v5.co"));
  REQUIRE(object.has_value());
  CHECK(object->metadata.version_major == 1);
  CHECK(object->metadata.version_minor == 2);
  CHECK(object->metadata.target == "amdgcn-amd-amdhsa--gfx950:sramecc+:xnack-");
  REQUIRE(object->kernels.size() == 2);
  const KernelMetadata& kernel = object->kernels[0].metadata;
  CHECK(kernel.name == "vector_add");
  CHECK(kernel.symbol == "vector_add.kd");
  CHECK(kernel.kernarg_segment_size == 288);
  CHECK(kernel.kernarg_segment_align == 8);
  CHECK(kernel.group_segment_fixed_size == 256);
  CHECK(kernel.private_segment_fixed_size == 0);
  CHECK(kernel.wavefront_size == 64);
  CHECK(kernel.max_flat_workgroup_size == 1024);
  CHECK(kernel.sgpr_count == 15);
  CHECK(kernel.vgpr_count == 6);
  CHECK(kernel.agpr_count == 0);
  CHECK(kernel.sgpr_spill_count == 0);
  CHECK(kernel.vgpr_spill_count == 0);
  CHECK_FALSE(kernel.required_workgroup_size.has_value());
  CHECK(kernel.uniform_workgroup_size);
  CHECK_FALSE(kernel.uses_dynamic_stack);
  CHECK(object->kernels[1].metadata.max_flat_workgroup_size == 128);
}

TEST_CASE("Explicit and hidden arguments of a compiled kernel") {
  const auto object = parse_code_object(load_fixture("vector_add_gfx950_v5.co"));
  REQUIRE(object.has_value());
  const auto& arguments = object->kernels[0].metadata.arguments;
  REQUIRE(arguments.size() == 17);
  CHECK(arguments[0].kind == ArgumentKind::global_buffer);
  CHECK(arguments[0].address_space == "global");
  CHECK(arguments[2].offset == 16);
  CHECK(arguments[2].size == 8);
  CHECK(arguments[3].kind == ArgumentKind::by_value);
  CHECK(arguments[3].offset == 24);
  CHECK(arguments[3].size == 4);
  CHECK_FALSE(arguments[3].is_hidden());
  CHECK(arguments[4].kind == ArgumentKind::hidden_block_count_x);
  CHECK(arguments[4].offset == 32);
  CHECK(arguments[4].is_hidden());
  CHECK(arguments[7].kind == ArgumentKind::hidden_group_size_x);
  CHECK(arguments[7].offset == 44);
  CHECK(arguments[7].size == 2);
  CHECK(arguments[10].kind == ArgumentKind::hidden_remainder_x);
  CHECK(arguments[13].kind == ArgumentKind::hidden_global_offset_x);
  CHECK(arguments[13].offset == 72);
  CHECK(arguments[16].kind == ArgumentKind::hidden_grid_dims);
  CHECK(arguments[16].offset == 96);
}

// Expected values: the .amdgpu_metadata block of data/descriptor_fields.s.
TEST_CASE("Optional keys of a hand-written kernel") {
  const auto object = parse_code_object(load_fixture("descriptor_fields_gfx942.co"));
  REQUIRE(object.has_value());
  CHECK(object->metadata.target.empty());
  const KernelMetadata& full = object->find_kernel("every_field")->metadata;
  CHECK(full.required_workgroup_size == std::array<std::uint32_t, 3>{64, 4, 2});
  CHECK(full.agpr_count == 48);
  CHECK(full.sgpr_spill_count == 7);
  CHECK(full.vgpr_spill_count == 9);
  CHECK(full.uses_dynamic_stack);
  CHECK(full.kernarg_segment_align == 16);
  REQUIRE(full.arguments.size() == 2);
  CHECK(full.arguments[0].name == "first");
  CHECK(full.arguments[1].name.empty());
  const KernelMetadata& least = object->find_kernel("defaults")->metadata;
  CHECK_FALSE(least.agpr_count.has_value());
  CHECK(least.arguments.empty());
}

namespace {

// MessagePack text of up to 31 bytes.
std::string text(const std::string& content) {
  return std::string(1, static_cast<char>(0xa0 + content.size())) + content;
}

using Entries = std::vector<std::pair<std::string, std::string>>;

std::string map(const Entries& entries) {
  std::string bytes{'\xde', '\0', static_cast<char>(entries.size())};
  for (const auto& [key, value] : entries)
    bytes += text(key) + value;
  return bytes;
}

Entries valid_kernel() {
  return {{".name", text("k")},
          {".symbol", text("k.kd")},
          {".kernarg_segment_size", "\x08"},
          {".kernarg_segment_align", "\x08"},
          {".group_segment_fixed_size", std::string(1, '\0')},
          {".private_segment_fixed_size", std::string(1, '\0')},
          {".wavefront_size", "\x40"},
          {".max_flat_workgroup_size", "\x40"},
          {".sgpr_count", "\x08"},
          {".vgpr_count", "\x08"}};
}

Result<Metadata> parse_kernel(const Entries& kernel) {
  return parse_metadata(bytes_of(map({{"amdhsa.version", "\x92\x01\x02"}, {"amdhsa.kernels", "\x91" + map(kernel)}})));
}

} // namespace

TEST_CASE("Every required key is missed by name") {
  REQUIRE(parse_kernel(valid_kernel()).has_value());
  for (std::size_t i = 0; i < valid_kernel().size(); ++i) {
    Entries kernel = valid_kernel();
    const std::string key = kernel[i].first;
    kernel.erase(kernel.begin() + static_cast<std::ptrdiff_t>(i));
    const auto metadata = parse_kernel(kernel);
    REQUIRE_FALSE(metadata.has_value());
    CHECK(metadata.error().code == StatusCode::load_failed);
    CHECK(metadata.error().message.find("'" + key + "' is missing") != std::string::npos);
  }
}

TEST_CASE("Keys of the wrong type or range are refused") {
  for (std::size_t i = 2; i < valid_kernel().size(); ++i) {
    Entries kernel = valid_kernel();
    kernel[i].second = text("x");
    CHECK_FALSE(parse_kernel(kernel).has_value());
    kernel[i].second = "\xff"; // -1
    CHECK_FALSE(parse_kernel(kernel).has_value());
  }
  Entries kernel = valid_kernel();
  kernel.back().second = std::string("\xcf\x00\x00\x00\x01\x00\x00\x00\x00", 9); // 2^32 registers
  CHECK_FALSE(parse_kernel(kernel).has_value());
}

TEST_CASE("An argument outside its kernarg segment is refused") {
  const auto argument = [](const std::string& offset, const std::string& size) {
    Entries kernel = valid_kernel();
    kernel.emplace_back(".args",
                        "\x91" + map({{".offset", offset}, {".size", size}, {".value_kind", text("by_value")}}));
    return parse_kernel(kernel);
  };
  CHECK(argument(std::string(1, '\0'), "\x08").has_value());
  CHECK(argument("\x04", "\x04").has_value());
  CHECK_FALSE(argument("\x04", "\x05").has_value());
  CHECK_FALSE(argument("\x09", std::string(1, '\0')).has_value());
  CHECK_FALSE(argument("\x04", std::string("\xcf\xff\xff\xff\xff\xff\xff\xff\xff", 9)).has_value());
}

TEST_CASE("Unknown argument kinds are kept as text, unknown versions are refused") {
  Entries kernel = valid_kernel();
  kernel.emplace_back(".args", "\x91" + map({{".offset", std::string(1, '\0')},
                                             {".size", "\x04"},
                                             {".value_kind", text("hidden_of_the_future")}}));
  const auto metadata = parse_kernel(kernel);
  REQUIRE(metadata.has_value());
  CHECK(metadata->kernels[0].arguments[0].kind == ArgumentKind::unknown);
  CHECK(metadata->kernels[0].arguments[0].kind_text == "hidden_of_the_future");
  CHECK(metadata->kernels[0].arguments[0].is_hidden());
  CHECK_FALSE(parse_metadata(bytes_of(map({{"amdhsa.version", "\x92\x02\x00"}}))).has_value());
  CHECK_FALSE(parse_metadata(bytes_of(map({}))).has_value());
}

TEST_SUITE_END();
