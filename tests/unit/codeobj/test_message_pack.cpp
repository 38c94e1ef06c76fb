#include "codeobj/message_pack.h"

#include "fixture.h"

using namespace hk;
using namespace hk::codeobj;
using namespace std::string_literals;

TEST_SUITE_BEGIN("message_pack");

namespace {

Result<MessagePackValue> parse(const std::string& bytes) {
  return parse_message_pack(bytes_of(bytes));
}

} // namespace

// Expected values follow from the tables of the MessagePack specification.
TEST_CASE("Unsigned integers of every width") {
  CHECK(*parse("\x00"s)->number() == 0);
  CHECK(*parse("\x7f"s)->number() == 127);
  CHECK(*parse("\xcc\x80"s)->number() == 128);
  CHECK(*parse("\xcd\x01\x00"s)->number() == 256);
  CHECK(*parse("\xce\x00\x01\x00\x00"s)->number() == 65536);
  CHECK(*parse("\xcf\x80\x00\x00\x00\x00\x00\x00\x01"s)->number() == 0x8000000000000001);
}

TEST_CASE("Signed integers come out unsigned unless negative") {
  CHECK(*parse("\xd0\x05"s)->number() == 5);
  CHECK(*parse("\xd1\x01\x00"s)->number() == 256);
  CHECK(std::get<std::int64_t>(parse("\xff"s)->data) == -1);
  CHECK(std::get<std::int64_t>(parse("\xe0"s)->data) == -32);
  CHECK(std::get<std::int64_t>(parse("\xd0\x80"s)->data) == -128);
  CHECK(std::get<std::int64_t>(parse("\xd1\xff\xfe"s)->data) == -2);
  CHECK(std::get<std::int64_t>(parse("\xd2\xff\xff\xff\xfd"s)->data) == -3);
  CHECK(std::get<std::int64_t>(parse("\xd3\xff\xff\xff\xff\xff\xff\xff\xfc"s)->data) == -4);
}

TEST_CASE("nil, booleans and floats") {
  CHECK(std::holds_alternative<std::monostate>(parse("\xc0"s)->data));
  CHECK(*parse("\xc2"s)->boolean() == false);
  CHECK(*parse("\xc3"s)->boolean() == true);
  CHECK(std::get<double>(parse("\xca\x3f\xc0\x00\x00"s)->data) == 1.5);
  CHECK(std::get<double>(parse("\xcb\xc0\x04\x00\x00\x00\x00\x00\x00"s)->data) == -2.5);
}

TEST_CASE("Texts of every width") {
  CHECK(*parse("\xa0"s)->text() == "");
  CHECK(*parse("\xa3"
               "abc"s)
             ->text() == "abc");
  CHECK(*parse("\xd9\x02"
               "ab"s)
             ->text() == "ab");
  CHECK(*parse("\xda\x00\x02"
               "ab"s)
             ->text() == "ab");
  CHECK(*parse("\xdb\x00\x00\x00\x02"
               "ab"s)
             ->text() == "ab");
  CHECK(*parse("\xc4\x02"
               "ab"s)
             ->text() == "ab");
}

TEST_CASE("Arrays and maps of every width") {
  for (const std::string& bytes : {"\x92\x01\x02"s, "\xdc\x00\x02\x01\x02"s, "\xdd\x00\x00\x00\x02\x01\x02"s}) {
    const auto value = parse(bytes);
    REQUIRE(value.has_value());
    REQUIRE(value->array().size() == 2);
    CHECK(*value->array()[1].number() == 2);
  }
  for (const std::string& bytes : {"\x81\xa1k\x05"s, "\xde\x00\x01\xa1k\x05"s, "\xdf\x00\x00\x00\x01\xa1k\x05"s}) {
    const auto value = parse(bytes);
    REQUIRE(value.has_value());
    REQUIRE(value->find("k") != nullptr);
    CHECK(*value->find("k")->number() == 5);
    CHECK(value->find("j") == nullptr);
    CHECK(value->array().empty());
  }
}

TEST_CASE("Extensions are skipped") {
  CHECK(parse("\x92\xd4\x01\xaa\x07"s)->array()[1].number() != nullptr);
  CHECK(parse("\x92\xd8\x01"s + std::string(16, 'x') + "\x07"s)->array()[1].number() != nullptr);
  CHECK(parse("\x92\xc7\x02\x01xy\x07"s)->array()[1].number() != nullptr);
}

TEST_CASE("Truncated, over-long and trailing input is refused") {
  for (const std::string& bytes :
       {""s, "\xcd\x01"s,
        "\xa3"
        "ab"s,
        "\xdb\xff\xff\xff\xff"s, "\x92\x01"s, "\xdd\xff\xff\xff\xff"s, "\xdf\xff\xff\xff\xff\x01\x01"s, "\x81\xa1k"s,
        "\xc1"s, "\x01\x02"s, "\xc9\xff\xff\xff\xff\x01"s, "\xd8\x01"s}) {
    const auto value = parse(bytes);
    REQUIRE_FALSE(value.has_value());
    CHECK(value.error().code == StatusCode::load_failed);
  }
}

TEST_CASE("Nesting is bounded") {
  CHECK(parse(std::string(32, '\x91') + "\x01"s).has_value());
  CHECK_FALSE(parse(std::string(33, '\x91') + "\x01"s).has_value());
  CHECK_FALSE(parse(std::string(100000, '\x91')).has_value());
}

TEST_SUITE_END();
