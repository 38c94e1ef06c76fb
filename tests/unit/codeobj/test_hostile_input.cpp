// Bytes that nobody vouches for: whatever they are, parsing ends with a value or a sentence.

#include <random>

#include "codeobj/inspect.h"
#include "codeobj/offload_bundle.h"
#include "fixture.h"

using namespace hk;
using namespace hk::codeobj;

TEST_SUITE_BEGIN("hostile_input");

namespace {

const char* const k_fixtures[] = {"vector_add_gfx942_v4.co", "vector_add_gfx950_v5.co", "descriptor_fields_gfx942.co",
                                  "vector_add.bundle"};

// Touches everything that the picture offers, so that a wild offset would be read.
std::size_t walk(const CodeObject& object) {
  std::size_t touched = 0;
  for (const ElfSegment& segment : object.elf.segments)
    for (std::byte byte : object.segment_bytes(segment))
      touched += static_cast<std::size_t>(byte);
  for (const Kernel& kernel : object.kernels)
    touched += resources_of(kernel).vgprs + kernel.metadata.arguments.size() +
               (object.elf.segment_of(kernel.entry_address, 4) != nullptr);
  for (const ElfRelocation& relocation : object.elf.relocations)
    if (relocation.symbol_index != 0)
      touched += object.elf.dynamic_symbols.at(relocation.symbol_index).name.size();
  return touched;
}

// Returns whether the bytes were accepted.
bool parse_everything(const std::vector<std::byte>& bytes) {
  const auto device = *parse_target_id("gfx950:sramecc+:xnack-");
  const auto object = parse_code_object_for(bytes, device);
  const auto other = parse_code_object(bytes);
  for (const auto* result : {&object, &other}) {
    if (result->has_value())
      CHECK(walk(**result) > 0);
    else
      CHECK_FALSE(result->error().message.empty());
  }
  return object.has_value() || other.has_value();
}

} // namespace

TEST_CASE("Every truncation of every fixture is refused or understood") {
  for (const char* name : k_fixtures) {
    CAPTURE(std::string(name));
    const auto file = load_fixture(name);
    REQUIRE((parse_everything(file) || is_offload_bundle(file)));
    for (std::size_t size = 0; size < file.size(); ++size) {
      // A vector of exactly that size, so that the address sanitizer sees a read past its end.
      const std::vector<std::byte> head(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size));
      const bool accepted = parse_everything(head);
      // The section headers stand last in an object, so no part of one can be whole.
      if (!is_offload_bundle(file))
        CHECK_FALSE(accepted);
    }
  }
}

TEST_CASE("Random damage does no harm") {
  std::mt19937_64 random(20240817);
  for (const char* name : k_fixtures) {
    const auto file = load_fixture(name);
    for (int round = 0; round < 2000; ++round) {
      auto damaged = file;
      const int changes = 1 << (round % 6);
      for (int i = 0; i < changes; ++i)
        damaged[random() % damaged.size()] = static_cast<std::byte>(random());
      parse_everything(damaged);
    }
  }
}

TEST_CASE("Extreme numbers in every header word do no harm") {
  const auto file = load_fixture("vector_add_gfx950_v5.co");
  const std::size_t section_headers = 0x1778 < file.size() ? file.size() - 18 * 64 : 0;
  for (std::uint64_t value : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{0x7fffffff}, std::uint64_t{0xffffffff},
                              std::uint64_t{1} << 63, ~std::uint64_t{0}, ~std::uint64_t{0} - 63}) {
    for (std::size_t offset = 0; offset + 8 <= file.size(); offset += 4) {
      // ELF and program headers, and the section headers at the end.
      if (offset >= 64 + 9 * 56 && offset < section_headers)
        continue;
      auto damaged = file;
      std::memcpy(damaged.data() + offset, &value, sizeof(value));
      parse_everything(damaged);
    }
  }
}

TEST_SUITE_END();
