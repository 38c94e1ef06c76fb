/* One attention call from C, on whatever device HK_DEVICE names (default: the first AMD GPU).
 *
 *     HK_DEVICE=sim:mi355x ./attention_example
 *
 * The queries and keys are zero, so every key weighs the same and each output row is the mean of the value rows that it
 * sees: with a causal mask, row i gives the mean of 0 ... i, which is i / 2.
 */
#include <stdio.h>
#include <stdlib.h>

#include "hk/hk.h"

enum { HEADS = 8, KV_HEADS = 2, ROWS = 64, COLUMNS = 128 };

/* Whole numbers up to 256 are bfloat16 numbers: the upper half of their float. */
static uint16_t to_bfloat16(float value) {
  union {
    float number;
    uint32_t bits;
  } both;
  both.number = value;
  return (uint16_t)(both.bits >> 16);
}

static float from_bfloat16(uint16_t bits) {
  union {
    uint32_t bits;
    float number;
  } both;
  both.bits = (uint32_t)bits << 16;
  return both.number;
}

/* Dense [1][heads][ROWS][COLUMNS] on the device; row r holds r * step. */
static void* make_tensor(hk_context* context, int heads, float step) {
  const size_t bytes = (size_t)heads * ROWS * COLUMNS * sizeof(uint16_t);
  uint16_t* host = malloc(bytes);
  void* device = NULL;
  int i;
  for (i = 0; i < heads * ROWS * COLUMNS; ++i)
    host[i] = to_bfloat16((float)(i / COLUMNS % ROWS) * step);
  if (hk_memory_allocate(context, bytes, &device) == HK_STATUS_SUCCESS)
    hk_memory_copy(context, device, host, bytes, NULL);
  free(host);
  return device;
}

static hk_tensor dense(void* data, int heads) {
  const hk_tensor tensor = {data, HK_DTYPE_BFLOAT16, 0, (int64_t)heads * ROWS * COLUMNS, ROWS * COLUMNS, COLUMNS};
  return tensor;
}

int main(void) {
  hk_context* context = NULL;
  hk_attention_args args = HK_ATTENTION_ARGS_INIT;
  uint16_t last_row[COLUMNS] = {0};
  hk_status status = hk_context_create(NULL, &context);
  if (status == HK_STATUS_SUCCESS) {
    args.batch = 1;
    args.heads_q = HEADS;
    args.heads_kv = KV_HEADS;
    args.seq_q = args.seq_k = ROWS;
    args.head_dim = COLUMNS;
    args.mask = HK_MASK_CAUSAL_BOTTOM_RIGHT;
    args.q = dense(make_tensor(context, HEADS, 0.0f), HEADS);
    args.k = dense(make_tensor(context, KV_HEADS, 0.0f), KV_HEADS);
    args.v = dense(make_tensor(context, KV_HEADS, 1.0f), KV_HEADS);
    args.o = dense(make_tensor(context, HEADS, 0.0f), HEADS);
    status = hk_attention(context, &args, NULL, 0, NULL);
  }
  if (status == HK_STATUS_SUCCESS)
    status = hk_memory_copy(context, last_row, (uint16_t*)args.o.data + (ROWS - 1) * COLUMNS, sizeof(last_row), NULL);
  if (status == HK_STATUS_SUCCESS)
    printf("last row: %g, expected %g\n", from_bfloat16(last_row[0]), (ROWS - 1) / 2.0);
  else
    printf("%s: %s\n", hk_status_name(status), hk_last_error_message());
  if (context != NULL) {
    hk_memory_free(context, args.q.data);
    hk_memory_free(context, args.k.data);
    hk_memory_free(context, args.v.data);
    hk_memory_free(context, args.o.data);
  }
  hk_context_destroy(context);
  return status == HK_STATUS_SUCCESS && from_bfloat16(last_row[0]) == (ROWS - 1) / 2.0f ? 0 : 1;
}
