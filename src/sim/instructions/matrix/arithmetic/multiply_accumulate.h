#pragma once
// The arithmetic of the matrix unit on plain arrays.

#include <cstdint>

namespace hk::sim {

// c[i][j] += sum over k of a[k][i] * b[k][j], with a: depth x rows, b: depth x columns, c: rows x columns, all packed.
// One fused multiply-add per product, k ascending, round to nearest even, subnormals kept: the products of formats
// up to 16 bits are exact in binary32, so only the additions round. (The hardware adds groups of products at once
// before it rounds, in an order that its documents do not give; this order is the simulator's choice.) The result is
// the same bit pattern on every host: each vector path does the same fused operations. rows must be a multiple of 4,
// columns one of 4, 16, 32.
void multiply_accumulate(const float* a, const float* b, float* c, int rows, int columns, int depth);
void multiply_accumulate(const double* a, const double* b, double* c, int rows, int columns, int depth);
// Modulo 2^32.
void multiply_accumulate(const std::int32_t* a, const std::int32_t* b, std::int32_t* c, int rows, int columns,
                         int depth);

// The paths that the float form chooses from, for tests.
enum class VectorPath : std::uint8_t { portable, avx2, avx512 };
bool vector_path_available(VectorPath path);
void multiply_accumulate_on(VectorPath path, const float* a, const float* b, float* c, int rows, int columns,
                            int depth);

} // namespace hk::sim
