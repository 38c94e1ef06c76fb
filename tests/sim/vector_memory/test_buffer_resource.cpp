// The descriptor and the address arithmetic as pure functions, with numbers worked out by hand.

#include <doctest/doctest.h>

#include "sim/instructions/vector_memory/access/buffer_resource.h"

using namespace hk::sim;

namespace {

BufferResource raw(std::uint32_t num_records) {
  const std::uint32_t words[4] = {0x1000, 0, num_records, 0x00020000};
  return decode_buffer_resource(words);
}

std::uint32_t in_range(const BufferResource& resource, std::uint32_t offset, std::uint32_t scalar, std::uint32_t bytes,
                       bool whole = false) {
  BufferOffsets offsets;
  offsets.offset = offset;
  offsets.scalar = scalar;
  return locate_in_buffer(resource, offsets, bytes, whole).bytes_in_range;
}

} // namespace

TEST_CASE("descriptor fields") {
  const std::uint32_t words[4] = {0x89abcdef, 0xa0011234, 0xfedcba98, 0x00440000 | 5u << 15};
  const BufferResource resource = decode_buffer_resource(words);
  CHECK(resource.base == 0x123489abcdef);
  CHECK(resource.stride == 0x2001); // bits 29:16 of 0xa0011234
  CHECK(resource.swizzled);
  CHECK(resource.num_records == 0xfedcba98);
  CHECK(resource.index_stride == 32); // 0x00400000: bits 22:21 = 2
  CHECK_FALSE(resource.add_lane);
  CHECK(resource.invalid == nullptr);

  const std::uint32_t extended[4] = {0, 0x00080000, 0, 0x00800000 | 1u << 15};
  CHECK(decode_buffer_resource(extended).stride == 0x4008); // add_tid: data format holds stride bits 17:14
  const std::uint32_t zero[4] = {};
  CHECK(decode_buffer_resource(zero).unbound);
  CHECK(decode_buffer_resource(zero).invalid == nullptr);
  const std::uint32_t no_format[4] = {0x1000, 0, 64, 0};
  CHECK(decode_buffer_resource(no_format).invalid != nullptr);
  const std::uint32_t not_a_buffer[4] = {0x1000, 0, 64, 0x40020000};
  CHECK(decode_buffer_resource(not_a_buffer).invalid != nullptr);
}

TEST_CASE("raw range: the end of each dword counts, soffset counts, offsets are unsigned") {
  const BufferResource resource = raw(100);
  CHECK(in_range(resource, 96, 0, 4) == 4);
  CHECK(in_range(resource, 97, 0, 4) == 0);
  CHECK(in_range(resource, 99, 0, 1) == 1);
  CHECK(in_range(resource, 100, 0, 1) == 0);
  CHECK(in_range(resource, 98, 0, 2) == 2);
  CHECK(in_range(resource, 99, 0, 2) == 0);
  CHECK(in_range(resource, 84, 0, 16) == 16);
  CHECK(in_range(resource, 88, 0, 16) == 12);
  CHECK(in_range(resource, 92, 0, 16) == 8);
  CHECK(in_range(resource, 93, 0, 16) == 4); // 97..100 is already half outside
  CHECK(in_range(resource, 97, 0, 16) == 0);
  CHECK(in_range(resource, 60, 36, 4) == 4);
  CHECK(in_range(resource, 60, 37, 4) == 0);
  CHECK(in_range(resource, 0xfffffffc, 4, 4) == 0); // no wrap between offset and soffset
  CHECK(in_range(resource, 4, 0xfffffffc, 4) == 0);
  CHECK(in_range(resource, 92, 0, 16, true) == 0); // atomics: all or nothing
  CHECK(in_range(resource, 92, 0, 8, true) == 8);
  CHECK(in_range(raw(0xffffffff), 0xfffffff0, 0, 8) == 8);
  CHECK(in_range(raw(0xffffffff), 0xfffffff0, 0, 16) == 12);
  CHECK(in_range(raw(0), 0, 0, 1) == 0);
}

TEST_CASE("the address adds base, soffset, offset and stride * index") {
  BufferOffsets offsets;
  offsets.offset = 0x30;
  offsets.scalar = 0x10000000;
  CHECK(locate_in_buffer(raw(0xffffffff), offsets, 4, false).address == 0x1000 + 0x10000000 + 0x30);
  const std::uint32_t words[4] = {0x1000, 24u << 16, 10, 0x00020000};
  const BufferResource resource = decode_buffer_resource(words);
  offsets.indexed = true;
  offsets.index = 9;
  offsets.scalar = 1000;
  BufferAddress found = locate_in_buffer(resource, offsets, 16, false);
  CHECK(found.address == 0x1000 + 1000 + 0x30 + 9 * 24);
  CHECK(found.bytes_in_range == 16); // only the index is compared
  offsets.index = 10;
  CHECK(locate_in_buffer(resource, offsets, 4, false).bytes_in_range == 0);
  // the same buffer without an index: num_records is bytes
  offsets = {};
  offsets.offset = 6;
  CHECK(locate_in_buffer(resource, offsets, 4, false).bytes_in_range == 4);
  offsets.offset = 8;
  CHECK(locate_in_buffer(resource, offsets, 4, false).bytes_in_range == 0);
}

TEST_CASE("swizzled addressing") {
  // stride 16, index stride 8, elements of 4 bytes: index 11 = block 1, place 3; offset 9 = element 2, byte 1:
  // (1 * 16 + 2 * 4) * 8 + 3 * 4 + 1 = 205
  const std::uint32_t words[4] = {0x1000, 0x80000000u | 16u << 16, 100, 0x00020000};
  BufferOffsets offsets;
  offsets.indexed = true;
  offsets.index = 11;
  offsets.offset = 9;
  CHECK(locate_in_buffer(decode_buffer_resource(words), offsets, 1, false).address == 0x1000 + 205);
}

TEST_CASE("add_tid adds the lane to the index and switches range checks off") {
  const std::uint32_t words[4] = {0x1000, 8u << 16, 0, 0x00800000};
  BufferOffsets offsets;
  offsets.lane = 5;
  offsets.offset = 4;
  const BufferAddress found = locate_in_buffer(decode_buffer_resource(words), offsets, 4, false);
  CHECK(found.address == 0x1000 + 44);
  CHECK(found.bytes_in_range == 4);
}
