// ds_write_{b8,b16,b32,b64,b96,b128} and the d16_hi forms: one value per lane to its own address. Where lanes write the
// same byte, the highest lane stays.

#include "sim/instructions/lds/access/element_format.h"
#include "sim/instructions/lds/access/lds_access.h"

namespace hk::sim {

namespace {

template <ElementFormat Format>
void complete_write(Wave& wave, const PendingAccess& access) {
  for_each_lane(access.exec, [&](int lane) {
    store_element<Format>(lds_at(wave, access.addresses[lane]), access.data[lane].data());
  });
}

template <ElementFormat Format>
void execute_write(Wave& wave, const Instruction& instruction) {
  PendingAccess* access = prepare_lds_access(wave, instruction, instruction.operands[0],
                                             std::uint32_t(instruction.modifiers.offset), Format.bytes);
  if (access == nullptr)
    return;
  capture_data(wave, *access, instruction.operands[1], 0, Format.registers());
  access->complete = complete_write<Format>;
  wave.issue_prepared(false);
}

template <ElementFormat Format>
void add_write(OperationTable& table, const char* type) {
  add_lds_operation(table, std::string("ds_write_") + type, execute_write<Format>, 0, Format.bytes);
}

} // namespace

void register_ds_write(OperationTable& table) {
  add_write<k_unsigned_byte>(table, "b8");
  add_write<k_unsigned_short>(table, "b16");
  add_write<k_dword>(table, "b32");
  add_write<k_dwordx2>(table, "b64");
  add_write<k_dwordx3>(table, "b96");
  add_write<k_dwordx4>(table, "b128");
  add_write<k_unsigned_byte_high>(table, "b8_d16_hi");
  add_write<k_short_high>(table, "b16_d16_hi");
}

} // namespace hk::sim
