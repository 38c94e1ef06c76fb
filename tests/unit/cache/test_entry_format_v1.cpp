// The bytes of format 1. If this fails, the format has changed: raise k_entry_format_version, extend docs/CACHE.md
// and add a test of the new number beside this one.

#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "base/hash.h"
#include "cache/entry.h"
#include "unit/cache/sample_entries.h"

namespace {

// Printed by golden_entry_v1.py.
constexpr std::string_view k_golden =
    "686b656e7472790001000000020000006d010000000000000800000000000000a70000004f00000033000000363a666f"
    "726d61743d69313a310a373a6f7074696f6e733d6c32393a333a2d4f3332313a2d2d6f66666c6f61642d617263683d67"
    "66783934320a373a736f75726365733d6433323a30313233343536373839616263646566666564636261393837363534"
    "333231300a343a737065633d7331343a617474656e74696f6e20643132380a363a7461726765743d7332323a67667839"
    "34323a7372616d6563632b3a786e61636b2d0a32313a6275696c642d6964206c6962616d645f636f6d67723d73363a63"
    "30666665650a31383a6275696c642d6964206c69626869707274633d73343a626565660a363a666f726d61743d69313a"
    "310a0600000073796d626f6c11000000617474656e74696f6e5f666f7277617264060000007461726765740600000067"
    "667839343200010203040506070b2a490e1bf8e0bb121f7a2a0bf08e96";

hk::base::Bytes golden_payload() {
  hk::base::Bytes payload;
  for (int i = 0; i < 8; ++i)
    payload.push_back(static_cast<std::byte>(i));
  return payload;
}

hk::base::Bytes golden_bytes() {
  hk::base::Bytes bytes;
  for (std::size_t i = 0; i < k_golden.size(); i += 2)
    bytes.push_back(static_cast<std::byte>(std::stoi(std::string(k_golden.substr(i, 2)), nullptr, 16)));
  return bytes;
}

} // namespace

TEST_SUITE_BEGIN("cache.entry_format_v1");

TEST_CASE("format 1 is written byte for byte as docs/CACHE.md says") {
  const auto bytes = hk::cache::encode_entry(hk::test::sample_key(), hk::test::sample_metadata(), golden_payload());
  CHECK(hk::base::to_hex(hk::base::ByteView(bytes)) == k_golden);
}

TEST_CASE("an entry of format 1 is read") {
  const auto entry = hk::cache::decode_entry_of(hk::test::sample_key(), golden_bytes());
  REQUIRE(entry.has_value());
  CHECK(entry->metadata == hk::test::sample_metadata());
  CHECK(entry->payload == golden_payload());
}

TEST_SUITE_END();
