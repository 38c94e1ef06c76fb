#include "sim_run_element.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <limits>

#include "normal_numbers.h"
#include "ops/element.h"

namespace hk::command {
namespace {

struct ElementRow {
  SimElement element;
  std::string_view name;
  std::string_view description;
  std::size_t bytes;
  bool is_signed;
};

constexpr std::array<ElementRow, 12> k_elements = {{
    {SimElement::f16, "f16", "<f2", 2, true},
    {SimElement::bf16, "bf16", "<u2", 2, true},
    {SimElement::f32, "f32", "<f4", 4, true},
    {SimElement::f64, "f64", "<f8", 8, true},
    {SimElement::i8, "i8", "|i1", 1, true},
    {SimElement::i16, "i16", "<i2", 2, true},
    {SimElement::i32, "i32", "<i4", 4, true},
    {SimElement::i64, "i64", "<i8", 8, true},
    {SimElement::u8, "u8", "|u1", 1, false},
    {SimElement::u16, "u16", "<u2", 2, false},
    {SimElement::u32, "u32", "<u4", 4, false},
    {SimElement::u64, "u64", "<u8", 8, false},
}};

const ElementRow& row_of(SimElement element) {
  return k_elements[static_cast<std::size_t>(element)];
}

bool is_float(SimElement element) {
  return element <= SimElement::f64;
}

std::uint64_t float_bits(SimElement element, double value) {
  switch (element) {
  case SimElement::f16:
    return ops::float_to_float16(static_cast<float>(value));
  case SimElement::bf16:
    return ops::float_to_bfloat16(static_cast<float>(value));
  case SimElement::f32:
    return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  default:
    return std::bit_cast<std::uint64_t>(value);
  }
}

template <typename Number>
std::optional<Number> whole_number(std::string_view text, int base) {
  Number value{};
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (failure != std::errc{} || end != text.data() + text.size() || text.empty())
    return std::nullopt;
  return value;
}

std::optional<std::uint64_t> integer_bits(const ElementRow& row, std::string_view text) {
  const unsigned width = static_cast<unsigned>(row.bytes * 8);
  const std::uint64_t mask = std::numeric_limits<std::uint64_t>::max() >> (64 - width);
  if (text.starts_with("0x") || text.starts_with("0X")) { // the bits themselves
    const auto bits = whole_number<std::uint64_t>(text.substr(2), 16);
    return bits && *bits <= mask ? bits : std::nullopt;
  }
  if (!row.is_signed) {
    const auto value = whole_number<std::uint64_t>(text, 10);
    return value && *value <= mask ? value : std::nullopt;
  }
  const auto value = whole_number<std::int64_t>(text, 10);
  const auto limit = static_cast<std::int64_t>(mask >> 1);
  if (!value || *value > limit || *value < -limit - 1)
    return std::nullopt;
  return static_cast<std::uint64_t>(*value) & mask;
}

} // namespace

std::optional<SimElement> parse_sim_element(std::string_view text) {
  for (const ElementRow& row : k_elements)
    if (row.name == text)
      return row.element;
  return std::nullopt;
}

std::string sim_element_names() {
  std::string names;
  for (const ElementRow& row : k_elements)
    names.append(names.empty() ? "" : ", ").append(row.name);
  return names;
}

std::size_t bytes_of(SimElement element) {
  return row_of(element).bytes;
}

std::string_view npy_description(SimElement element) {
  return row_of(element).description;
}

std::optional<SimElement> element_of_npy(std::string_view description) {
  for (const ElementRow& row : k_elements) {
    const bool same_place =
        row.description.substr(1) == description.substr(std::min<std::size_t>(1, description.size()));
    const bool order_fits =
        description.starts_with(row.description[0]) || (row.bytes == 1 && description.starts_with('<'));
    if (same_place && order_fits && row.element != SimElement::bf16)
      return row.element;
  }
  return std::nullopt;
}

void fill_random(std::span<std::byte> bytes, SimElement element, SimDistribution distribution, std::uint64_t seed) {
  NormalNumbers numbers(seed);
  const std::size_t size = bytes_of(element);
  for (std::size_t at = 0; at + size <= bytes.size(); at += size) {
    std::uint64_t bits = 0;
    if (is_float(element))
      bits = float_bits(element, distribution == SimDistribution::normal ? numbers.next() : numbers.uniform());
    else
      bits = numbers.bits();
    std::memcpy(bytes.data() + at, &bits, size);
  }
}

std::optional<std::uint64_t> bits_of_number(SimElement element, std::string_view text) {
  const ElementRow& row = row_of(element);
  if (!is_float(element))
    return integer_bits(row, text);
  double value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc{} || end != text.data() + text.size() || text.empty())
    return std::nullopt;
  return float_bits(element, value);
}

} // namespace hk::command
