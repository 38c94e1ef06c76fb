// Compiled once per instruction set of the host; the host's is chosen when the program starts.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sim/machine/lane_vectors.cpp"
#include "sim/machine/host_vectors.h"
#include <hwy/foreach_target.h> // IWYU pragma: keep

#include "sim/machine/lane_vectors.h"
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace hk::sim {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Words = hn::CappedTag<std::uint32_t, 16>;
using Quad = hn::FixedTag<std::uint32_t, 4>;
constexpr std::size_t k_all = std::size_t(k_wave_size);

HWY_INLINE auto mask_of(std::uint64_t mask, std::size_t lane) {
  const std::uint64_t bits = mask >> lane;
  std::uint8_t bytes[8];
  __builtin_memcpy(bytes, &bits, sizeof bytes);
  return hn::LoadMaskBits(Words(), bytes);
}

HWY_ATTR void store(std::uint32_t* target, const std::uint32_t* words, std::uint64_t mask) {
  const Words d;
  const std::size_t step = hn::Lanes(d);
  if (mask == ~std::uint64_t{0}) {
    for (std::size_t lane = 0; lane < k_all; lane += step)
      hn::StoreU(hn::LoadU(d, words + lane), d, target + lane);
    return;
  }
  for (std::size_t lane = 0; lane < k_all; lane += step)
    hn::StoreU(hn::IfThenElse(mask_of(mask, lane), hn::LoadU(d, words + lane), hn::LoadU(d, target + lane)), d,
               target + lane);
}

HWY_ATTR void expand(std::uint64_t mask, std::uint32_t* lanes) {
  const Words d;
  for (std::size_t lane = 0; lane < k_all; lane += hn::Lanes(d))
    hn::StoreU(hn::IfThenElseZero(mask_of(mask, lane), hn::Set(d, 1U)), d, lanes + lane);
}

HWY_ATTR std::uint64_t pack(const std::uint32_t* lanes) {
  const Words d;
  std::uint64_t mask = 0;
  for (std::size_t lane = 0; lane < k_all; lane += hn::Lanes(d)) {
    std::uint8_t bytes[8] = {};
    hn::StoreMaskBits(d, hn::Ne(hn::LoadU(d, lanes + lane), hn::Zero(d)), bytes);
    std::uint64_t bits = 0;
    __builtin_memcpy(&bits, bytes, sizeof bits);
    mask |= bits << lane;
  }
  return mask;
}

HWY_ATTR std::uint32_t offset(const std::uint32_t* base, std::uint32_t added, std::uint64_t mask,
                              std::uint64_t* addresses) {
  const Words d;
  const hn::Repartition<std::uint64_t, Words> wide;
  const std::size_t step = hn::Lanes(d);
  auto largest = hn::Zero(d);
  for (std::size_t lane = 0; lane < k_all; lane += step) {
    const auto address = hn::Add(hn::LoadU(d, base + lane), hn::Set(d, added));
    largest = hn::Max(largest, hn::IfThenElseZero(mask_of(mask, lane), address));
    hn::StoreU(hn::PromoteLowerTo(wide, address), wide, addresses + lane);
    hn::StoreU(hn::PromoteUpperTo(wide, address), wide, addresses + lane + step / 2);
  }
  return hn::ReduceMax(d, largest);
}

HWY_ATTR AddressBounds bounds(const std::uint64_t* addresses) {
  const hn::CappedTag<std::uint64_t, 8> d;
  auto least = hn::LoadU(d, addresses);
  auto largest = least;
  for (std::size_t lane = hn::Lanes(d); lane < k_all; lane += hn::Lanes(d)) {
    const auto address = hn::LoadU(d, addresses + lane);
    least = hn::Min(least, address);
    largest = hn::Max(largest, address);
  }
  return {hn::ReduceMin(d, least), hn::ReduceMax(d, largest)};
}

// A 4 x 4 block of dwords, transposed.
HWY_INLINE void transpose(hn::Vec<Quad>& a, hn::Vec<Quad>& b, hn::Vec<Quad>& c, hn::Vec<Quad>& d) {
  const Quad tag;
  const hn::Repartition<std::uint64_t, Quad> pairs;
  const auto ab_low = hn::BitCast(pairs, hn::InterleaveLower(tag, a, b));
  const auto ab_high = hn::BitCast(pairs, hn::InterleaveUpper(tag, a, b));
  const auto cd_low = hn::BitCast(pairs, hn::InterleaveLower(tag, c, d));
  const auto cd_high = hn::BitCast(pairs, hn::InterleaveUpper(tag, c, d));
  a = hn::BitCast(tag, hn::InterleaveLower(pairs, ab_low, cd_low));
  b = hn::BitCast(tag, hn::InterleaveUpper(pairs, ab_low, cd_low));
  c = hn::BitCast(tag, hn::InterleaveLower(pairs, ab_high, cd_high));
  d = hn::BitCast(tag, hn::InterleaveUpper(pairs, ab_high, cd_high));
}

HWY_INLINE hn::Vec<Quad> load_quad(const std::byte* bytes) {
  const hn::FixedTag<std::uint8_t, 16> tag;
  return hn::BitCast(Quad(), hn::LoadU(tag, reinterpret_cast<const std::uint8_t*>(bytes)));
}

HWY_ATTR void load_four(const std::byte* bytes, std::uint64_t origin, const std::uint64_t* addresses,
                        std::uint32_t (*rows)[k_wave_size]) {
  const Quad tag;
  for (std::size_t lane = 0; lane < k_all; lane += 4) {
    auto a = load_quad(bytes + (addresses[lane] - origin));
    auto b = load_quad(bytes + (addresses[lane + 1] - origin));
    auto c = load_quad(bytes + (addresses[lane + 2] - origin));
    auto d = load_quad(bytes + (addresses[lane + 3] - origin));
    transpose(a, b, c, d);
    hn::StoreU(a, tag, rows[0] + lane);
    hn::StoreU(b, tag, rows[1] + lane);
    hn::StoreU(c, tag, rows[2] + lane);
    hn::StoreU(d, tag, rows[3] + lane);
  }
}

HWY_ATTR void gather_four(const std::uint32_t (*rows)[k_wave_size], std::uint32_t* lanes) {
  const Quad tag;
  for (std::size_t lane = 0; lane < k_all; lane += 4) {
    auto a = hn::LoadU(tag, rows[0] + lane);
    auto b = hn::LoadU(tag, rows[1] + lane);
    auto c = hn::LoadU(tag, rows[2] + lane);
    auto d = hn::LoadU(tag, rows[3] + lane);
    transpose(a, b, c, d);
    hn::StoreU(a, tag, lanes + 4 * lane);
    hn::StoreU(b, tag, lanes + 4 * lane + 4);
    hn::StoreU(c, tag, lanes + 4 * lane + 8);
    hn::StoreU(d, tag, lanes + 4 * lane + 12);
  }
}

} // namespace HWY_NAMESPACE
} // namespace hk::sim
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hk::sim {

void store_lanes(std::uint32_t* target, const std::uint32_t* words, std::uint64_t mask) {
  static const auto function = HK_SIM_HOST_FUNCTION(store);
  function(target, words, mask);
}

void expand_lane_mask(std::uint64_t mask, std::uint32_t* lanes) {
  static const auto function = HK_SIM_HOST_FUNCTION(expand);
  function(mask, lanes);
}

std::uint64_t pack_lane_mask(const std::uint32_t* lanes) {
  static const auto function = HK_SIM_HOST_FUNCTION(pack);
  return function(lanes);
}

std::uint32_t offset_addresses(const std::uint32_t* base, std::uint32_t offset_bytes, std::uint64_t mask,
                               std::uint64_t* addresses) {
  static const auto function = HK_SIM_HOST_FUNCTION(offset);
  return function(base, offset_bytes, mask, addresses);
}

AddressBounds bounds_of(const std::uint64_t* addresses) {
  static const auto function = HK_SIM_HOST_FUNCTION(bounds);
  return function(addresses);
}

void load_four_dwords(const std::byte* bytes, std::uint64_t origin, const std::uint64_t* addresses,
                      std::uint32_t (*rows)[k_wave_size]) {
  static const auto function = HK_SIM_HOST_FUNCTION(load_four);
  function(bytes, origin, addresses, rows);
}

void gather_four_dwords(const std::uint32_t (*rows)[k_wave_size], std::uint32_t* lanes) {
  static const auto function = HK_SIM_HOST_FUNCTION(gather_four);
  function(rows, lanes);
}

} // namespace hk::sim
#endif
