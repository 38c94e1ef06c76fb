#include <doctest/doctest.h>

#include <set>
#include <string>

#include "base/hash.h"

using hk::base::as_bytes;
using hk::base::Digest128;
using hk::base::digest_from_hex;
using hk::base::hash128;
using hk::base::hash64;
using hk::base::to_hex;

TEST_SUITE_BEGIN("base.hash");

// Expected values: printed by xxhsum 0.8.1 (-H2 and -H3) for the same bytes.
TEST_CASE("digests are those that xxhsum prints") {
  CHECK(to_hex(hash128("")) == "99aa06d3014798d86001c324468d497f");
  CHECK(to_hex(hash128("abc")) == "06b05ab6733a618578af5f94892f3950");
  CHECK(to_hex(hash128(std::string(1000, 'k'))) == "d4f479e6ec6dd1f6308ce2f421066779");
  CHECK(hash64("") == 0x2d06800538d394c2U);
  CHECK(hash64("abc") == 0x78af5f94892f3950U);
  CHECK(hash64(std::string(1000, 'k')) == 0x308ce2f421066779U);
}

TEST_CASE("the seed changes a 64-bit hash") {
  CHECK(hash64("abc", 1) != hash64("abc"));
}

TEST_CASE("hexadecimal text and digest convert into each other") {
  const Digest128 digest{0x0123456789abcdefU, 0xfedcba9876543210U};
  CHECK(to_hex(digest) == "0123456789abcdeffedcba9876543210");
  CHECK(digest_from_hex("0123456789abcdeffedcba9876543210") == digest);
  CHECK(to_hex(as_bytes(std::string_view("\x00\xff\x10", 3))) == "00ff10");
}

TEST_CASE("text that is not a digest is refused") {
  CHECK_FALSE(digest_from_hex(""));
  CHECK_FALSE(digest_from_hex("0123456789abcdeffedcba987654321"));
  CHECK_FALSE(digest_from_hex("0123456789abcdeffedcba98765432100"));
  CHECK_FALSE(digest_from_hex("0123456789ABCDEFFEDCBA9876543210"));
  CHECK_FALSE(digest_from_hex("0123456789abcdeffedcba987654321g"));
}

TEST_SUITE_END();
