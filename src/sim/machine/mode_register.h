#pragma once
// Fields of the MODE register (CDNA3 ISA, section "MODE register").

#include <cstdint>

namespace hk::sim {

constexpr std::uint32_t k_mode_round_shift = 0;  // 4 bits: f32, then f16 and f64
constexpr std::uint32_t k_mode_denorm_shift = 4; // 4 bits: f32, then f16 and f64
constexpr std::uint32_t k_mode_dx10_clamp = 1U << 8;
constexpr std::uint32_t k_mode_ieee = 1U << 9;
constexpr std::uint32_t k_mode_exception_shift = 12; // 9 bits
constexpr std::uint32_t k_mode_fp16_overflow = 1U << 23;
constexpr std::uint32_t k_mode_gpr_index_enable = 1U << 27;

} // namespace hk::sim
