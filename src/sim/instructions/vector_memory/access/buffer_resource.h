#pragma once
// The 128-bit buffer resource descriptor and its address arithmetic: "CDNA4 ISA" and "CDNA3 ISA", sections "Buffer
// Addressing", "Range Checking" and "Buffer Resource".

#include <cstdint>

namespace hk::sim {

struct BufferResource {
  std::uint64_t base = 0;         // word 0, word 1 [15:0]
  std::uint32_t stride = 0;       // word 1 [29:16], bytes; with add_lane word 3 [18:15] gives bits 17:14
  std::uint32_t num_records = 0;  // word 2: bytes, or records if the access is indexed and the stride is not zero
  bool swizzled = false;          // word 1 [31]
  std::uint32_t index_stride = 8; // word 3 [22:21]: 8, 16, 32, 64 indices
  bool add_lane = false;          // word 3 [23]: the lane number counts into the index
  bool unbound = false;           // all words zero: loads give 0, stores are dropped

  // Why hardware could not use the descriptor, or null.
  const char* invalid = nullptr;
};

BufferResource decode_buffer_resource(const std::uint32_t words[4]);

struct BufferAddress {
  std::uint64_t address = 0;
  std::uint32_t bytes_in_range = 0; // a prefix of the access
};

struct BufferOffsets {
  bool indexed = false;     // idxen
  std::uint32_t index = 0;  // vector index, or 0
  std::uint32_t offset = 0; // vector offset (or 0) + instruction offset, modulo 2^32
  std::uint32_t scalar = 0; // soffset
  std::uint32_t lane = 0;
};

// The descriptor has no element size field on these targets; swizzled buffers move single dwords.
constexpr std::uint32_t k_swizzle_element_bytes = 4;

// The part of the address that index and offset give.
constexpr std::uint64_t buffer_offset(const BufferResource& resource, std::uint32_t index, std::uint32_t offset) {
  if (!resource.swizzled)
    return std::uint64_t(resource.stride) * index + offset;
  const std::uint64_t index_high = index / resource.index_stride;
  const std::uint64_t index_low = index % resource.index_stride;
  const std::uint64_t offset_high = offset / k_swizzle_element_bytes;
  const std::uint64_t offset_low = offset % k_swizzle_element_bytes;
  return (index_high * resource.stride + offset_high * k_swizzle_element_bytes) * resource.index_stride +
         index_low * k_swizzle_element_bytes + offset_low;
}

constexpr std::uint32_t bytes_in_buffer(const BufferResource& resource, const BufferOffsets& offsets,
                                        std::uint32_t bytes, bool whole) {
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

// Where `bytes` bytes of a lane lie and how many of them are in range. Raw buffers compare offset + soffset with
// num_records, each dword of a wide access by itself (`whole`: all or nothing, as for atomics); indexed buffers with a
// stride compare the index alone; buffers that add the lane number are not checked.
// soffset counting is what AMD's own CDNA simulator settled on against gfx950 hardware (ROCm/rocm-systems pull request
// 10928); the guides' formula for raw buffers leaves it out.
constexpr BufferAddress locate_in_buffer(const BufferResource& resource, const BufferOffsets& offsets,
                                         std::uint32_t bytes, bool whole) {
  constexpr std::uint64_t k_address_mask = (std::uint64_t{1} << 48) - 1;
  const std::uint32_t index = offsets.index + (resource.add_lane ? offsets.lane : 0);
  return {(resource.base + offsets.scalar + buffer_offset(resource, index, offsets.offset)) & k_address_mask,
          bytes_in_buffer(resource, offsets, bytes, whole)};
}

} // namespace hk::sim
