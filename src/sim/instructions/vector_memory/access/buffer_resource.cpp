#include "sim/instructions/vector_memory/access/buffer_resource.h"

namespace hk::sim {

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

} // namespace hk::sim
