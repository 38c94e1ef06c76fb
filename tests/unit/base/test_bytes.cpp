#include <doctest/doctest.h>

#include <limits>

#include "base/bytes.h"

using hk::base::as_bytes;
using hk::base::as_text;
using hk::base::ByteReader;
using hk::base::Bytes;
using hk::base::ByteView;
using hk::base::ByteWriter;

TEST_SUITE_BEGIN("base.bytes");

TEST_CASE("integers are written least significant byte first") {
  ByteWriter writer;
  writer.write(std::uint16_t{0x0102}).write(std::uint32_t{0x03040506}).write(std::int8_t{-2});
  CHECK(as_text(ByteView(writer.bytes())) == std::string_view("\x02\x01\x06\x05\x04\x03\xfe", 7));
}

TEST_CASE("what is written is read back, at the ends of each range") {
  ByteWriter writer;
  writer.write(std::numeric_limits<std::uint64_t>::max()).write(std::numeric_limits<std::int64_t>::min());
  writer.write(std::uint8_t{255}).write_bytes(as_bytes("text"));
  ByteReader reader(writer.bytes());
  std::uint64_t largest = 0;
  std::int64_t smallest = 0;
  std::uint8_t byte = 0;
  ByteView text;
  REQUIRE(reader.read(largest));
  REQUIRE(reader.read(smallest));
  REQUIRE(reader.read(byte));
  REQUIRE(reader.read_bytes(4, text));
  CHECK(largest == std::numeric_limits<std::uint64_t>::max());
  CHECK(smallest == std::numeric_limits<std::int64_t>::min());
  CHECK(byte == 255);
  CHECK(as_text(text) == "text");
  CHECK(reader.remaining() == 0);
}

TEST_CASE("a read past the end fails, changes nothing and moves nothing") {
  const Bytes three(3, std::byte{7});
  ByteReader reader(three);
  std::uint32_t value = 42;
  ByteView view;
  CHECK_FALSE(reader.read(value));
  CHECK(value == 42);
  CHECK_FALSE(reader.read_bytes(std::numeric_limits<std::uint64_t>::max(), view));
  CHECK_FALSE(reader.skip(4));
  CHECK_FALSE(reader.seek(4));
  CHECK(reader.position() == 0);
  CHECK(reader.seek(3));
  CHECK(reader.remaining() == 0);
  std::uint8_t byte = 0;
  CHECK_FALSE(reader.read(byte));
}

TEST_SUITE_END();
