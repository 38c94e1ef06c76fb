#pragma once
// Rows of global memory: reads past the view give zero, writes past it are dropped.
//
// Aligned views go through a buffer descriptor. Its base is the view's first row in 64 bits, its range ends with the
// last row, and the hardware compares every offset with it. Offsets from there fit in 32 bits: at most 256 rows of less
// than 2^24 bytes. Other views are read and written one element at a time with 64-bit addresses.

#include <hk/arch/gfx942/conversion.h>
#include <hk/arch/gfx942/execution.h>
#include <hk/arch/gfx942/register_layout.h>
#include <hk/arch/gfx942/registers.h>
#include <hk/tile/coordinate.h>
#include <hk/tile/global_view.h>

namespace hk::gfx942 {

/// Conversion is the target's.
template <class Conversion>
struct BufferMemory {
  using Resource = __amdgpu_buffer_rsrc_t;
  template <class T>
  using GlobalPointer = __attribute__((address_space(1))) T*;

  /// Descriptor of the first `MostRows` rows of an aligned view.
  template <int MostRows, class View>
  static HK_DEVICE Resource resource(const View& view) {
    static_assert(View::k_aligned && MostRows <= 256);
    // Word 3 of a raw buffer: any valid data format (32), no swizzling, no stride.
    constexpr int32 raw_buffer = 0x00020000;
    const int32 rows = view.rows < MostRows ? view.rows : MostRows;
    // Rows that overlap (stride below a row) cannot be cut off; what lies there is a row that may be read anyway.
    const uint32 range = rows > 0 ? (rows - 1) * static_cast<uint32>(view.row_stride) + View::k_columns * 2 : 0;
    return __builtin_amdgcn_make_buffer_rsrc(const_cast<typename View::Element*>(view.first), 0,
                                             static_cast<int32>(range), raw_buffer);
  }
  /// `Words` (2 or 4 words of two elements) at `at` of an element-aligned view. The compiler may merge the loads:
  /// global memory takes unaligned accesses.
  template <class Words, class View>
  static HK_DEVICE Words load_elements(const View& view, Coordinate at) {
    Words result = {};
    if (at.row < view.rows) {
      const auto elements = (GlobalPointer<const uint16>)(view.from_row(at.row).first + at.column);
      HK_UNROLL
      for (int word = 0; word < static_cast<int>(sizeof(Words) / sizeof(uint32)); ++word)
        result[word] = elements[2 * word] | static_cast<uint32>(elements[2 * word + 1]) << 16;
    }
    return result;
  }

  template <class View, int MostRows, bool Aligned = View::k_aligned>
  class RowReader {
   public:
    HK_DEVICE explicit RowReader(const View& view)
        : m_resource(resource<MostRows>(view)), m_row_stride(static_cast<uint32>(view.row_stride)),
          m_opaque_row_stride(m_row_stride) {
      asm volatile("" : "+s"(m_opaque_row_stride));
    }

    HK_DEVICE Registers::Fragment<typename View::Element> load_fragment(Coordinate at) const {
      return {load<Words4>(at, 0)};
    }
    /// The words at `at`, `rows_on` rows further on; the latter is uniform over the wave.
    template <class Words>
    HK_DEVICE Words load(Coordinate at, int rows_on) const {
      if constexpr (sizeof(Words) == 16)
        return __builtin_amdgcn_raw_buffer_load_b128(m_resource, lane_offset(at), wave_offset(rows_on), 0);
      else
        return __builtin_amdgcn_raw_buffer_load_b64(m_resource, lane_offset(at), wave_offset(rows_on), 0);
    }
    HK_DEVICE Resource descriptor() const { return m_resource; }
    HK_DEVICE uint32 lane_offset(Coordinate at) const {
      return static_cast<uint32>(at.row) * m_row_stride + static_cast<uint32>(at.column) * 2;
    }
    HK_DEVICE uint32 wave_offset(int rows_on) const { return static_cast<uint32>(rows_on) * m_opaque_row_stride; }

   private:
    Resource m_resource;
    uint32 m_row_stride;
    /// The same number, hidden from the compiler. It would multiply it by the rows of every pass ahead of the loop over
    /// tiles and run out of scalar registers; a multiplication in the loop costs less.
    uint32 m_opaque_row_stride;
  };
  template <class View, int MostRows>
  class RowReader<View, MostRows, false> {
   public:
    HK_DEVICE explicit RowReader(const View& view) : m_view(view) {}

    HK_DEVICE Registers::Fragment<typename View::Element> load_fragment(Coordinate at) const {
      return {load<Words4>(at, 0)};
    }
    template <class Words>
    HK_DEVICE Words load(Coordinate at, int rows_on) const {
      return load_elements<Words>(m_view, {at.row + rows_on, at.column});
    }

   private:
    View m_view;
  };

  /// A run of an accumulator, rounded.
  template <class Element>
  static HK_DEVICE Words2 round_run(const float (&values)[AccumulatorLayout::k_run]) {
    static_assert(AccumulatorLayout::k_run == 4);
    return {Conversion::template round_pair<Element>(values[0], values[1]),
            Conversion::template round_pair<Element>(values[2], values[3])};
  }

  template <class View, int MostRows, bool Aligned = View::k_aligned>
  class RowWriter {
   public:
    HK_DEVICE explicit RowWriter(const View& view)
        : m_resource(resource<MostRows>(view)), m_row_stride(static_cast<uint32>(view.row_stride)) {}

    HK_DEVICE void store_run(Coordinate at, const float (&values)[AccumulatorLayout::k_run]) const {
      const uint32 offset = static_cast<uint32>(at.row) * m_row_stride + static_cast<uint32>(at.column) * 2;
      __builtin_amdgcn_raw_buffer_store_b64(round_run<typename View::Element>(values), m_resource, offset, 0, 0);
    }

   private:
    Resource m_resource;
    uint32 m_row_stride;
  };
  template <class View, int MostRows>
  class RowWriter<View, MostRows, false> {
   public:
    HK_DEVICE explicit RowWriter(const View& view) : m_view(view) {}

    HK_DEVICE void store_run(Coordinate at, const float (&values)[AccumulatorLayout::k_run]) const {
      if (at.row >= m_view.rows)
        return;
      const Words2 words = round_run<typename View::Element>(values);
      const auto elements = (GlobalPointer<uint16>)(m_view.from_row(at.row).first + at.column);
      HK_UNROLL
      for (int i = 0; i < AccumulatorLayout::k_run; ++i)
        elements[i] = static_cast<uint16>(words[i / 2] >> (16 * (i % 2)));
    }

   private:
    View m_view;
  };
};

using GlobalMemory = BufferMemory<Conversion>;

} // namespace hk::gfx942
