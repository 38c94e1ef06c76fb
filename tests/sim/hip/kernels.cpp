#include "sim/hip/kernels.h"

#include <map>
#include <string>

#include "sim/hip/hiprtc.h"

namespace hk::sim::testing {
namespace {

constexpr const char* k_source = R"(
__device__ int counter = 41;
__constant__ float scale = 2.0f;

extern "C" __global__ void vector_add(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

extern "C" __global__ void add_one(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    values[i] += 1;
}

extern "C" __global__ void read_globals(int* out) {
  counter += 1;
  out[0] = counter;
  out[1] = (int)scale;
}

extern "C" __global__ void reverse_block(const int* in, int* out) {
  extern __shared__ int staged[];
  staged[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = staged[blockDim.x - 1 - threadIdx.x];
}

extern "C" __global__ void grid_facts(unsigned* out) {
  if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0) {
    const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    out[block] = gridDim.x * 1000000 + gridDim.y * 10000 + gridDim.z * 100 + blockDim.x + blockDim.y + blockDim.z;
  }
}

// Lane 5 of the workgroup `group` stores `distance` elements behind out.
extern "C" __global__ void store_behind(int* out, int group, int distance) {
  if ((int)blockIdx.x == group && threadIdx.x == 5)
    out[distance] = 7;
}

extern "C" __global__ __launch_bounds__(128) void bounded(int* out) {
  out[threadIdx.x] = 1;
}

extern "C" __global__ void write_constant(int* out) {
  *(volatile float*)&scale = 3.0f;
  out[0] = 1;
}
)";

} // namespace

const std::optional<std::vector<std::byte>>& test_kernels(const char* target) {
  static std::map<std::string, std::optional<std::vector<std::byte>>> compiled;
  if (!hiprtc_exists()) {
    MESSAGE("skipped: this machine has no hipRTC");
    return compiled[""];
  }
  const auto found = compiled.find(target);
  // A failed compile throws here and leaves no entry, so that the next test fails as well.
  return found != compiled.end() ? found->second
                                 : compiled.emplace(target, compile_with_hiprtc(k_source, target)).first->second;
}

TestModule::TestModule() {
  int device = 0;
  REQUIRE_HIP(hipGetDevice(&device));
  hipDeviceProp_t properties;
  REQUIRE_HIP(hipGetDeviceProperties(&properties, device));
  const std::optional<std::vector<std::byte>>& code = test_kernels(properties.gcnArchName);
  if (code)
    REQUIRE_HIP(hipModuleLoadData(&m_module, code->data()));
}

TestModule::~TestModule() {
  if (m_module != nullptr)
    static_cast<void>(hipModuleUnload(m_module));
}

hipFunction_t TestModule::function(const char* name) const {
  hipFunction_t function = nullptr;
  REQUIRE_HIP(hipModuleGetFunction(&function, m_module, name));
  return function;
}

hipError_t launch(hipFunction_t function, unsigned grid, unsigned block, unsigned dynamic_lds, hipStream_t stream,
                  std::vector<void*> arguments) {
  return hipModuleLaunchKernel(function, grid, 1, 1, block, 1, 1, dynamic_lds, stream, arguments.data(), nullptr);
}

} // namespace hk::sim::testing
