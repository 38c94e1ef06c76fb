#pragma once
// A set of registers that answers quickly whether a range of them is marked: asked for every instruction while a load
// is in flight.

#include <array>
#include <cstdint>

namespace hk::sim {

template <unsigned Count>
class RegisterMarks {
 public:
  static_assert(Count % 64 == 0);

  [[nodiscard]] static constexpr unsigned size() { return Count; }
  [[nodiscard]] bool operator[](unsigned i) const { return ((m_words[i / 64] >> (i % 64)) & 1) != 0; }

  // What lies past the last register is never marked. `count` is at most 64.
  [[nodiscard]] bool any(unsigned first, unsigned count) const {
    if (count == 0 || first >= Count)
      return false;
    const unsigned word = first / 64;
    const unsigned shift = first % 64;
    const std::uint64_t bits = ~std::uint64_t{0} >> (64 - count);
    std::uint64_t found = m_words[word] & (bits << shift);
    if (shift + count > 64 && word + 1 < m_words.size())
      found |= m_words[word + 1] & (bits >> (64 - shift));
    return found != 0;
  }

  void set(unsigned first, unsigned count, bool value) {
    for (unsigned i = first; i < first + count && i < Count; ++i) {
      const std::uint64_t bit = std::uint64_t{1} << (i % 64);
      m_words[i / 64] = value ? m_words[i / 64] | bit : m_words[i / 64] & ~bit;
    }
  }

  void reset() { m_words = {}; }

 private:
  std::array<std::uint64_t, Count / 64> m_words{};
};

} // namespace hk::sim
