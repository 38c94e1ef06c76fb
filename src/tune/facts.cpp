#include "tune/facts.h"

#include <algorithm>

namespace hk::tune {
namespace {

constexpr std::uint32_t k_wave_size = 64;
constexpr std::uint32_t k_simds_per_cu = 4;
constexpr std::uint32_t k_waves_per_simd = 8;
constexpr std::uint32_t k_vgprs_per_lane = 512; // of a SIMD, both kinds, shared by its waves
constexpr std::uint32_t k_vgpr_granule = 8;
constexpr std::uint32_t k_agpr_alignment = 4; // accumulation registers start at a multiple of it
constexpr std::uint32_t k_sgprs_per_simd = 800;
constexpr std::uint32_t k_sgpr_granule = 16;
constexpr std::uint64_t k_small_lds = 65536; // of gfx942; gfx950 has more, and hands it out in larger pieces
constexpr std::uint64_t k_small_lds_granule = 512;
constexpr std::uint64_t k_large_lds_granule = 1280;

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

Facts facts_of(const codeobj::KernelResources& resources, std::uint32_t workgroup_size, std::uint64_t lds_limit) {
  Facts facts;
  facts.vgprs = resources.vgprs;
  facts.agprs = resources.agprs;
  facts.sgprs = resources.sgprs;
  facts.lds_bytes = resources.lds_bytes;
  facts.scratch_bytes = resources.scratch_bytes;
  facts.spilled_vgprs = resources.spilled_vgprs;
  facts.waves_per_workgroup = workgroup_size / k_wave_size + (workgroup_size % k_wave_size != 0 ? 1 : 0);
  if (facts.waves_per_workgroup == 0)
    return facts;

  const std::uint32_t used = facts.agprs == 0 ? facts.vgprs : round_up(facts.vgprs, k_agpr_alignment) + facts.agprs;
  const std::uint32_t vgprs = std::max(k_vgpr_granule, round_up(used, k_vgpr_granule));
  const std::uint32_t sgprs = std::max(k_sgpr_granule, round_up(facts.sgprs, k_sgpr_granule));
  const std::uint32_t waves_per_simd = std::min({k_waves_per_simd, k_vgprs_per_lane / vgprs, k_sgprs_per_simd / sgprs});
  facts.workgroups_per_cu = waves_per_simd * k_simds_per_cu / facts.waves_per_workgroup;
  if (facts.lds_bytes != 0 && lds_limit != 0) {
    const std::uint64_t granule = lds_limit <= k_small_lds ? k_small_lds_granule : k_large_lds_granule;
    const std::uint64_t by_lds = lds_limit / round_up(facts.lds_bytes, granule);
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
