#pragma once
// The struct_size rule of hk.h: a structure of an older header is completed with zeros, one of a newer header is
// accepted as long as the fields that this library does not know are zero.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "base/status.h"

namespace hk::api {

// name: of the structure; first_size: its size in the first release that had it.
Status check_struct_size(const char* name, const void* structure, std::size_t first_size, std::size_t known_size);

// A copy of *from as this library knows the structure. The caller's memory is read as far as its struct_size only.
template <typename Struct>
Status copy_struct(const char* name, const Struct* from, std::size_t first_size, Struct& to) {
  HK_RETURN_IF_ERROR(check_struct_size(name, from, first_size, sizeof(Struct)));
  std::memset(static_cast<void*>(&to), 0, sizeof(Struct));
  std::memcpy(static_cast<void*>(&to), from, std::min<std::size_t>(from->struct_size, sizeof(Struct)));
  return {};
}

} // namespace hk::api
