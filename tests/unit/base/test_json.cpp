#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "base/json.h"

using hk::base::Json;

TEST_SUITE_BEGIN("base.json");

TEST_CASE("members appear in the order in which they were set, on one line") {
  Json list = Json::array();
  list.append("a").append(Json::object().set("n", 1));
  const std::string text = Json::object()
                               .set("status", "SUCCESS")
                               .set("cached", true)
                               .set("compile_ms", 1.5)
                               .set("bytes", std::uint64_t{18446744073709551615U})
                               .set("offset", std::int64_t{-3})
                               .set("list", list)
                               .text();
  CHECK(text == R"({"status":"SUCCESS","cached":true,"compile_ms":1.5,"bytes":18446744073709551615,"offset":-3,)"
                R"("list":["a",{"n":1}]})");
}

TEST_CASE("quotes, line ends and control characters are escaped") {
  CHECK(Json::object().set("log", "a\"b\\c\nd\x01").text() == R"({"log":"a\"b\\c\nd\u0001"})");
}

TEST_CASE("bytes that are not UTF-8 are replaced instead of failing") {
  CHECK(Json::object().set("log", "x\xffy").text() == "{\"log\":\"x\xef\xbf\xbdy\"}");
}

TEST_CASE("numbers that JSON cannot write become null") {
  CHECK(Json::object().set("error", std::nan("")).text() == R"({"error":null})");
  CHECK(Json::object().set("error", std::numeric_limits<double>::infinity()).text() == R"({"error":null})");
}

TEST_CASE("a member set twice keeps its place and the later value") {
  CHECK(Json::object().set("a", 1).set("b", 2).set("a", 3).text() == R"({"a":3,"b":2})");
}

TEST_CASE("a copy is independent") {
  Json first = Json::object();
  first.set("a", 1);
  Json second = first;
  second.set("a", 2);
  CHECK(first.text() == R"({"a":1})");
  CHECK(second.text() == R"({"a":2})");
}

TEST_SUITE_END();
