#pragma once
// Element types of buffers and .npy files.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace hk::command {

enum class SimElement : std::uint8_t { f16, bf16, f32, f64, i8, i16, i32, i64, u8, u16, u32, u64 };

// "f16" .. "u64"; nothing for another word.
std::optional<SimElement> parse_sim_element(std::string_view text);
// For messages: "f16, bf16, ...".
std::string sim_element_names();
std::size_t bytes_of(SimElement element);

// numpy's "descr". numpy has no bf16: it is stored as u16.
std::string_view npy_description(SimElement element);
// Little-endian types of the list above; '<u2' is u16. Nothing for another one.
std::optional<SimElement> element_of_npy(std::string_view description);

enum class SimDistribution : std::uint8_t {
  normal,  // mean 0, deviation 1
  uniform, // [0, 1)
};

// Whole elements: floats of the distribution, rounded to nearest even; integers take random bits.
void fill_random(std::span<std::byte> bytes, SimElement element, SimDistribution distribution, std::uint64_t seed);

// The bytes of a number written in decimal, or of an integer in hexadecimal (0x...). Nothing if it is malformed or out
// of range.
std::optional<std::uint64_t> bits_of_number(SimElement element, std::string_view text);

} // namespace hk::command
