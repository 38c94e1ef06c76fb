#include <doctest/doctest.h>

#include <cstring>

#include "api/struct_version.h"

TEST_SUITE_BEGIN("api");

namespace {

struct Sample {
  std::uint32_t struct_size;
  std::uint32_t first;
  std::uint64_t second; // appended later
};

constexpr std::size_t k_first_size = 8;

struct NewerSample {
  Sample known;
  std::uint64_t third;
};

} // namespace

TEST_CASE("api.struct_version: an older structure is completed with zeros") {
  const Sample given{8, 5, 99}; // 99 lies behind struct_size and must not be read
  Sample known{};
  CHECK(hk::api::copy_struct("sample", &given, k_first_size, known).ok());
  CHECK(known.first == 5);
  CHECK(known.second == 0);
}

TEST_CASE("api.struct_version: null and too small are refused by name") {
  Sample known{};
  const hk::Status null = hk::api::copy_struct<Sample>("sample", nullptr, k_first_size, known);
  CHECK(null.code == hk::StatusCode::invalid_argument);
  CHECK(null.message.find("sample") != std::string::npos);
  for (const std::uint32_t size : {0U, 1U, 7U}) {
    const Sample given{size, 0, 0};
    const hk::Status status = hk::api::copy_struct("sample", &given, k_first_size, known);
    CHECK(status.code == hk::StatusCode::invalid_argument);
    CHECK(status.message.find("sample.struct_size is " + std::to_string(size)) != std::string::npos);
  }
}

TEST_CASE("api.struct_version: a newer structure passes while its tail is zero") {
  NewerSample given{{sizeof(NewerSample), 1, 2}, 0};
  Sample known{};
  CHECK(hk::api::copy_struct("sample", &given.known, k_first_size, known).ok());
  CHECK(known.second == 2);
  reinterpret_cast<unsigned char*>(&given)[sizeof(NewerSample) - 1] = 1;
  CHECK(hk::api::copy_struct("sample", &given.known, k_first_size, known).code == hk::StatusCode::unsupported_version);
}

TEST_CASE("api.struct_version: a size that no structure has is refused without reading that far") {
  const Sample given{0xffffffffU, 0, 0};
  Sample known{};
  const hk::Status status = hk::api::copy_struct("sample", &given, k_first_size, known);
  CHECK(status.code == hk::StatusCode::invalid_argument);
  CHECK(status.message.find("sample.struct_size is 4294967295") != std::string::npos);
}

TEST_SUITE_END();
