#include <doctest/doctest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "service/kernel_table.h"

TEST_SUITE_BEGIN("service");

using hk::service::KernelIdentity;
using hk::service::KernelTable;
using hk::service::ServedKernel;

namespace {

KernelIdentity identity(std::uint64_t number) {
  return {{1, number, number * 3, 0}};
}

ServedKernel named(std::uint64_t number) {
  ServedKernel kernel;
  kernel.symbol = std::to_string(number);
  return kernel;
}

} // namespace

TEST_CASE("service.kernel_table: finds what was inserted and nothing else, through several generations") {
  KernelTable table;
  constexpr std::uint64_t k_count = 1000;
  std::vector<const ServedKernel*> inserted;
  for (std::uint64_t i = 0; i < k_count; ++i) {
    CHECK(table.find(identity(i)) == nullptr);
    inserted.push_back(table.insert(identity(i), named(i)));
  }
  CHECK(table.size() == k_count);
  for (std::uint64_t i = 0; i < k_count; ++i) {
    REQUIRE(table.find(identity(i)) == inserted[i]); // also: addresses never move
    CHECK(table.find(identity(i))->symbol == std::to_string(i));
  }
  CHECK(table.find(identity(k_count)) == nullptr);
}

TEST_CASE("service.kernel_table: the first kernel of an identity stays") {
  KernelTable table;
  const ServedKernel* first = table.insert(identity(1), named(1));
  CHECK(table.insert(identity(1), named(2)) == first);
  CHECK(first->symbol == "1");
  CHECK(table.size() == 1);
}

TEST_CASE("service.kernel_table: identities that differ in one word are different") {
  KernelTable table;
  for (std::size_t word = 0; word < 4; ++word) {
    KernelIdentity changed;
    changed.words[word] = 1;
    table.insert(changed, named(word));
  }
  CHECK(table.size() == 4);
  for (std::size_t word = 0; word < 4; ++word) {
    KernelIdentity changed;
    changed.words[word] = 1;
    REQUIRE(table.find(changed) != nullptr);
    CHECK(table.find(changed)->symbol == std::to_string(word));
  }
}

TEST_CASE("service.kernel_table: readers see whole kernels while a writer inserts") {
  KernelTable table;
  constexpr std::uint64_t k_count = 3000;
  std::atomic<std::uint64_t> inserted{0};
  std::atomic<std::uint64_t> wrong{0};
  std::vector<std::thread> readers;
  for (int reader = 0; reader < 3; ++reader)
    readers.emplace_back([&] {
      while (inserted < k_count) {
        const std::uint64_t known = inserted;
        for (std::uint64_t i = 0; i < known; i += 37) {
          const ServedKernel* kernel = table.find(identity(i));
          if (kernel == nullptr || kernel->symbol != std::to_string(i))
            ++wrong;
        }
      }
    });
  for (std::uint64_t i = 0; i < k_count; ++i) {
    table.insert(identity(i), named(i));
    ++inserted;
  }
  for (std::thread& reader : readers)
    reader.join();
  CHECK(wrong == 0);
}

TEST_SUITE_END();
