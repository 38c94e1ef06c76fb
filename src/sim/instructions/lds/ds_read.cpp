// ds_read_{u8,i8,u16,i16,b32,b64,b96,b128} and the d16 forms: one value per lane from its own address.

#include "sim/instructions/lds/access/element_format.h"
#include "sim/instructions/lds/access/lds_access.h"

namespace hk::sim {

namespace {

template <ElementFormat Format>
void complete_read(Wave& wave, const PendingAccess& access) {
  auto* target = &wave.vector[access.instruction->operands[0].index];
  if (access.exec == ~std::uint64_t{0})
    return load_lanes<Format>(wave.workgroup->lds.data(), 0, access.addresses.data(), target);
  for_each_lane(access.exec, [&](int lane) {
    const std::byte* source = lds_at(wave, access.addresses[lane]);
    for (int i = 0; i < Format.registers(); ++i)
      target[i][lane] = load_element<Format>(source, i);
  });
}

template <ElementFormat Format>
void execute_read(Wave& wave, const Instruction& instruction) {
  PendingAccess* access = prepare_lds_access(wave, instruction, instruction.operands[1],
                                             std::uint32_t(instruction.modifiers.offset), Format.bytes);
  if (access == nullptr)
    return;
  access->complete = complete_read<Format>;
  wave.issue_prepared(true);
}

template <ElementFormat Format>
void add_read(OperationTable& table, const char* type) {
  add_lds_operation(table, std::string("ds_read_") + type, execute_read<Format>, 1, Format.bytes);
}

} // namespace

void register_ds_read(OperationTable& table) {
  add_read<k_unsigned_byte>(table, "u8");
  add_read<k_signed_byte>(table, "i8");
  add_read<k_unsigned_short>(table, "u16");
  add_read<k_signed_short>(table, "i16");
  add_read<k_dword>(table, "b32");
  add_read<k_dwordx2>(table, "b64");
  add_read<k_dwordx3>(table, "b96");
  add_read<k_dwordx4>(table, "b128");
  add_read<k_unsigned_byte_low>(table, "u8_d16");
  add_read<k_unsigned_byte_high>(table, "u8_d16_hi");
  add_read<k_signed_byte_low>(table, "i8_d16");
  add_read<k_signed_byte_high>(table, "i8_d16_hi");
  add_read<k_short_low>(table, "u16_d16");
  add_read<k_short_high>(table, "u16_d16_hi");
}

} // namespace hk::sim
