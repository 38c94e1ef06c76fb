// Compiled once per instruction set of the host that has a fused multiply-add; the host's is chosen when the program
// starts.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sim/instructions/matrix/arithmetic/register_product.cpp"
#include "sim/machine/host_vectors.h"
#include <hwy/foreach_target.h> // IWYU pragma: keep

#include "sim/instructions/matrix/arithmetic/register_product.h"
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace hk::sim {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_NATIVE_FMA && !HWY_HAVE_SCALABLE
constexpr bool k_available = true;

using Floats = hn::CappedTag<float, 16>;
using Words = hn::RebindToUnsigned<Floats>;
using Vector = hn::Vec<Floats>;
constexpr int k_lanes = int(hn::MaxLanes(Floats()));
constexpr int k_rows = k_result_group_height;

HWY_INLINE Vector load_floats(const std::uint32_t* words) {
  return hn::BitCast(Floats(), hn::LoadU(Words(), words));
}

HWY_INLINE void store_quiet(Vector value, std::uint32_t* words) {
  const Vector quiet = hn::BitCast(Floats(), hn::Set(Words(), 0x7fc00000U));
  hn::StoreU(hn::BitCast(Words(), hn::IfThenElse(hn::IsNaN(value), quiet, value)), Words(), words);
}

// Four rows by `Vectors` vectors; the sums stay in registers while k runs.
template <int Vectors>
HWY_INLINE void four_rows(const RegisterProduct& product, const float* a, const float* b, std::ptrdiff_t place) {
  Vector sums[k_rows][Vectors];
  for (int i = 0; i < k_rows; ++i)
    for (int v = 0; v < Vectors; ++v)
      sums[i][v] = product.c == nullptr ? hn::Set(Floats(), product.constant)
                                        : load_floats(product.c + place + i * k_wave_size + v * k_lanes);
  for (int k = 0; k < product.depth; ++k) {
    Vector line[Vectors];
    for (int v = 0; v < Vectors; ++v)
      line[v] = hn::LoadU(Floats(), b + v * k_lanes);
    for (int i = 0; i < k_rows; ++i) {
      const Vector factor = hn::Set(Floats(), a[i]);
      for (int v = 0; v < Vectors; ++v)
        sums[i][v] = hn::MulAdd(factor, line[v], sums[i][v]);
    }
    a += product.rows;
    b += product.columns;
  }
  for (int i = 0; i < k_rows; ++i)
    for (int v = 0; v < Vectors; ++v)
      store_quiet(sums[i][v], product.d + place + i * k_wave_size + v * k_lanes);
}

HWY_ATTR void multiply(const RegisterProduct& product) {
  constexpr int k_narrow = k_lanes == 16 ? 1 : 2; // vectors of 16 columns
  for (const ResultRows& rows : product.result) {
    const float* a = product.a + rows.block * product.depth * product.rows + rows.row;
    const float* b = product.b + rows.block * product.depth * product.columns;
    const std::ptrdiff_t place = std::ptrdiff_t(rows.item) * k_wave_size + rows.first_lane;
    if (product.columns == 16) {
      four_rows<k_narrow>(product, a, b, place);
    } else if (k_lanes == 16) {
      four_rows<2>(product, a, b, place);
    } else {
      four_rows<2>(product, a, b, place);
      four_rows<2>(product, a, b + 16, place + 16);
    }
  }
}

HWY_ATTR void unpack(const std::uint32_t (*words)[k_wave_size], int registers, int rows, const int* offsets,
                     float* tile) {
  for (int word = 0; word < registers; ++word)
    for (int first = 0; first < k_wave_size; first += rows) {
      float* target = tile + offsets[first / rows] + std::ptrdiff_t(2) * word * rows;
      for (int i = 0; i < rows; i += k_lanes) {
        const auto both = hn::LoadU(Words(), words[word] + first + i);
        hn::StoreU(hn::BitCast(Floats(), hn::ShiftLeft<16>(both)), Floats(), target + i);
        hn::StoreU(hn::BitCast(Floats(), hn::And(both, hn::Set(Words(), 0xffff0000U))), Floats(), target + rows + i);
      }
    }
}

#else
constexpr bool k_available = false;
void multiply(const RegisterProduct&) {}
void unpack(const std::uint32_t (*)[k_wave_size], int, int, const int*, float*) {}
#endif

bool available() {
  return k_available;
}

} // namespace HWY_NAMESPACE
} // namespace hk::sim
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hk::sim {

bool has_register_product() {
  static const bool has = HK_SIM_HOST_FUNCTION(available)();
  return has;
}

void multiply_in_registers(const RegisterProduct& product) {
  static const auto function = HK_SIM_HOST_FUNCTION(multiply);
  function(product);
}

void unpack_bf16(const std::uint32_t (*words)[k_wave_size], int registers, int rows, const int* offsets, float* tile) {
  static const auto function = HK_SIM_HOST_FUNCTION(unpack);
  function(words, registers, rows, offsets, tile);
}

} // namespace hk::sim
#endif
