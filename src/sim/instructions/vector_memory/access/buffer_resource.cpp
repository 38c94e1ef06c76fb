#include "sim/instructions/vector_memory/access/buffer_resource.h"

namespace hk::sim {

namespace {

// The descriptor has no element size field on these targets; swizzled buffers move single dwords.
constexpr std::uint32_t k_swizzle_element_bytes = 4;
constexpr std::uint64_t k_address_mask = (std::uint64_t{1} << 48) - 1;

std::uint64_t buffer_offset(const BufferResource& resource, std::uint32_t index, std::uint32_t offset) {
  if (!resource.swizzled)
    return std::uint64_t(resource.stride) * index + offset;
  const std::uint64_t index_high = index / resource.index_stride;
  const std::uint64_t index_low = index % resource.index_stride;
  const std::uint64_t offset_high = offset / k_swizzle_element_bytes;
  const std::uint64_t offset_low = offset % k_swizzle_element_bytes;
  return (index_high * resource.stride + offset_high * k_swizzle_element_bytes) * resource.index_stride +
         index_low * k_swizzle_element_bytes + offset_low;
}

std::uint32_t bytes_in_range(const BufferResource& resource, const BufferOffsets& offsets, std::uint32_t bytes,
                             bool whole) {
  if (resource.unbound)
    return 0;
  if (resource.add_lane)
    return bytes;
  if (offsets.indexed && resource.stride != 0)
    return offsets.index < resource.num_records ? bytes : 0;
  const std::uint64_t first = std::uint64_t(offsets.offset) + offsets.scalar;
  if (first + bytes <= resource.num_records)
    return bytes;
  if (whole || bytes <= 4 || first >= resource.num_records)
    return 0;
  return std::uint32_t(resource.num_records - first) / 4 * 4;
}

} // namespace

BufferResource decode_buffer_resource(const std::uint32_t words[4]) {
  BufferResource resource;
  resource.base = words[0] | std::uint64_t(words[1] & 0xffffu) << 32;
  resource.stride = words[1] >> 16 & 0x3fffu;
  resource.swizzled = words[1] >> 31;
  resource.num_records = words[2];
  resource.index_stride = 8u << (words[3] >> 21 & 3);
  resource.add_lane = words[3] >> 23 & 1;
  const std::uint32_t data_format = words[3] >> 15 & 0xfu;
  if (resource.add_lane)
    resource.stride |= data_format << 14;
  resource.unbound = (words[0] | words[1] | words[2] | words[3]) == 0;
  if (resource.unbound)
    return resource;
  if (words[3] >> 30 != 0)
    resource.invalid = "the resource descriptor's type (word 3, bits 31:30) is not 0, buffer";
  else if (!resource.add_lane && data_format == 0)
    resource.invalid = "the resource descriptor's data format (word 3, bits 18:15) is 0, invalid: hardware takes the "
                       "buffer as unbound";
  return resource;
}

BufferAddress locate_in_buffer(const BufferResource& resource, const BufferOffsets& offsets, std::uint32_t bytes,
                               bool whole) {
  const std::uint32_t index = offsets.index + (resource.add_lane ? offsets.lane : 0);
  BufferAddress found;
  found.address = (resource.base + offsets.scalar + buffer_offset(resource, index, offsets.offset)) & k_address_mask;
  found.bytes_in_range = bytes_in_range(resource, offsets, bytes, whole);
  return found;
}

} // namespace hk::sim
