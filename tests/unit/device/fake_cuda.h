/* What a test sets in the fake CUDA driver (fake_cuda.c) and reads from it. */
#ifndef HK_TESTS_FAKE_CUDA_H
#define HK_TESTS_FAKE_CUDA_H

struct fake_cuda_state {
  int init_result;
  int devices;
  int load_result;
  int function_result;
  int attribute_result;
  int launch_result;
  int allocate_result;
  int capture_query_result;
  int capturing; /* what cuStreamIsCapturing says of every stream */
  int synchronize_result;
  int retained;         /* primary contexts held */
  int loaded;           /* modules */
  int shared_attribute; /* last value of MAX_DYNAMIC_SHARED_SIZE_BYTES */
  int launches;
  unsigned launch_shared;
  unsigned launch_block;
  unsigned long launch_bytes;
  unsigned char launch_first_byte;
  void* launch_context; /* current then */
  int synchronized;     /* streams */
  int context_synchronized;
};

#endif
