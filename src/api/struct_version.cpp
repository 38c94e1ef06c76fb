#include "api/struct_version.h"

namespace hk::api {
namespace {

// No structure of this library will ever be larger; a size beyond it is not a size, and reading that far is a crash.
constexpr std::uint32_t k_largest_size = 4096;

} // namespace

Status check_struct_size(const char* name, const void* structure, std::size_t first_size, std::size_t known_size) {
  if (structure == nullptr)
    return {StatusCode::invalid_argument, std::string(name) + " is null"};
  std::uint32_t size = 0;
  std::memcpy(&size, structure, sizeof(size));
  if (size < first_size)
    return {StatusCode::invalid_argument, std::string(name) + ".struct_size is " + std::to_string(size) +
                                              ", but the structure has at least " + std::to_string(first_size) +
                                              " bytes: initialise it with its _INIT macro"};
  if (size > k_largest_size)
    return {StatusCode::invalid_argument, std::string(name) + ".struct_size is " + std::to_string(size) +
                                              ", more than any structure has: initialise it with its _INIT macro"};
  const auto* bytes = static_cast<const unsigned char*>(structure);
  for (std::size_t i = known_size; i < size; ++i) {
    if (bytes[i] != 0)
      return {StatusCode::unsupported_version,
              std::string(name) + ".struct_size is " + std::to_string(size) + " and byte " + std::to_string(i) +
                  " is set, but this library knows " + std::to_string(known_size) +
                  " bytes: install the libhk that belongs to your hk.h, or leave newer fields zero"};
  }
  return {};
}

} // namespace hk::api
