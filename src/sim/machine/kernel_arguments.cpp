// What the launcher puts into memory for a kernel: hidden arguments and the dispatch packet.
#include <bit>
#include <cstring>

#include "sim/machine/dispatch.h"

namespace hk::sim {

namespace {

using codeobj::ArgumentKind;

std::uint64_t grid_dimensions(const Dispatch& dispatch) {
  if (dispatch.grid_work_items[2] > 1)
    return 3;
  return dispatch.grid_work_items[1] > 1 ? 2 : 1;
}

// Whole workgroups only; the partial one, if there is one, is described by the remainder.
std::uint64_t block_count(const Dispatch& dispatch, std::size_t dimension) {
  return dispatch.grid_work_items[dimension] / dispatch.workgroup_size[dimension];
}

std::uint64_t remainder(const Dispatch& dispatch, std::size_t dimension) {
  return dispatch.grid_work_items[dimension] % dispatch.workgroup_size[dimension];
}

std::uint64_t hidden_value(const Dispatch& dispatch, ArgumentKind kind) {
  switch (kind) {
  case ArgumentKind::hidden_block_count_x:
  case ArgumentKind::hidden_block_count_y:
  case ArgumentKind::hidden_block_count_z:
    return block_count(dispatch, std::size_t(kind) - std::size_t(ArgumentKind::hidden_block_count_x));
  case ArgumentKind::hidden_group_size_x:
  case ArgumentKind::hidden_group_size_y:
  case ArgumentKind::hidden_group_size_z:
    return dispatch.workgroup_size[std::size_t(kind) - std::size_t(ArgumentKind::hidden_group_size_x)];
  case ArgumentKind::hidden_remainder_x:
  case ArgumentKind::hidden_remainder_y:
  case ArgumentKind::hidden_remainder_z:
    return remainder(dispatch, std::size_t(kind) - std::size_t(ArgumentKind::hidden_remainder_x));
  case ArgumentKind::hidden_grid_dims:
    return grid_dimensions(dispatch);
  case ArgumentKind::hidden_dynamic_lds_size:
    return dispatch.dynamic_lds_bytes;
  case ArgumentKind::hidden_private_base:
    return k_private_aperture_base >> 32;
  case ArgumentKind::hidden_shared_base:
    return k_shared_aperture_base >> 32;
  case ArgumentKind::hidden_queue_ptr:
    return dispatch.queue_address;
  default: // offsets, and services of the runtime that do not exist here
    return 0;
  }
}

template <typename T>
void put(std::array<std::byte, 64>& packet, std::size_t offset, T value) {
  std::memcpy(packet.data() + offset, &value, sizeof value);
}

} // namespace

void fill_hidden_arguments(const Dispatch& dispatch, std::span<std::byte> kernarg) {
  static_assert(std::endian::native == std::endian::little);
  for (const codeobj::KernelArgument& argument : dispatch.kernel->metadata.arguments) {
    if (!argument.is_hidden() || argument.offset > kernarg.size() || argument.size > kernarg.size() - argument.offset)
      continue;
    const std::uint64_t value = hidden_value(dispatch, argument.kind);
    std::byte* const place = kernarg.data() + argument.offset;
    std::memset(place, 0, argument.size);
    std::memcpy(place, &value, argument.size < sizeof value ? argument.size : sizeof value);
  }
}

std::array<std::byte, 64> make_dispatch_packet(const Dispatch& dispatch) {
  // Offsets of hsa_kernel_dispatch_packet_t. Packet type 2 = kernel dispatch; acquire and release fences of system
  // scope.
  constexpr std::uint16_t header = 2 | 2 << 9 | 2 << 11;
  std::array<std::byte, 64> packet{};
  put<std::uint16_t>(packet, 0, header);
  put<std::uint16_t>(packet, 2, std::uint16_t(grid_dimensions(dispatch)));
  for (std::size_t i = 0; i < 3; ++i) {
    put<std::uint16_t>(packet, 4 + 2 * i, std::uint16_t(dispatch.workgroup_size[i]));
    put<std::uint32_t>(packet, 12 + 4 * i, dispatch.grid_work_items[i]);
  }
  put<std::uint32_t>(packet, 24, dispatch.kernel->descriptor.private_segment_fixed_size);
  put<std::uint32_t>(packet, 28, dispatch.lds_bytes());
  put<std::uint64_t>(packet, 32,
                     dispatch.program->code_address + dispatch.kernel->descriptor_address -
                         dispatch.program->code_virtual_address);
  put<std::uint64_t>(packet, 40, dispatch.kernarg_address);
  return packet;
}

} // namespace hk::sim
