// Occupancy by hand, for the CU of gfx942 and gfx950: 4 SIMDs of 8 waves, 512 vector registers a lane in granules of 8,
// 800 scalar registers in granules of 16; LDS of 64 KiB in granules of 512 bytes, or of 160 KiB in granules of 1280.
#include "tune/facts.h"

#include <doctest/doctest.h>

using namespace hk::tune;
using hk::codeobj::KernelResources;

namespace {

constexpr std::uint64_t k_lds_gfx942 = 65536;
constexpr std::uint64_t k_lds_gfx950 = 163840;

KernelResources resources(std::uint32_t vgprs, std::uint32_t agprs, std::uint32_t sgprs, std::uint64_t lds) {
  KernelResources resources;
  resources.vgprs = vgprs;
  resources.agprs = agprs;
  resources.sgprs = sgprs;
  resources.lds_bytes = lds;
  return resources;
}

Facts usable() {
  return facts_of(resources(128, 0, 64, 16384), 256, k_lds_gfx942);
}

bool mentions(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("tune.facts: a multiprocessor's registers, places and shared memory bound its blocks") {
  constexpr std::uint64_t k_shared = 232448; // of a block on an H200; the multiprocessor has 1 KiB more
  const auto blocks = [](std::uint32_t registers, std::uint64_t shared, std::uint32_t threads) {
    return facts_of(resources(registers, 0, 0, shared), threads, k_shared, hk::codeobj::Platform::nvidia);
  };
  CHECK(blocks(255, 0, 128).waves_per_workgroup == 4);
  CHECK(blocks(255, 0, 128).workgroups_per_cu == 2); // 65536 registers / (256 * 128)
  CHECK(blocks(128, 0, 128).workgroups_per_cu == 4);
  CHECK(blocks(32, 0, 128).workgroups_per_cu == 16); // 64 waves
  CHECK(blocks(32, 232448, 128).workgroups_per_cu == 1);
  CHECK(blocks(32, 115712, 128).workgroups_per_cu == 2); // 113 KiB and the system's 1 KiB, twice
  CHECK(blocks(32, 115840, 128).workgroups_per_cu == 1);
}

TEST_CASE("Vector registers limit the waves of a SIMD") {
  CHECK(facts_of(resources(64, 0, 32, 0), 64, k_lds_gfx942).workgroups_per_cu == 32); // 8 waves a SIMD
  CHECK(facts_of(resources(65, 0, 32, 0), 64, k_lds_gfx942).workgroups_per_cu == 28); // 72 registers: 7 waves
  CHECK(facts_of(resources(129, 0, 32, 0), 256, k_lds_gfx942).workgroups_per_cu == 3);
  CHECK(facts_of(resources(256, 256, 32, 0), 256, k_lds_gfx942).workgroups_per_cu == 1);
  CHECK(facts_of(resources(256, 256, 32, 0), 512, k_lds_gfx942).workgroups_per_cu == 0); // 8 waves, 4 places
  // 126 start accumulators at 128: 130 in all, 136 allocated, 3 waves.
  CHECK(facts_of(resources(126, 2, 32, 0), 64, k_lds_gfx942).workgroups_per_cu == 12);
}

TEST_CASE("Scalar registers limit too: 112 of 800 leave 7 waves") {
  CHECK(facts_of(resources(32, 0, 96, 0), 64, k_lds_gfx942).workgroups_per_cu == 32);
  CHECK(facts_of(resources(32, 0, 106, 0), 64, k_lds_gfx942).workgroups_per_cu == 28);
}

TEST_CASE("LDS limits the workgroups, in granules") {
  CHECK(facts_of(resources(32, 0, 32, 32768), 256, k_lds_gfx942).workgroups_per_cu == 2);
  CHECK(facts_of(resources(32, 0, 32, 32769), 256, k_lds_gfx942).workgroups_per_cu == 1);
  CHECK(facts_of(resources(32, 0, 32, 65537), 256, k_lds_gfx942).workgroups_per_cu == 0);
  CHECK(facts_of(resources(32, 0, 32, 65537), 256, k_lds_gfx950).workgroups_per_cu == 2);
  CHECK(facts_of(resources(32, 0, 32, 54600), 256, k_lds_gfx950).workgroups_per_cu == 2); // 55040 allocated
  CHECK(facts_of(resources(32, 0, 32, 65537), 256, 0).workgroups_per_cu == 8);            // limit not known
}

TEST_CASE("A workgroup that does not fill its last wave takes a whole one; an empty one cannot run") {
  CHECK(facts_of(resources(32, 0, 32, 0), 65, k_lds_gfx942).waves_per_workgroup == 2);
  CHECK(facts_of(resources(32, 0, 32, 0), 0, k_lds_gfx942).workgroups_per_cu == 0);
}

TEST_CASE("What cannot run is pruned, the default too, with the reason") {
  Facts spilled = usable();
  spilled.scratch_bytes = 24;
  Facts large = usable();
  large.lds_bytes = 70000;
  Facts never = usable();
  never.workgroups_per_cu = 0;
  const Facts fine = usable();
  const auto reasons = prune({&spilled, &large, &never, &fine, nullptr}, k_lds_gfx942);
  CHECK(mentions(reasons[0], "24 bytes of scratch"));
  CHECK(mentions(reasons[1], "70000 bytes of LDS"));
  CHECK(mentions(reasons[2], "does not fit into a compute unit"));
  CHECK(reasons[3].empty());
  CHECK(reasons[4].empty());
}

TEST_CASE("Idle SIMDs are pruned where others fill the compute unit, but never the default") {
  Facts idle = usable(); // one wave, one workgroup
  idle.waves_per_workgroup = 1;
  idle.workgroups_per_cu = 3;
  const Facts fine = usable();
  auto reasons = prune({&idle, &idle, &fine}, k_lds_gfx942);
  CHECK(reasons[0].empty());
  CHECK(mentions(reasons[1], "3 waves"));
  CHECK(reasons[2].empty());
  reasons = prune({&idle, &idle}, k_lds_gfx942); // nobody fills it: the handicap is everybody's
  CHECK(reasons[1].empty());
}
