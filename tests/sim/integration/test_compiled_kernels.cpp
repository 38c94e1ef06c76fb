// What hipRTC makes of ordinary HIP, optimised and not, for both targets; expected values are computed on the host.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <functional>

#include "compiled_kernels.h"

using namespace hk::sim;
using namespace hk::sim::testing;

namespace {

constexpr const char* k_source = R"hip(
typedef unsigned int u32;
typedef unsigned long long u64;

extern "C" __global__ void vector_add(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

extern "C" __global__ void geometry(u32* out) {
  u32 x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  u32 z = blockIdx.z * blockDim.z + threadIdx.z;
  u32 width = gridDim.x * blockDim.x, height = gridDim.y * blockDim.y;
  out[(z * height + y) * width + x] = x | y << 8 | z << 16 | gridDim.z << 24;
}

extern "C" __global__ void block_sum(const u32* in, u32* out) {
  __shared__ u32 partial[4];
  u32 value = in[blockIdx.x * 256 + threadIdx.x];
  for (int step = 32; step > 0; step /= 2)
    value += __shfl_down(value, step);
  if (threadIdx.x % 64 == 0)
    partial[threadIdx.x / 64] = value;
  __syncthreads();
  if (threadIdx.x == 0)
    out[blockIdx.x] = partial[0] + partial[1] + partial[2] + partial[3];
}

extern "C" __global__ void private_array(const u32* in, u32* out) {
  u32 values[32];
  for (u32 i = 0; i < 32; ++i)
    values[i] = i * i + threadIdx.x;
  u32 sum = 0;
  for (u32 i = 0; i < 8; ++i) {
    u32 where = in[threadIdx.x * 8 + i] & 31;
    values[where] += 7;
    sum = sum * 3 + values[(where + i) & 31];
  }
  out[threadIdx.x] = sum;
}

__device__ __attribute__((noinline)) u32 fibonacci(u32 n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
extern "C" __global__ void recursion(u32* out) {
  out[threadIdx.x] = fibonacci(threadIdx.x % 10);
}

extern "C" __global__ void wide_integers(const u64* a, const u64* b, u64* out) {
  u32 i = threadIdx.x;
  out[4 * i] = a[i] / b[i];
  out[4 * i + 1] = a[i] % b[i];
  out[4 * i + 2] = (u64)((long long)a[i] / (long long)(b[i] | 1));
  out[4 * i + 3] = a[i] * b[i] + (a[i] >> (b[i] & 63));
}

extern "C" __global__ void doubles(const double* a, double* out) {
  u32 i = threadIdx.x;
  out[4 * i] = a[i] / 3.7;
  out[4 * i + 1] = sqrt(a[i]);
  out[4 * i + 2] = fma(a[i], a[i], -1.0);
  out[4 * i + 3] = (double)(long long)(a[i] * 1000.0);
}

extern "C" __global__ void floats(const float* a, float* out) {
  u32 i = threadIdx.x;
  out[4 * i] = a[i] / 3.7f;
  out[4 * i + 1] = sqrtf(a[i]);
  out[4 * i + 2] = expf(-a[i]) + logf(a[i]);
  out[4 * i + 3] = (float)(_Float16)a[i];
}

extern "C" __global__ void atomics(u32* counters, float* sum, u32* tickets) {
  __shared__ u32 local;
  if (threadIdx.x == 0)
    local = 0;
  __syncthreads();
  atomicAdd(&local, threadIdx.x);
  atomicAdd(&counters[threadIdx.x % 3], 1u);
  atomicMax(&counters[3], blockIdx.x * 1000 + threadIdx.x);
  atomicAdd(sum, 0.5f);
  tickets[atomicAdd(&counters[4], 1u)] = 1;
  __syncthreads();
  if (threadIdx.x == 0)
    atomicCAS(&counters[5], 0u, local);
}

__device__ const u32 k_table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
extern "C" __global__ void table(u32* out) {
  out[threadIdx.x] = k_table[(threadIdx.x * 7) & 15];
}

__device__ __attribute__((noinline)) void through_generic(u32* target, u32 value) {
  *target += value;
}
extern "C" __global__ void generic_pointers(u32* global_out) {
  __shared__ u32 shared[64];
  u32 own = threadIdx.x;
  shared[threadIdx.x] = 100;
  through_generic(&shared[threadIdx.x], threadIdx.x);
  through_generic(&own, 5);
  through_generic(&global_out[threadIdx.x], shared[threadIdx.x] * 1000 + own);
}

extern "C" __global__ void divergence(u32* out) {
  u32 i = threadIdx.x, sum = 0;
  for (u32 round = 0; round < i % 17 + 1; ++round) {
    if (round % 3 == 1)
      continue;
    u32 step = i;
    while (true) {
      sum += step;
      if (step % 5 == 0 || step > 200)
        break;
      step += round + 1;
    }
    if (sum > 5000)
      break;
  }
  switch (i % 4) {
  case 0: sum += 1; break;
  case 1: sum ^= 0xff; break;
  case 2: sum *= 3; break;
  }
  out[i] = sum;
}

extern "C" __global__ void masks(u64* out) {
  u64 votes = __ballot(threadIdx.x % 3 == 0);
  u32 own = __popcll(votes & ((1ull << (threadIdx.x % 64)) - 1));
  out[threadIdx.x] = votes ^ ((u64)own << 32) ^ (u64)__ffsll(votes >> (threadIdx.x % 32)) ^ (u64)__clz(threadIdx.x);
}

extern "C" __global__ void dynamic_lds(u32* out, int n) {
  extern __shared__ u32 all[];
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    all[i] = i * 3;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[i] = all[n - 1 - i];
}
)hip";

struct Build {
  Target target;
  const char* optimisation;
};

// Compiled once for all test cases.
CompiledKernels& kernels(const Build& build) {
  static std::map<std::pair<Target, std::string>, std::unique_ptr<CompiledKernels>> made;
  auto& entry = made[{build.target, build.optimisation}];
  if (entry == nullptr)
    entry = std::make_unique<CompiledKernels>(build.target, k_source, build.optimisation);
  entry->clear();
  return *entry;
}

// Runs the body for every target, optimised or not, in order and under two seeds.
void everywhere(const std::function<void(CompiledKernels&, const DispatchOptions&)>& body) {
  for (const Build& build : {Build{Target::gfx942, "-O3"}, Build{Target::gfx942, "-O0"}, Build{Target::gfx950, "-O3"},
                             Build{Target::gfx950, "-O0"}}) {
    CAPTURE(std::string(target_name(build.target)));
    CAPTURE(std::string(build.optimisation));
    body(kernels(build), {});
    for (const std::uint64_t seed : {1, 2})
      body(kernels(build), {.schedule_seed = seed});
  }
}

constexpr std::size_t k_a = 0;
constexpr std::size_t k_b = 1 << 18;
constexpr std::size_t k_out = 2 << 18;

} // namespace

TEST_CASE("vector add with a tail") {
  everywhere([](CompiledKernels& device, const DispatchOptions& options) {
    for (int i = 0; i < 1024; ++i) {
      device.at<float>(k_a)[i] = float(i) * 0.25f;
      device.at<float>(k_b)[i] = float(1000 - i);
    }
    device.run("vector_add", {{4, 1, 1}, {256, 1, 1}, 0, options}, device.address(k_a), device.address(k_b),
               device.address(k_out), 1000);
    for (int i = 0; i < 1024; ++i)
      CHECK(device.at<float>(k_out)[i] == (i < 1000 ? float(i) * 0.25f + float(1000 - i) : 0.0f));
  });
}

TEST_CASE("block and thread indices in three dimensions") {
  everywhere([](CompiledKernels& device, const DispatchOptions& options) {
    device.run("geometry", {{3, 2, 2}, {5, 7, 3}, 0, options}, device.address(k_out));
    for (std::uint32_t z = 0; z < 6; ++z)
      for (std::uint32_t y = 0; y < 14; ++y)
        for (std::uint32_t x = 0; x < 15; ++x)
          CHECK(device.at<std::uint32_t>(k_out)[(z * 14 + y) * 15 + x] == (x | y << 8 | z << 16 | 2U << 24));
  });
}

TEST_CASE("sum over a block by shuffles and LDS") {
  everywhere([](CompiledKernels& device, const DispatchOptions& options) {
    std::uint32_t expected[3] = {};
    for (std::uint32_t i = 0; i < 768; ++i) {
      device.at<std::uint32_t>(k_a)[i] = i * i;
      expected[i / 256] += i * i;
    }
    device.run("block_sum", {{3, 1, 1}, {256, 1, 1}, 0, options}, device.address(k_a), device.address(k_out));
    for (int i = 0; i < 3; ++i)
      CHECK(device.at<std::uint32_t>(k_out)[i] == expected[i]);
  });
}

TEST_CASE("arrays in scratch") {
  everywhere([](CompiledKernels& device, const DispatchOptions& options) {
    for (std::uint32_t i = 0; i < 128 * 8; ++i)
      device.at<std::uint32_t>(k_a)[i] = i * 2654435761U >> 7;
    device.run("private_array", {{1, 1, 1}, {128, 1, 1}, 0, options}, device.address(k_a), device.address(k_out));
    for (std::uint32_t lane = 0; lane < 128; ++lane) {
      std::uint32_t values[32];
      for (std::uint32_t i = 0; i < 32; ++i)
        values[i] = i * i + lane;
      std::uint32_t sum = 0;
      for (std::uint32_t i = 0; i < 8; ++i) {
        const std::uint32_t where = device.at<std::uint32_t>(k_a)[lane * 8 + i] & 31;
        values[where] += 7;
        sum = sum * 3 + values[(where + i) & 31];
      }
      CHECK(device.at<std::uint32_t>(k_out)[lane] == sum);
    }
  });
}

TEST_CASE("recursive calls on a stack that grows as they go") {
  everywhere([](CompiledKernels& device, const DispatchOptions& options) {
    device.run("recursion", {{1, 1, 1}, {100, 1, 1}, 0, options}, device.address(k_out));
    constexpr std::uint32_t expected[10] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34};
    for (std::uint32_t i = 0; i < 100; ++i)
      CHECK(device.at<std::uint32_t>(k_out)[i] == expected[i % 10]);
  });
}

TEST_CASE("64-bit integers") {
  everywhere([](CompiledKernels& device, const DispatchOptions& options) {
    std::uint64_t state = 88172645463325252;
    const auto next = [&] {
      state ^= state << 13;
      state ^= state >> 7;
      return state ^= state << 17;
    };
    auto* const a = device.at<std::uint64_t>(k_a);
    auto* const b = device.at<std::uint64_t>(k_b);
    for (int i = 0; i < 64; ++i) {
      a[i] = next() >> (i % 40);
      b[i] = (next() >> (i * 7 % 60)) | 1;
    }
    device.run("wide_integers", {{1, 1, 1}, {64, 1, 1}, 0, options}, device.address(k_a), device.address(k_b),
               device.address(k_out));
    const auto* const out = device.at<std::uint64_t>(k_out);
    for (int i = 0; i < 64; ++i) {
      CHECK(out[4 * i] == a[i] / b[i]);
      CHECK(out[4 * i + 1] == a[i] % b[i]);
      CHECK(std::int64_t(out[4 * i + 2]) == std::int64_t(a[i]) / std::int64_t(b[i] | 1));
      CHECK(out[4 * i + 3] == a[i] * b[i] + (a[i] >> (b[i] & 63)));
    }
  });
}

TEST_CASE("double arithmetic is correctly rounded where IEEE says so") {
  everywhere([](CompiledKernels& device, const DispatchOptions& options) {
    auto* const a = device.at<double>(k_a);
    for (int i = 0; i < 64; ++i)
      a[i] = 0.001 + i * 1.37;
    device.run("doubles", {{1, 1, 1}, {64, 1, 1}, 0, options}, device.address(k_a), device.address(k_out));
    const auto* const out = device.at<double>(k_out);
    for (int i = 0; i < 64; ++i) {
      CHECK(out[4 * i] == a[i] / 3.7);
      CHECK(out[4 * i + 1] == std::sqrt(a[i]));
      CHECK(out[4 * i + 2] == std::fma(a[i], a[i], -1.0));
      CHECK(out[4 * i + 3] == double(std::int64_t(a[i] * 1000.0)));
    }
  });
}

TEST_CASE("float arithmetic") {
  everywhere([](CompiledKernels& device, const DispatchOptions& options) {
    auto* const a = device.at<float>(k_a);
    for (int i = 0; i < 64; ++i)
      a[i] = 0.5f + float(i) * 0.25f;
    device.run("floats", {{1, 1, 1}, {64, 1, 1}, 0, options}, device.address(k_a), device.address(k_out));
    const auto* const out = device.at<float>(k_out);
    for (int i = 0; i < 64; ++i) {
      CHECK(out[4 * i] == a[i] / 3.7f);
      CHECK(out[4 * i + 1] == std::sqrt(a[i]));
      const double exact = std::exp(-double(a[i])) + std::log(double(a[i]));
      CHECK(std::fabs(out[4 * i + 2] - exact) <= 4e-7 * (1.0 + std::fabs(exact)));
      CHECK(out[4 * i + 3] == a[i]); // a multiple of 1/4 below 32 fits into 11 bits
    }
  });
}

TEST_CASE("atomics on global memory and LDS") {
  everywhere([](CompiledKernels& device, const DispatchOptions& options) {
    device.run("atomics", {{5, 1, 1}, {96, 1, 1}, 0, options}, device.address(k_a), device.address(k_b),
               device.address(k_out));
    const auto* const counters = device.at<std::uint32_t>(k_a);
    for (int i = 0; i < 3; ++i)
      CHECK(counters[i] == 160);
    CHECK(counters[3] == 4095);
    CHECK(counters[4] == 480);
    CHECK(counters[5] == 95 * 96 / 2);
    CHECK(*device.at<float>(k_b) == 240.0f);
    for (int i = 0; i < 480; ++i)
      CHECK(device.at<std::uint32_t>(k_out)[i] == 1);
  });
}

TEST_CASE("constant tables in the code object") {
  everywhere([](CompiledKernels& device, const DispatchOptions& options) {
    device.run("table", {{1, 1, 1}, {64, 1, 1}, 0, options}, device.address(k_out));
    constexpr std::uint32_t table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
    for (std::uint32_t i = 0; i < 64; ++i)
      CHECK(device.at<std::uint32_t>(k_out)[i] == table[i * 7 & 15]);
  });
}

TEST_CASE("generic pointers to global memory, LDS and scratch") {
  everywhere([](CompiledKernels& device, const DispatchOptions& options) {
    for (std::uint32_t i = 0; i < 64; ++i)
      device.at<std::uint32_t>(k_out)[i] = 7;
    device.run("generic_pointers", {{1, 1, 1}, {64, 1, 1}, 0, options}, device.address(k_out));
    for (std::uint32_t i = 0; i < 64; ++i)
      CHECK(device.at<std::uint32_t>(k_out)[i] == 7 + (100 + i) * 1000 + i + 5);
  });
}

TEST_CASE("divergent loops and branches") {
  everywhere([](CompiledKernels& device, const DispatchOptions& options) {
    device.run("divergence", {{1, 1, 1}, {128, 1, 1}, 0, options}, device.address(k_out));
    for (std::uint32_t i = 0; i < 128; ++i) {
      std::uint32_t sum = 0;
      for (std::uint32_t round = 0; round < i % 17 + 1 && sum <= 5000; ++round) {
        if (round % 3 == 1)
          continue;
        std::uint32_t step = i;
        for (sum += step; step % 5 != 0 && step <= 200; sum += step)
          step += round + 1;
      }
      if (i % 4 == 0)
        sum += 1;
      else if (i % 4 == 1)
        sum ^= 0xff;
      else if (i % 4 == 2)
        sum *= 3;
      CHECK(device.at<std::uint32_t>(k_out)[i] == sum);
    }
  });
}

TEST_CASE("lane masks and bit counts") {
  everywhere([](CompiledKernels& device, const DispatchOptions& options) {
    device.run("masks", {{1, 1, 1}, {128, 1, 1}, 0, options}, device.address(k_out));
    for (std::uint32_t i = 0; i < 128; ++i) {
      std::uint64_t votes = 0;
      for (std::uint32_t lane = 0; lane < 64; ++lane)
        votes |= (i / 64 * 64 + lane) % 3 == 0 ? std::uint64_t{1} << lane : 0;
      const std::uint64_t below = votes & ((std::uint64_t{1} << (i % 64)) - 1);
      const std::uint64_t expected = votes ^ std::uint64_t(std::popcount(below)) << 32 ^
                                     std::uint64_t(std::countr_zero(votes >> (i % 32)) + 1) ^
                                     std::uint64_t(std::countl_zero(i));
      CHECK(device.at<std::uint64_t>(k_out)[i] == expected);
    }
  });
}

TEST_CASE("LDS whose size the launch decides") {
  everywhere([](CompiledKernels& device, const DispatchOptions& options) {
    device.run("dynamic_lds", {{1, 1, 1}, {96, 1, 1}, 4000, options}, device.address(k_out), 1000);
    for (std::uint32_t i = 0; i < 1000; ++i)
      CHECK(device.at<std::uint32_t>(k_out)[i] == (999 - i) * 3);
  });
}
