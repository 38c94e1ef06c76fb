#pragma once
// What a load or store moves per lane and how it fits into registers; the same for DS, MUBUF, GLOBAL, FLAT and SCRATCH.
//
// D16 forms use one half of the register. Both targets have ECC memory, where "16-bit memory loads write the full
// 32-bit VGPR. Unused bits are set to zero" ("CDNA4 ISA", section "16-bit Memory Operations"; LLVM likewise takes the
// other half as lost when sramecc is on).

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "sim/machine/lane_vectors.h"

namespace hk::sim {

enum class RegisterHalf : std::uint8_t { whole, low, high };

struct ElementFormat {
  std::uint8_t bytes = 4; // 1, 2, or a multiple of 4 up to 16
  bool is_signed = false;
  RegisterHalf half = RegisterHalf::whole;

  [[nodiscard]] constexpr int registers() const { return bytes < 4 ? 1 : bytes / 4; }
};

inline constexpr ElementFormat k_unsigned_byte{1, false, RegisterHalf::whole};
inline constexpr ElementFormat k_signed_byte{1, true, RegisterHalf::whole};
inline constexpr ElementFormat k_unsigned_byte_low{1, false, RegisterHalf::low};
inline constexpr ElementFormat k_unsigned_byte_high{1, false, RegisterHalf::high};
inline constexpr ElementFormat k_signed_byte_low{1, true, RegisterHalf::low};
inline constexpr ElementFormat k_signed_byte_high{1, true, RegisterHalf::high};
inline constexpr ElementFormat k_unsigned_short{2, false, RegisterHalf::whole};
inline constexpr ElementFormat k_signed_short{2, true, RegisterHalf::whole};
inline constexpr ElementFormat k_short_low{2, false, RegisterHalf::low};
inline constexpr ElementFormat k_short_high{2, false, RegisterHalf::high};
inline constexpr ElementFormat k_dword{4, false, RegisterHalf::whole};
inline constexpr ElementFormat k_dwordx2{8, false, RegisterHalf::whole};
inline constexpr ElementFormat k_dwordx3{12, false, RegisterHalf::whole};
inline constexpr ElementFormat k_dwordx4{16, false, RegisterHalf::whole};

// The register value that a loaded byte or 16-bit value becomes.
constexpr std::uint32_t extend_element(const ElementFormat& format, std::uint32_t raw) {
  if (format.is_signed)
    raw = format.bytes == 1 ? std::uint32_t(std::int32_t(std::int8_t(raw)))
                            : std::uint32_t(std::int32_t(std::int16_t(raw)));
  if (format.half == RegisterHalf::low)
    return raw & 0xffffu;
  return format.half == RegisterHalf::high ? raw << 16 : raw;
}

// The i-th dword of what a load puts into registers. For i > 0 the format is wider than a dword.
template <ElementFormat Format>
std::uint32_t load_element(const std::byte* source, int i) {
  if constexpr (Format.bytes == 1) {
    return extend_element(Format, std::uint32_t(*source));
  } else if constexpr (Format.bytes == 2) {
    std::uint16_t value;
    std::memcpy(&value, source, sizeof value);
    return extend_element(Format, value);
  } else {
    std::uint32_t value;
    std::memcpy(&value, source + std::size_t{4} * std::size_t(i), sizeof value);
    return value;
  }
}

// All 64 lanes of a load; the bytes of a lane lie at bytes + (addresses[lane] - origin).
template <ElementFormat Format>
void load_lanes(const std::byte* bytes, std::uint64_t origin, const std::uint64_t* addresses,
                std::uint32_t (*target)[k_wave_size]) {
  if constexpr (Format.bytes == 16) {
    load_four_dwords(bytes, origin, addresses, target);
  } else {
    for (int lane = 0; lane < k_wave_size; ++lane)
      for (int i = 0; i < Format.registers(); ++i)
        target[i][lane] = load_element<Format>(bytes + (addresses[lane] - origin), i);
  }
}

// Stores from the dwords captured at issue.
template <ElementFormat Format>
void store_element(std::byte* target, const std::uint32_t* dwords) {
  if constexpr (Format.bytes < 4) {
    const std::uint32_t value = Format.half == RegisterHalf::high ? dwords[0] >> 16 : dwords[0];
    std::memcpy(target, &value, Format.bytes); // little-endian host
  } else {
    std::memcpy(target, dwords, Format.bytes);
  }
}

} // namespace hk::sim
