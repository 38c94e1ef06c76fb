#pragma once
// Completions of GLOBAL, SCRATCH and FLAT accesses, and the parts that buffers share with them.
//
// Workgroups run on several host threads. Accesses with a scope bit (sc0, sc1) are what kernels synchronise with; they
// are atomic dword by dword, loads acquire and stores release. Others are plain copies, as unordered as on hardware.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "sim/instructions/lds/access/element_format.h"
#include "sim/instructions/lds/access/lanes.h"
#include "sim/instructions/vector_memory/access/lane_memory.h"

namespace hk::sim {

inline bool is_dword_aligned(const std::byte* bytes) {
  return reinterpret_cast<std::uintptr_t>(bytes) % alignof(std::uint32_t) == 0;
}

inline bool is_scoped(const Instruction& instruction) {
  return instruction.modifiers.sc0 || instruction.modifiers.sc1;
}

template <ElementFormat Format>
void load_dwords(const std::byte* source, bool scoped, std::uint32_t* dwords) {
  if (Format.bytes >= 4 && scoped && is_dword_aligned(source)) {
    for (int i = 0; i < Format.registers(); ++i) {
      auto* dword = reinterpret_cast<std::uint32_t*>(const_cast<std::byte*>(source)) + i;
      dwords[i] = std::atomic_ref<std::uint32_t>(*dword).load(std::memory_order_acquire);
    }
    return;
  }
  for (int i = 0; i < Format.registers(); ++i)
    dwords[i] = load_element<Format>(source, i);
}

template <ElementFormat Format>
void store_dwords(std::byte* target, bool scoped, const std::uint32_t* dwords) {
  if (Format.bytes >= 4 && scoped && is_dword_aligned(target)) {
    for (int i = 0; i < Format.registers(); ++i)
      std::atomic_ref<std::uint32_t>(*(reinterpret_cast<std::uint32_t*>(target) + i))
          .store(dwords[i], std::memory_order_release);
    return;
  }
  store_element<Format>(target, dwords);
}

template <ElementFormat Format>
void complete_load(Wave& wave, const PendingAccess& access) {
  const bool scoped = is_scoped(*access.instruction);
  auto* target = &wave.vector[access.instruction->operands[0].index];
  if (!scoped) {
    const MappedRange range = range_of_all_lanes(wave, access, Format.bytes, false);
    if (range.host != nullptr)
      return load_lanes<Format>(range.host, range.begin, access.addresses.data(), target);
  }
  LaneMemory memory(wave);
  for_each_lane(access.exec, [&](int lane) {
    const std::byte* source = memory.generic(access.addresses[lane], Format.bytes, false);
    if (source == nullptr) { // freed since the issue
      raise_inaccessible(wave, access, lane, access.addresses[lane], Format.bytes, false);
      return;
    }
    std::uint32_t dwords[4];
    load_dwords<Format>(source, scoped, dwords);
    for (int i = 0; i < Format.registers(); ++i)
      target[i][lane] = dwords[i];
  });
}

template <ElementFormat Format>
void complete_store(Wave& wave, const PendingAccess& access) {
  const bool scoped = is_scoped(*access.instruction);
  if (!scoped) {
    const MappedRange range = range_of_all_lanes(wave, access, Format.bytes, true);
    if (range.host != nullptr) {
      for (int lane = 0; lane < k_wave_size; ++lane)
        store_element<Format>(range.at(access.addresses[lane]), access.data[lane].data());
      return;
    }
  }
  LaneMemory memory(wave);
  for_each_lane(access.exec, [&](int lane) {
    std::byte* target = memory.generic(access.addresses[lane], Format.bytes, true);
    if (target == nullptr) {
      raise_inaccessible(wave, access, lane, access.addresses[lane], Format.bytes, true);
      return;
    }
    store_dwords<Format>(target, scoped, access.data[lane].data());
  });
}

} // namespace hk::sim
