#pragma once
// Rows of global memory: reads past the view give zero, writes past it are dropped.

#include <hk/arch/reference/matrix.h>
#include <hk/tile/global_view.h>

namespace hk::reference {

struct GlobalMemory {
  template <class View, int MostRows>
  class RowReader {
   public:
    using Element = typename View::Element;

    explicit RowReader(const View& view) : m_view(view) {}

    Matrix::Fragment<Element> load_fragment(Coordinate at) const { return {Conversion::widen(load(at))}; }
    Element load(Coordinate at) const {
      return at.row < m_view.rows ? m_view.from_row(at.row).first[at.column] : Element{};
    }

   private:
    View m_view;
  };

  template <class View, int MostRows>
  class RowWriter {
   public:
    using Element = typename View::Element;

    explicit RowWriter(const View& view) : m_view(view) {}

    void store_run(Coordinate at, const float (&values)[AccumulatorLayout::k_run]) const {
      if (at.row < m_view.rows)
        m_view.from_row(at.row).first[at.column] = Conversion::round<Element>(values[0]);
    }

   private:
    View m_view;
  };
};

} // namespace hk::reference
