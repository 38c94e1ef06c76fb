#include "sim/instructions/matrix/arithmetic/widen_f16.h"

#include "sim/instructions/matrix/arithmetic/number_formats.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace hk::sim {

namespace {

#if defined(__x86_64__)

__attribute__((target("avx2,f16c"))) void widen_f16_native(const std::uint32_t (&words)[k_wave_size], unsigned shift,
                                                           float* line) {
  const __m128i count = _mm_cvtsi32_si128(int(shift));
  const __m256i low_half = _mm256_set1_epi32(0xffff);
  for (int lane = 0; lane < k_wave_size; lane += 8) {
    const __m256i word = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(words + lane));
    const __m256i halves = _mm256_and_si256(_mm256_srl_epi32(word, count), low_half);
    // packus works within 128-bit lanes: the halves of lanes 0..3 and 4..7 end up 128 bits apart
    const __m256i packed = _mm256_permute4x64_epi64(_mm256_packus_epi32(halves, halves), 0b00001000);
    _mm256_storeu_ps(line + lane, _mm256_cvtph_ps(_mm256_castsi256_si128(packed)));
  }
}

#endif

} // namespace

void widen_f16_portable(const std::uint32_t (&words)[k_wave_size], unsigned shift, float* line) {
  for (int lane = 0; lane < k_wave_size; ++lane)
    line[lane] = float_from_f16((words[lane] >> shift) & 0xffffu);
}

void widen_f16(const std::uint32_t (&words)[k_wave_size], unsigned shift, float* line) {
#if defined(__x86_64__)
  static const bool native = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("f16c");
  if (native)
    return widen_f16_native(words, shift, line);
#endif
  widen_f16_portable(words, shift, line);
}

} // namespace hk::sim
