// AddressSpace and ProcessMemory, below the C API: gaps, reports, history, readers beside writers.

#include <atomic>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "sim/hip/hip_check.h"
#include "sim/memory/address_report.h"
#include "sim/memory/device_memory.h"
#include "sim/memory/process_memory.h"

using namespace hk;
using namespace hk::sim;
using hk::sim::testing::contains;

TEST_SUITE_BEGIN("sim_hip");

namespace {

constexpr std::uint64_t k_capacity = std::uint64_t{1} << 30;

std::unique_ptr<ProcessMemory> two_devices() {
  Result<std::unique_ptr<ProcessMemory>> memory =
      ProcessMemory::create({k_capacity, k_capacity}, {"device 0 (one)", "device 1 (two)"});
  REQUIRE(memory.has_value());
  return std::move(*memory);
}

Allocation allocate(AddressSpace& space, std::uint64_t size) {
  AllocationRequest request;
  request.size = size;
  const Result<Allocation> allocation = space.allocate(std::move(request));
  REQUIRE(allocation.has_value());
  return *allocation;
}

} // namespace

TEST_CASE("Device allocations are aligned to 256 bytes and never to a page") {
  const std::unique_ptr<ProcessMemory> memory = two_devices();
  for (int i = 0; i < 64; ++i) {
    const Allocation allocation = allocate(memory->device(0), 1 + static_cast<std::uint64_t>(i) * 777);
    CHECK(allocation.begin % 256 == 0);
    CHECK(allocation.begin % 4096 != 0);
  }
}

TEST_CASE("Between two allocations lie at least 64 KiB that belong to nobody") {
  const std::unique_ptr<ProcessMemory> memory = two_devices();
  const AddressSpace& space = memory->device(0);
  const Allocation first = allocate(memory->device(0), 100'000);
  const Allocation second = allocate(memory->device(0), 10);
  const std::uint64_t low = std::min(first.end(), second.end());
  const std::uint64_t high = std::max(first.begin, second.begin);
  CHECK(high - low >= 65536);
  for (const std::uint64_t address : {low, low + 1, low + 30'000, high - 1})
    CHECK(space.find(address).begin == space.find(address).end);
  CHECK(space.find(first.begin).begin == first.begin);
  CHECK(space.find(first.end() - 1).end == first.end());
  CHECK_FALSE(space.find(first.end() - 1).contains(first.end() - 1, 2));
}

TEST_CASE("A report names the nearest allocation, its size, its number and the distance") {
  const std::unique_ptr<ProcessMemory> memory = two_devices();
  const Allocation allocation = allocate(memory->device(0), 4096);
  const std::string begin = address_text(allocation.begin);
  CHECK(report_address(*memory, allocation.end() + 16, 4) == "4 bytes at " + address_text(allocation.end() + 16) +
                                                                 " are 16 bytes past the end of allocation " + begin +
                                                                 " of 4096 bytes (hipMalloc #1) of device 0 (one)");
  CHECK(report_address(*memory, allocation.end(), 1) == "1 byte at " + address_text(allocation.end()) +
                                                            " start right behind the end of allocation " + begin +
                                                            " of 4096 bytes (hipMalloc #1) of device 0 (one)");
  CHECK(contains(report_address(*memory, allocation.end() - 4, 16),
                 "start inside allocation " + begin + " of 4096 bytes (hipMalloc #1) and run 12 bytes past its end"));
  CHECK(contains(report_address(*memory, allocation.begin - 8, 8),
                 "are 8 bytes before allocation " + begin + " of 4096 bytes (hipMalloc #1)"));
  CHECK(contains(report_address(*memory, 24, 8), "null pointer"));
  int local = 0;
  CHECK(contains(report_address(*memory, reinterpret_cast<std::uint64_t>(&local), 4), "no device memory"));
}

TEST_CASE("Freed memory is remembered and its addresses are not handed out again soon") {
  const std::unique_ptr<ProcessMemory> memory = two_devices();
  AddressSpace& space = memory->device(0);
  const Allocation old = allocate(space, 1000);
  old.host[0] = std::byte{7};
  REQUIRE(space.free(old.begin).ok());
  CHECK(space.find(old.begin).begin == 0);
  for (int i = 0; i < 100; ++i) {
    const Allocation other = allocate(space, 1000);
    CHECK((other.begin >= old.end() || other.end() <= old.begin));
    REQUIRE(space.free(other.begin).ok());
  }
  CHECK(contains(report_address(*memory, old.begin + 64, 4),
                 "lie 64 bytes into freed allocation " + address_text(old.begin) + " of 1000 bytes (hipMalloc #1)"));
  const Status twice = space.free(old.begin);
  CHECK(twice.code == StatusCode::invalid_argument);
  CHECK(contains(twice.message, "was freed before"));
  CHECK(space.bytes_in_use() == 0);
}

TEST_CASE("Memory is zero at first, also where freed memory comes back") {
  Result<std::unique_ptr<AddressSpace>> made =
      AddressSpace::create(k_smallest_reservation, HostAccess::none, k_smallest_reservation, "small");
  REQUIRE(made.has_value());
  AddressSpace& space = **made;
  bool came_back = false;
  std::uint64_t first_address = 0;
  for (int i = 0; i < 20; ++i) { // 20 x 8 MiB in 64 MiB: the search starts anew at the bottom
    const Allocation allocation = allocate(space, 8 << 20);
    if (i == 0)
      first_address = allocation.begin;
    else
      came_back = came_back || (allocation.begin >> 20) == (first_address >> 20);
    CHECK(allocation.host[0] == std::byte{0});
    CHECK(allocation.host[allocation.size - 1] == std::byte{0});
    allocation.host[0] = allocation.host[allocation.size - 1] = std::byte{1};
    REQUIRE(space.free(allocation.begin).ok());
  }
  CHECK(came_back);
}

TEST_CASE("Capacity and address space are limits of their own") {
  Result<std::unique_ptr<AddressSpace>> made =
      AddressSpace::create(k_smallest_reservation, HostAccess::none, 2 * k_smallest_reservation, "small");
  REQUIRE(made.has_value());
  AllocationRequest request;
  request.size = 2 * k_smallest_reservation + 1;
  Result<Allocation> refused = (*made)->allocate(request);
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().code == StatusCode::out_of_memory);
  CHECK(contains(refused.error().message, "too few for 134217729 bytes"));
  request.size = 2 * k_smallest_reservation;
  refused = (*made)->allocate(request);
  REQUIRE_FALSE(refused.has_value());
  CHECK(contains(refused.error().message, "address space"));
}

TEST_CASE("Parts of an allocation have rights of their own, and nobody owns what lies between them") {
  const std::unique_ptr<ProcessMemory> memory = two_devices();
  AllocationRequest request;
  request.size = 0x3000;
  request.kind = AllocationKind::code_object;
  request.parts = {{0, 0x600, true, false}, {0x1700, 0x1b80, true, true}, {0x2b80, 0x3000, false, false}};
  const Result<Allocation> image = memory->device(0).allocate(std::move(request));
  REQUIRE(image.has_value());
  const MappedRange code = memory->find(image->begin + 0x1800);
  CHECK(code.begin == image->begin + 0x1700);
  CHECK(code.end == image->begin + 0x1b80);
  CHECK(code.read_only);
  CHECK(code.host == image->host + 0x1700);
  CHECK_FALSE(memory->find(image->begin + 0x2b80).read_only);
  CHECK(memory->find(image->begin + 0x600).begin == 0);
  CHECK(memory->device(0).part_of(image->begin + 0x1700)->executable);
}

TEST_CASE("A device sees its peers' memory only after access was enabled") {
  const std::unique_ptr<ProcessMemory> memory = two_devices();
  DeviceMemory first(*memory, 0);
  const Allocation allocation = allocate(memory->device(1), 64);
  CHECK(first.find(allocation.begin).begin == 0);
  CHECK(contains(first.describe(allocation.begin, 4), "has no peer access"));
  CHECK(first.enable_peer(1));
  CHECK_FALSE(first.enable_peer(1));
  CHECK(first.find(allocation.begin).begin == allocation.begin);
  CHECK(first.disable_peer(1));
  CHECK(first.find(allocation.begin).begin == 0);
}

TEST_CASE("Readers find what is live while others allocate and free") {
  const std::unique_ptr<ProcessMemory> memory = two_devices();
  AddressSpace& space = memory->device(0);
  const Allocation kept = allocate(space, 5000);
  std::atomic<bool> stop{false};
  std::atomic<int> wrong{0};
  std::thread reader([&] {
    std::mt19937_64 random(1);
    while (!stop.load()) {
      const MappedRange found = space.find(kept.begin + random() % 5000);
      if (found.begin != kept.begin || found.end != kept.end())
        ++wrong;
      // Around the churn: whatever is found must contain what was asked for.
      const std::uint64_t address = kept.begin + random() % (1 << 22);
      const MappedRange other = space.find(address);
      if (other.begin != other.end && !other.contains(address, 1))
        ++wrong;
    }
  });
  std::mt19937_64 random(2);
  for (int i = 0; i < 20'000; ++i) {
    const Allocation allocation = allocate(space, 1 + random() % 200'000);
    REQUIRE(space.free(allocation.begin).ok());
  }
  stop.store(true);
  reader.join();
  CHECK(wrong.load() == 0);
}

TEST_SUITE_END();
