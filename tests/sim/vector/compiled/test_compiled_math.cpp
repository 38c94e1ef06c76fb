// Arithmetic as the compiler expands it: library functions, narrow formats and 64-bit integers, from HIP source to
// results on both targets, optimised and not.

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <random>

#include "sim/integration/compiled_kernels.h"
#include "sim/vector/reference_formats.h"

using namespace hk::sim;
using namespace hk::sim::testing;

namespace {

constexpr unsigned k_count = 1024;

const char* const k_source = R"(
#define KERNEL extern "C" __global__ void
#define MAP(name, type, expression)                                                                                    \
  KERNEL name(const type* a, const type* b, type* out) {                                                               \
    const int i = blockIdx.x * blockDim.x + threadIdx.x;                                                               \
    const type x = a[i], y = b[i];                                                                                     \
    out[i] = expression;                                                                                               \
  }
MAP(exp_f, float, expf(x))
MAP(exp2_f, float, exp2f(x))
MAP(log_f, float, logf(x))
MAP(log2_f, float, log2f(x))
MAP(sin_f, float, sinf(x))
MAP(cos_f, float, cosf(x))
MAP(tanh_f, float, tanhf(x))
MAP(erf_f, float, erff(x))
MAP(pow_f, float, powf(x, y))
MAP(sqrt_f, float, sqrtf(x))
MAP(divide_f, float, x / y)
MAP(remainder_f, float, fmodf(x, y))
MAP(fused_f, float, fmaf(x, y, x))
MAP(scale_f, float, ldexpf(x, int(y)))
MAP(smaller_f, float, fminf(x, y))
MAP(larger_f, float, fmaxf(x, y))
MAP(round_f, float, rintf(x))
MAP(divide_d, double, x / y)
MAP(sqrt_d, double, sqrt(x))
MAP(exp_d, double, exp(x))
MAP(log_d, double, log(x))
MAP(sin_d, double, sin(x))
MAP(divide_u, unsigned, x / y)
MAP(modulo_u, unsigned, x % y)
MAP(divide_i, int, x / y)
MAP(divide_l, long long, x / y)
MAP(modulo_ul, unsigned long long, x % y)
MAP(high_ul, unsigned long long, __umul64hi(x, y))
MAP(high_i, int, __mulhi(x, y))
MAP(count_u, unsigned, __popc(x) * 100 + __clz(y))
MAP(reverse_u, unsigned, __brev(x) ^ __byte_perm(x, y, 0x3715))
MAP(sum_h, _Float16, x + y)
MAP(product_h, _Float16, x * y)
MAP(quotient_h, _Float16, x / y)
MAP(fused_h, _Float16, __builtin_fmaf16(x, y, x))
typedef _Float16 pair_of_halves __attribute__((ext_vector_type(2)));
MAP(fused_h2, pair_of_halves, x * y + x)
KERNEL to_bf16(const float* a, const float* b, __bf16* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = (__bf16)a[i];
}
KERNEL to_half(const float* a, const float* b, _Float16* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = (_Float16)a[i];
}
KERNEL to_int(const float* a, const float* b, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = (int)a[i];
}
KERNEL to_double(const long long* a, const long long* b, double* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = (double)a[i];
}
)";

// One compiled copy of the source per target and optimisation level.
CompiledKernels& kernels(Target target, const std::string& level) {
  static std::map<std::string, std::unique_ptr<CompiledKernels>> compiled;
  auto& entry = compiled[target_name(target) + level];
  if (entry == nullptr)
    entry = std::make_unique<CompiledKernels>(target, k_source, level);
  return *entry;
}

struct Setting {
  Target target;
  const char* level;
};
constexpr Setting k_settings[] = {
    {Target::gfx942, "-O0"}, {Target::gfx942, "-O3"}, {Target::gfx950, "-O0"}, {Target::gfx950, "-O3"}};

template <typename In, typename Out, typename Make, typename Check>
void run(const std::string& name, Make make, Check check) {
  for (const Setting& setting : k_settings) {
    CAPTURE(name);
    CAPTURE(target_name(setting.target));
    CAPTURE(setting.level);
    CompiledKernels& compiled = kernels(setting.target, setting.level);
    constexpr std::size_t second = 256 << 10;
    constexpr std::size_t result = 512 << 10;
    std::mt19937_64 random(97);
    for (unsigned i = 0; i < k_count; ++i) {
      compiled.at<In>(0)[i] = make(random, i, 0);
      compiled.at<In>(second)[i] = make(random, i, 1);
    }
    CompiledKernels::Launch launch;
    launch.workgroups = {k_count / 256, 1, 1};
    launch.size = {256, 1, 1};
    compiled.run(name, launch, compiled.address(0), compiled.address(second), compiled.address(result));
    unsigned wrong = 0;
    for (unsigned i = 0; i < k_count && wrong < 3; ++i) {
      const In a = compiled.at<In>(0)[i];
      const In b = compiled.at<In>(second)[i];
      const Out out = compiled.at<Out>(result)[i];
      if (check(a, b, out))
        continue;
      ++wrong;
      CHECK_MESSAGE(false, "element " << i << " of " << name);
    }
    CHECK(wrong == 0);
  }
}

using Random = std::mt19937_64;

std::function<float(Random&, unsigned, unsigned)> between(float lowest, float highest) {
  return [=](Random& random, unsigned, unsigned) {
    return std::uniform_real_distribution<float>(lowest, highest)(random);
  };
}

float any_float(Random& random, unsigned, unsigned) {
  return std::bit_cast<float>(std::uint32_t(random()));
}

// At most `ulps` units of the last place from the exact value.
std::function<bool(float, float, float)> close_to(std::function<long double(long double, long double)> reference,
                                                  long double ulps) {
  return [=](float a, float b, float out) {
    const long double exact = reference(a, b);
    if (std::isnan(exact))
      return std::isnan(out);
    if (float(exact) == out)
      return true;
    const int exponent = exact == 0 ? -126 : std::max(-126, std::ilogb(double(exact)));
    return std::fabs(static_cast<long double>(out) - exact) <= ulps * std::ldexp(1.0L, exponent - 23);
  };
}

// The float nearest to a result that the host computes with one rounding.
std::function<bool(float, float, float)> equal_to(std::function<float(float, float)> reference) {
  return [=](float a, float b, float out) {
    const float expected = reference(a, b);
    return std::isnan(expected) ? std::isnan(out)
                                : std::bit_cast<std::uint32_t>(expected) == std::bit_cast<std::uint32_t>(out);
  };
}

// fminf and fmaxf prefer a number to a NaN of any kind.
float number_of(float x, float y, float selected) {
  return std::isnan(x) ? y : std::isnan(y) ? x : selected;
}

std::uint16_t any_half(Random& random, unsigned, unsigned) {
  return std::uint16_t(random());
}

bool half_equals(std::uint16_t out, double exact) {
  if (std::isnan(exact))
    return (out & 0x7fff) > 0x7c00;
  if (exact == 0)
    return (out & 0x7fff) == 0;
  return out == half_bits(exact);
}

} // namespace

// The bounds in units of the last place are those of HIP's documentation of its device functions, plus one.
TEST_CASE("f32 library functions") {
  run<float, float>("exp_f", between(-100, 88), close_to([](auto x, auto) { return std::exp(x); }, 2));
  run<float, float>("exp2_f", between(-148, 127), close_to([](auto x, auto) { return std::exp2(x); }, 2));
  run<float, float>("log_f", between(1e-40F, 1e3F), close_to([](auto x, auto) { return std::log(x); }, 3));
  run<float, float>("log2_f", between(1e-40F, 1e3F), close_to([](auto x, auto) { return std::log2(x); }, 3));
  run<float, float>("sin_f", between(-1e5F, 1e5F), close_to([](auto x, auto) { return std::sin(x); }, 3));
  run<float, float>("cos_f", between(-1e30F, 1e30F), close_to([](auto x, auto) { return std::cos(x); }, 3));
  run<float, float>("tanh_f", between(-5, 5), close_to([](auto x, auto) { return std::tanh(x); }, 4));
  run<float, float>("erf_f", between(-4, 4), close_to([](auto x, auto) { return std::erf(x); }, 5));
  run<float, float>("pow_f", between(0.1F, 9), close_to([](auto x, auto y) { return std::pow(x, y); }, 3));
}

TEST_CASE("f32 operations that IEEE defines are exact on any bits") {
  run<float, float>("sqrt_f", any_float, equal_to([](float x, float) { return std::sqrt(x); }));
  run<float, float>("divide_f", any_float, equal_to([](float x, float y) { return x / y; }));
  run<float, float>("remainder_f", any_float, equal_to([](float x, float y) { return std::fmod(x, y); }));
  run<float, float>("fused_f", any_float, equal_to([](float x, float y) { return std::fma(x, y, x); }));
  run<float, float>("round_f", any_float, equal_to([](float x, float) { return std::nearbyint(x); }));
  run<float, float>("smaller_f", any_float, equal_to([](float x, float y) { return number_of(x, y, std::min(x, y)); }));
  run<float, float>("larger_f", any_float, equal_to([](float x, float y) { return number_of(x, y, std::max(x, y)); }));
  run<float, float>(
      "scale_f",
      [](Random& random, unsigned, unsigned which) {
        return which == 0 ? std::bit_cast<float>(std::uint32_t(random())) : float(std::int64_t(random() % 600) - 300);
      },
      equal_to([](float x, float y) { return std::ldexp(x, int(y)); }));
}

TEST_CASE("f64") {
  const auto any_double = [](Random& random, unsigned, unsigned) { return std::bit_cast<double>(random()); };
  const auto same = [](double expected, double out) {
    return std::isnan(expected) ? std::isnan(out)
                                : std::bit_cast<std::uint64_t>(expected) == std::bit_cast<std::uint64_t>(out);
  };
  run<double, double>("divide_d", any_double, [&](double a, double b, double out) { return same(a / b, out); });
  run<double, double>("sqrt_d", any_double, [&](double a, double, double out) { return same(std::sqrt(a), out); });
  const auto near = [](long double exact, double out) {
    return std::fabs((long double)out - exact) <= 2 * std::ldexp(1.0L, std::max(-1022, std::ilogb(double(exact))) - 52);
  };
  const auto small = [](Random& random, unsigned, unsigned) {
    return std::uniform_real_distribution<double>(0.01, 600.0)(random);
  };
  run<double, double>("exp_d", small,
                      [&](double a, double, double out) { return near(std::exp((long double)a), out); });
  run<double, double>("log_d", small,
                      [&](double a, double, double out) { return near(std::log((long double)a), out); });
  // Large angles go through the segments of 2/pi; the host's sine of a double is good to 1 ulp.
  const auto large = [](Random& random, unsigned, unsigned) {
    return std::ldexp(1.0 + double(random() >> 12) * 0x1p-52, int(random() % 900));
  };
  run<double, double>("sin_d", large, [&](double a, double, double out) { return near(std::sin(a), out); });
}

TEST_CASE("integers") {
  const auto any = [](Random& random, unsigned i, unsigned which) {
    const auto value = std::uint32_t(random() >> (random() % 32));
    return which == 1 && value == 0 ? i + 1 : value;
  };
  run<std::uint32_t, std::uint32_t>("divide_u", any, [](auto a, auto b, auto out) { return out == a / b; });
  run<std::uint32_t, std::uint32_t>("modulo_u", any, [](auto a, auto b, auto out) { return out == a % b; });
  run<std::int32_t, std::int32_t>("divide_i", any,
                                  [](auto a, auto b, auto out) { return out == std::int32_t(std::int64_t(a) / b); });
  const auto wide = [](Random& random, unsigned i, unsigned which) {
    const auto value = random() >> (random() % 64);
    return which == 1 && value == 0 ? std::uint64_t(i) + 1 : value;
  };
  run<std::int64_t, std::int64_t>("divide_l", wide, [](auto a, auto b, auto out) { return b == -1 || out == a / b; });
  run<std::uint64_t, std::uint64_t>("modulo_ul", wide, [](auto a, auto b, auto out) { return out == a % b; });
  run<std::uint64_t, std::uint64_t>("high_ul", wide, [](auto a, auto b, auto out) {
    return out == std::uint64_t((static_cast<unsigned __int128>(a) * b) >> 64);
  });
  run<std::int32_t, std::int32_t>(
      "high_i", any, [](auto a, auto b, auto out) { return out == std::int32_t((std::int64_t(a) * b) >> 32); });
  run<std::uint32_t, std::uint32_t>("count_u", any, [](auto a, auto b, auto out) {
    return out == std::uint32_t(std::popcount(a) * 100 + std::countl_zero(b));
  });
  run<std::uint32_t, std::uint32_t>("reverse_u", any, [](auto a, auto b, auto out) {
    std::uint32_t reversed = 0;
    for (int i = 0; i < 32; ++i)
      reversed |= ((a >> i) & 1) << (31 - i);
    const std::uint64_t both = (std::uint64_t(b) << 32) | a;
    std::uint32_t permuted = 0;
    const int bytes[] = {5, 1, 7, 3};
    for (int i = 0; i < 4; ++i)
      permuted |= std::uint32_t((both >> (8 * bytes[i])) & 0xff) << (8 * i);
    return out == (reversed ^ permuted);
  });
}

TEST_CASE("f16 on any bits") {
  using Half = std::uint16_t;
  run<Half, Half>("sum_h", any_half,
                  [](Half a, Half b, Half out) { return half_equals(out, half_value(a) + half_value(b)); });
  run<Half, Half>("product_h", any_half,
                  [](Half a, Half b, Half out) { return half_equals(out, half_value(a) * half_value(b)); });
  run<Half, Half>("quotient_h", any_half,
                  [](Half a, Half b, Half out) { return half_equals(out, half_value(a) / half_value(b)); });
  const auto fused = [](Half a, Half b, Half out) {
    const long double exact = (long double)half_value(a) * half_value(b) + half_value(a);
    return double(exact) != exact || half_equals(out, double(exact));
  };
  run<Half, Half>("fused_h", any_half, fused);
}

TEST_CASE("packed f16, contracted or not") {
  const auto any = [](Random& random, unsigned, unsigned) { return std::uint32_t(random()); };
  run<std::uint32_t, std::uint32_t>("fused_h2", any, [](std::uint32_t a, std::uint32_t b, std::uint32_t out) {
    for (const unsigned shift : {0U, 16U}) {
      const auto x = std::uint16_t(a >> shift);
      const double product = half_value(x) * half_value(std::uint16_t(b >> shift));
      const auto result = std::uint16_t(out >> shift);
      const bool once = half_equals(result, product + half_value(x));
      if (!once && (std::isnan(product) || !half_equals(result, half_value(half_bits(product)) + half_value(x))))
        return false;
    }
    return true;
  });
}

TEST_CASE("conversions") {
  run<float, std::uint16_t>("to_bf16", any_float, [](float a, float, std::uint16_t out) {
    const std::uint32_t source = std::bit_cast<std::uint32_t>(a);
    if (std::isnan(a))
      return (out & 0x7fff) > 0x7f80;
    const std::uint32_t sign = (source >> 16) & 0x8000;
    return out == (std::isinf(a) ? source >> 16 : sign | round_magnitude(k_bfloat16, a, To::nearest_even));
  });
  run<float, std::uint16_t>("to_half", between(-70000, 70000),
                            [](float a, float, std::uint16_t out) { return half_equals(out, a); });
  run<float, std::int32_t>("to_int", between(-2e9F, 2e9F),
                           [](float a, float, std::int32_t out) { return out == std::int32_t(a); });
  const auto any = [](Random& random, unsigned, unsigned) { return std::int64_t(random()); };
  run<std::int64_t, double>("to_double", any,
                            [](std::int64_t a, std::int64_t, double out) { return out == double(a); });
}
