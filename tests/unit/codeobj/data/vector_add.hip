// Two kernels and a device global whose address needs a relocation, for the tests of code-object reading.
extern "C" __global__ void vector_add(const float* a, const float* b, float* c, int n) {
  __shared__ float staged[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  staged[threadIdx.x & 63] = a[i];
  __syncthreads();
  if (i < n)
    c[i] = staged[(threadIdx.x + 1) & 63] + b[i];
}
__device__ int counter;
__constant__ int* pointer_to_counter = &counter;
extern "C" __global__ __launch_bounds__(128) void add_counter(int* a) {
  extern __shared__ int dynamic[];
  dynamic[threadIdx.x] = a[0];
  __syncthreads();
  a[threadIdx.x] = dynamic[a[1]] + *pointer_to_counter;
}
