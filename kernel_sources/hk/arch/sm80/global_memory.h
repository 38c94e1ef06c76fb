#pragma once
// Rows of global memory: reads past the view give zero, writes past it are dropped. Addresses are 64-bit; every access
// is guarded by its row.

#include <hk/arch/sm80/conversion.h>
#include <hk/arch/sm80/register_layout.h>
#include <hk/arch/sm80/registers.h>
#include <hk/tile/coordinate.h>
#include <hk/tile/global_view.h>

namespace hk::sm80 {

struct GlobalMemory {
  /// Two elements of a row that exists.
  template <class View>
  static HK_DEVICE uint32 load_pair(const View& view, Coordinate at) {
    const auto* const elements = view.from_row(at.row).first + at.column;
    if constexpr (View::k_aligned)
      return *reinterpret_cast<const uint32*>(elements);
    else
      return elements[0].bits | static_cast<uint32>(elements[1].bits) << 16;
  }
  /// Eight elements of a row, or zeros.
  template <class View>
  static HK_DEVICE Words4 load_chunk(const View& view, Coordinate at) {
    Words4 chunk = {};
    if (at.row < view.rows) {
      HK_UNROLL
      for (int word = 0; word < 4; ++word)
        chunk.words[word] = load_pair(view, at + Coordinate{0, 2 * word});
    }
    return chunk;
  }

  template <class View, int MostRows>
  class RowReader {
   public:
    HK_DEVICE explicit RowReader(const View& view) : m_view(view) {}

    /// The fragment whose first element for this lane lies at `at`.
    HK_DEVICE Registers::Fragment<typename View::Element> load_fragment(Coordinate at) const {
      Registers::Fragment<typename View::Element> fragment;
      HK_UNROLL
      for (int word = 0; word < 4; ++word) {
        const Coordinate pair = at + OperandLayout::coordinate(DepthOrder::memory, 0, 2 * word);
        fragment.words[word] = pair.row < m_view.rows ? load_pair(m_view, pair) : 0;
      }
      return fragment;
    }

   private:
    View m_view;
  };

  template <class View, int MostRows>
  class RowWriter {
   public:
    HK_DEVICE explicit RowWriter(const View& view) : m_view(view) {}

    HK_DEVICE void store_run(Coordinate at, const float (&values)[AccumulatorLayout::k_run]) const {
      static_assert(AccumulatorLayout::k_run == 2);
      if (at.row >= m_view.rows)
        return;
      const uint32 pair = Conversion::round_pair<typename View::Element>(values[0], values[1]);
      auto* const elements = m_view.from_row(at.row).first + at.column;
      if constexpr (View::k_aligned) {
        *reinterpret_cast<uint32*>(elements) = pair;
      } else {
        elements[0].bits = static_cast<uint16>(pair);
        elements[1].bits = static_cast<uint16>(pair >> 16);
      }
    }

   private:
    View m_view;
  };
};

} // namespace hk::sm80
