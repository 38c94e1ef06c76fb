#include "sim/instructions/matrix/arithmetic/multiply_accumulate.h"

#include <cmath>
#include <cstddef>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace hk::sim {

namespace {

using Extent = std::ptrdiff_t;

// The loops of every path that is not written with vectors; inlined so that a caller's target attribute applies to
// them.
template <typename T>
[[gnu::always_inline]] inline void fused_loops(const T* a, const T* b, T* c, Extent rows, Extent columns,
                                               Extent depth) {
  for (Extent i = 0; i < rows; ++i)
    for (Extent k = 0; k < depth; ++k)
      for (Extent j = 0; j < columns; ++j)
        c[i * columns + j] = std::fma(a[k * rows + i], b[k * columns + j], c[i * columns + j]);
}

[[gnu::always_inline]] inline void integer_loops(const std::int32_t* a, const std::int32_t* b, std::int32_t* c,
                                                 Extent rows, Extent columns, Extent depth) {
  for (Extent i = 0; i < rows; ++i)
    for (Extent k = 0; k < depth; ++k)
      for (Extent j = 0; j < columns; ++j)
        c[i * columns + j] = std::int32_t(std::uint32_t(c[i * columns + j]) +
                                          std::uint32_t(a[k * rows + i]) * std::uint32_t(b[k * columns + j]));
}

template <typename T>
void fused_portable(const T* a, const T* b, T* c, Extent rows, Extent columns, Extent depth) {
  fused_loops(a, b, c, rows, columns, depth);
}

void integers_portable(const std::int32_t* a, const std::int32_t* b, std::int32_t* c, Extent rows, Extent columns,
                       Extent depth) {
  integer_loops(a, b, c, rows, columns, depth);
}

#if defined(__x86_64__)

template <typename T>
__attribute__((target("avx2,fma"))) void fused_avx2(const T* a, const T* b, T* c, Extent rows, Extent columns,
                                                    Extent depth) {
  fused_loops(a, b, c, rows, columns, depth);
}

__attribute__((target("avx2"))) void integers_avx2(const std::int32_t* a, const std::int32_t* b, std::int32_t* c,
                                                   Extent rows, Extent columns, Extent depth) {
  integer_loops(a, b, c, rows, columns, depth);
}

// Four rows by `Vectors` vectors of accumulators stay in registers while k runs.
template <int Vectors>
__attribute__((target("avx2,fma"))) void four_rows_avx2(const float* a, const float* b, float* c, Extent rows,
                                                        Extent columns, Extent depth) {
  __m256 sums[4][Vectors];
  for (Extent i = 0; i < 4; ++i)
    for (Extent v = 0; v < Vectors; ++v)
      sums[i][v] = _mm256_loadu_ps(c + i * columns + 8 * v);
  for (Extent k = 0; k < depth; ++k) {
    __m256 line[Vectors];
    for (Extent v = 0; v < Vectors; ++v)
      line[v] = _mm256_loadu_ps(b + k * columns + 8 * v);
    for (Extent i = 0; i < 4; ++i) {
      const __m256 factor = _mm256_broadcast_ss(a + k * rows + i);
      for (Extent v = 0; v < Vectors; ++v)
        sums[i][v] = _mm256_fmadd_ps(factor, line[v], sums[i][v]);
    }
  }
  for (Extent i = 0; i < 4; ++i)
    for (Extent v = 0; v < Vectors; ++v)
      _mm256_storeu_ps(c + i * columns + 8 * v, sums[i][v]);
}

__attribute__((target("avx2,fma"))) void multiply_accumulate_avx2(const float* a, const float* b, float* c, Extent rows,
                                                                  Extent columns, Extent depth) {
  if (columns < 16)
    return fused_loops(a, b, c, rows, columns, depth);
  for (Extent i = 0; i < rows; i += 4)
    for (Extent j = 0; j < columns; j += 16)
      four_rows_avx2<2>(a + i, b + j, c + i * columns + j, rows, columns, depth);
}

template <int Vectors>
__attribute__((target("avx512f"))) void four_rows_avx512(const float* a, const float* b, float* c, Extent rows,
                                                         Extent columns, Extent depth) {
  __m512 sums[4][Vectors];
  for (Extent i = 0; i < 4; ++i)
    for (Extent v = 0; v < Vectors; ++v)
      sums[i][v] = _mm512_loadu_ps(c + i * columns + 16 * v);
  for (Extent k = 0; k < depth; ++k) {
    __m512 line[Vectors];
    for (Extent v = 0; v < Vectors; ++v)
      line[v] = _mm512_loadu_ps(b + k * columns + 16 * v);
    for (Extent i = 0; i < 4; ++i) {
      const __m512 factor = _mm512_set1_ps(a[k * rows + i]);
      for (Extent v = 0; v < Vectors; ++v)
        sums[i][v] = _mm512_fmadd_ps(factor, line[v], sums[i][v]);
    }
  }
  for (Extent i = 0; i < 4; ++i)
    for (Extent v = 0; v < Vectors; ++v)
      _mm512_storeu_ps(c + i * columns + 16 * v, sums[i][v]);
}

__attribute__((target("avx512f,fma"))) void multiply_accumulate_avx512(const float* a, const float* b, float* c,
                                                                       Extent rows, Extent columns, Extent depth) {
  if (columns < 16)
    return fused_loops(a, b, c, rows, columns, depth);
  for (Extent i = 0; i < rows; i += 4) {
    if (columns == 32)
      four_rows_avx512<2>(a + i, b, c + i * columns, rows, columns, depth);
    else
      four_rows_avx512<1>(a + i, b, c + i * columns, rows, columns, depth);
  }
}

#endif

using FloatKernel = void (*)(const float*, const float*, float*, Extent, Extent, Extent);

FloatKernel kernel_of(VectorPath path) {
#if defined(__x86_64__)
  if (path == VectorPath::avx512)
    return multiply_accumulate_avx512;
  if (path == VectorPath::avx2)
    return multiply_accumulate_avx2;
#endif
  static_cast<void>(path);
  return fused_portable<float>;
}

VectorPath best_path() {
  if (vector_path_available(VectorPath::avx512))
    return VectorPath::avx512;
  return vector_path_available(VectorPath::avx2) ? VectorPath::avx2 : VectorPath::portable;
}

bool has_avx2() {
  static const bool available = vector_path_available(VectorPath::avx2);
  return available;
}

} // namespace

bool vector_path_available(VectorPath path) {
#if defined(__x86_64__)
  if (path == VectorPath::avx512)
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("fma");
  if (path == VectorPath::avx2)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#endif
  return path == VectorPath::portable;
}

void multiply_accumulate_on(VectorPath path, const float* a, const float* b, float* c, int rows, int columns,
                            int depth) {
  kernel_of(path)(a, b, c, rows, columns, depth);
}

void multiply_accumulate(const float* a, const float* b, float* c, int rows, int columns, int depth) {
  static const FloatKernel kernel = kernel_of(best_path());
  kernel(a, b, c, rows, columns, depth);
}

void multiply_accumulate(const double* a, const double* b, double* c, int rows, int columns, int depth) {
#if defined(__x86_64__)
  if (has_avx2())
    return fused_avx2(a, b, c, rows, columns, depth);
#endif
  fused_portable(a, b, c, rows, columns, depth);
}

void multiply_accumulate(const std::int32_t* a, const std::int32_t* b, std::int32_t* c, int rows, int columns,
                         int depth) {
#if defined(__x86_64__)
  if (has_avx2())
    return integers_avx2(a, b, c, rows, columns, depth);
#endif
  integers_portable(a, b, c, rows, columns, depth);
}

} // namespace hk::sim
