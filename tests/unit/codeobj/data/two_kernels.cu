// Kernels whose needs ptxas reports (--ptxas-options=-v, NVRTC 13.0):
//   in_dynamic   10 registers (sm_90a), 8 (sm_80), no stack, launch bound 128
//   with_stack   27 registers (sm_90a), 32 (sm_80), 800 bytes stack frame, 320 bytes of static shared memory
extern "C" __constant__ unsigned in_dynamic__shared_bytes = 70000;

extern "C" __global__ void __launch_bounds__(128) in_dynamic(float* p, int n) {
  extern __shared__ float shared[];
  shared[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = shared[n];
}

extern "C" __global__ void with_stack(float* p, int n) {
  float values[200];
  __shared__ float shared[77];
  for (int i = 0; i < n; ++i) {
    values[i] = p[i];
    shared[i % 77] = p[i];
  }
  for (int i = 0; i < n; ++i)
    p[i] = values[p[i] > 1 ? i : n - i] + shared[i % 7];
}
