#include "tune/facts.h"

#include <algorithm>

namespace hk::tune {
namespace {

constexpr std::uint32_t k_simds_per_cu = 4; // of NVIDIA: partitions of a multiprocessor

// What a compute unit hands out to workgroups.
struct ComputeUnit {
  std::uint32_t wave_size;
  std::uint32_t waves_per_simd;
  std::uint32_t vgprs_per_lane; // of a SIMD, all kinds, shared by its waves
  std::uint32_t vgpr_granule;
  std::uint32_t sgprs_per_simd; // 0: no limit of their own
  std::uint64_t small_lds;      // up to this much LDS it is handed out in the smaller pieces
  std::uint64_t small_lds_granule;
  std::uint64_t large_lds_granule;
  std::uint64_t lds_per_workgroup; // that the system takes besides
};
// gfx942; gfx950 has more LDS, and hands it out in larger pieces.
constexpr ComputeUnit k_amd = {64, 8, 512, 8, 800, 65536, 512, 1280, 0};
// Compute capability 8.0 and 9.0; 8.6 and 8.9 have places for 12 waves, which kernels of this library do not fill.
constexpr ComputeUnit k_nvidia = {32, 16, 512, 8, 0, 0, 128, 128, 1024};
constexpr std::uint32_t k_agpr_alignment = 4; // accumulation registers start at a multiple of it
constexpr std::uint32_t k_sgpr_granule = 16;

template <typename Integer>
Integer round_up(Integer value, Integer granule) {
  return (value + granule - 1) / granule * granule;
}

// Why the device cannot run the kernel, or must not.
std::string impossible(const Facts& facts, std::uint64_t lds_limit) {
  // Kernels count their memory instructions to know what has arrived; the traffic of scratch upsets the count.
  if (facts.scratch_bytes != 0 || facts.spilled_vgprs != 0)
    return "needs " + std::to_string(facts.scratch_bytes) + " bytes of scratch and spills " +
           std::to_string(facts.spilled_vgprs) + " vector registers, which counted waits do not allow";
  if (lds_limit != 0 && facts.lds_bytes > lds_limit)
    return "needs " + std::to_string(facts.lds_bytes) + " bytes of LDS; a compute unit has " +
           std::to_string(lds_limit);
  if (facts.workgroups_per_cu == 0)
    return "a workgroup of " + std::to_string(facts.waves_per_workgroup) + " waves with " +
           std::to_string(facts.vgprs + facts.agprs) + " vector registers does not fit into a compute unit";
  return {};
}

} // namespace

Facts facts_of(const codeobj::KernelResources& resources, std::uint32_t workgroup_size, std::uint64_t lds_limit,
               codeobj::Platform platform) {
  const ComputeUnit& unit = platform == codeobj::Platform::amd ? k_amd : k_nvidia;
  Facts facts;
  facts.vgprs = resources.vgprs;
  facts.agprs = resources.agprs;
  facts.sgprs = resources.sgprs;
  facts.lds_bytes = resources.lds_bytes;
  facts.scratch_bytes = resources.scratch_bytes;
  facts.spilled_vgprs = resources.spilled_vgprs;
  facts.waves_per_workgroup = workgroup_size / unit.wave_size + (workgroup_size % unit.wave_size != 0 ? 1 : 0);
  if (facts.waves_per_workgroup == 0)
    return facts;

  const std::uint32_t used = facts.agprs == 0 ? facts.vgprs : round_up(facts.vgprs, k_agpr_alignment) + facts.agprs;
  const std::uint32_t vgprs = std::max(unit.vgpr_granule, round_up(used, unit.vgpr_granule));
  std::uint32_t waves_per_simd = std::min(unit.waves_per_simd, unit.vgprs_per_lane / vgprs);
  if (unit.sgprs_per_simd != 0)
    waves_per_simd =
        std::min(waves_per_simd, unit.sgprs_per_simd / std::max(k_sgpr_granule, round_up(facts.sgprs, k_sgpr_granule)));
  facts.workgroups_per_cu = waves_per_simd * k_simds_per_cu / facts.waves_per_workgroup;
  if (facts.lds_bytes != 0 && lds_limit != 0) {
    const std::uint64_t granule = lds_limit <= unit.small_lds ? unit.small_lds_granule : unit.large_lds_granule;
    const std::uint64_t by_lds =
        (lds_limit + unit.lds_per_workgroup) / (round_up(facts.lds_bytes, granule) + unit.lds_per_workgroup);
    facts.workgroups_per_cu = static_cast<std::uint32_t>(std::min<std::uint64_t>(facts.workgroups_per_cu, by_lds));
  }
  return facts;
}

std::vector<std::string> prune(const std::vector<const Facts*>& candidates, std::uint64_t lds_limit) {
  std::vector<std::string> reasons(candidates.size());
  bool some_fill_a_cu = false;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (candidates[i] == nullptr)
      continue;
    reasons[i] = impossible(*candidates[i], lds_limit);
    some_fill_a_cu = some_fill_a_cu || (reasons[i].empty() && candidates[i]->waves_per_cu() >= k_simds_per_cu);
  }
  // Fewer waves on a compute unit than it has SIMDs leave matrix units idle for the whole launch, whatever the grid:
  // at least a quarter of the peak is lost, and with it nearly all latency hiding. Where others do not have that
  // handicap, such a candidate is dominated. Finer differences of occupancy decide nothing here: measuring does.
  for (std::size_t i = 1; i < candidates.size(); ++i) {
    if (candidates[i] != nullptr && reasons[i].empty() && some_fill_a_cu &&
        candidates[i]->waves_per_cu() < k_simds_per_cu)
      reasons[i] = "only " + std::to_string(candidates[i]->waves_per_cu()) +
                   " waves fit on a compute unit, so that some of its " + std::to_string(k_simds_per_cu) +
                   " SIMDs idle, and other candidates fill it";
  }
  return reasons;
}

} // namespace hk::tune
