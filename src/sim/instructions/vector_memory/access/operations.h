#pragma once
// The mnemonics that GLOBAL, FLAT, SCRATCH and MUBUF have in common.

#include <string>
#include <utility>

#include "sim/instructions/lds/access/element_format.h"
#include "sim/machine/lane_vectors.h"
#include "sim/machine/operation.h"
#include "sim/machine/wave.h"

namespace hk::sim {

// The vector L1 returns 64 bytes per clock: what 64 lanes of this width take at least.
constexpr std::uint16_t vector_memory_clocks(unsigned bytes_per_lane) {
  return std::uint16_t(bytes_per_lane < 4 ? 4 : bytes_per_lane);
}

inline void add_vector_memory_operation(OperationTable& table, std::string mnemonic, Execute execute,
                                        std::uint8_t destinations, unsigned bytes_per_lane, bool implies_m0 = false) {
  Operation operation;
  operation.mnemonic = std::move(mnemonic);
  operation.execute = execute;
  operation.operation_class = OperationClass::vector_memory;
  operation.destinations = destinations;
  operation.issue_clocks = vector_memory_clocks(bytes_per_lane);
  operation.implies_m0 = implies_m0;
  table.add(std::move(operation));
}

// Captures `count` registers of the data operand for every lane.
inline void capture_store_data(const Wave& wave, PendingAccess& access, const Operand& operand, int count) {
  if (count == 4) {
    gather_four_dwords(&wave.vector[operand.index], access.data[0].data());
    return;
  }
  for (int i = 0; i < count; ++i)
    for (int lane = 0; lane < k_wave_size; ++lane)
      access.data[lane][i] = wave.vector[operand.index + i][lane];
}

// Instructions<Format>::execute for every width of load: prefix "global_load_" gives global_load_ubyte, ...
template <template <ElementFormat> class Instructions>
void add_loads(OperationTable& table, const std::string& prefix) {
  const auto add = [&](const char* suffix, Execute execute, const ElementFormat& format) {
    add_vector_memory_operation(table, prefix + suffix, execute, 1, format.bytes);
  };
  add("ubyte", Instructions<k_unsigned_byte>::execute, k_unsigned_byte);
  add("sbyte", Instructions<k_signed_byte>::execute, k_signed_byte);
  add("ushort", Instructions<k_unsigned_short>::execute, k_unsigned_short);
  add("sshort", Instructions<k_signed_short>::execute, k_signed_short);
  add("dword", Instructions<k_dword>::execute, k_dword);
  add("dwordx2", Instructions<k_dwordx2>::execute, k_dwordx2);
  add("dwordx3", Instructions<k_dwordx3>::execute, k_dwordx3);
  add("dwordx4", Instructions<k_dwordx4>::execute, k_dwordx4);
  add("ubyte_d16", Instructions<k_unsigned_byte_low>::execute, k_unsigned_byte_low);
  add("ubyte_d16_hi", Instructions<k_unsigned_byte_high>::execute, k_unsigned_byte_high);
  add("sbyte_d16", Instructions<k_signed_byte_low>::execute, k_signed_byte_low);
  add("sbyte_d16_hi", Instructions<k_signed_byte_high>::execute, k_signed_byte_high);
  add("short_d16", Instructions<k_short_low>::execute, k_short_low);
  add("short_d16_hi", Instructions<k_short_high>::execute, k_short_high);
}

template <template <ElementFormat> class Instructions>
void add_stores(OperationTable& table, const std::string& prefix) {
  const auto add = [&](const char* suffix, Execute execute, const ElementFormat& format) {
    add_vector_memory_operation(table, prefix + suffix, execute, 0, format.bytes);
  };
  add("byte", Instructions<k_unsigned_byte>::execute, k_unsigned_byte);
  add("short", Instructions<k_unsigned_short>::execute, k_unsigned_short);
  add("dword", Instructions<k_dword>::execute, k_dword);
  add("dwordx2", Instructions<k_dwordx2>::execute, k_dwordx2);
  add("dwordx3", Instructions<k_dwordx3>::execute, k_dwordx3);
  add("dwordx4", Instructions<k_dwordx4>::execute, k_dwordx4);
  add("byte_d16_hi", Instructions<k_unsigned_byte_high>::execute, k_unsigned_byte_high);
  add("short_d16_hi", Instructions<k_short_high>::execute, k_short_high);
}

// Loads that deliver into LDS: prefix "global_load_lds_".
template <template <ElementFormat> class Instructions>
void add_loads_to_lds(OperationTable& table, const std::string& prefix) {
  const auto add = [&](const char* suffix, Execute execute, const ElementFormat& format) {
    add_vector_memory_operation(table, prefix + suffix, execute, 0, format.bytes, true);
  };
  add("ubyte", Instructions<k_unsigned_byte>::execute, k_unsigned_byte);
  add("sbyte", Instructions<k_signed_byte>::execute, k_signed_byte);
  add("ushort", Instructions<k_unsigned_short>::execute, k_unsigned_short);
  add("sshort", Instructions<k_signed_short>::execute, k_signed_short);
  add("dword", Instructions<k_dword>::execute, k_dword);
  add("dwordx3", Instructions<k_dwordx3>::execute, k_dwordx3);
  add("dwordx4", Instructions<k_dwordx4>::execute, k_dwordx4);
}

} // namespace hk::sim
