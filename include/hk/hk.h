#ifndef HK_HK_H
#define HK_HK_H
/* hk: attention kernels for AMD gfx942 and gfx950, compiled at run time for exactly one GPU and one problem.
 *
 * The first call for a problem compiles a kernel and stores it in an on-disk cache; every later call only launches.
 * What hk does not do: it ships no prebuilt kernel, never prints, aborts or exits, and touches no GPU at load.
 *
 * Conventions
 *  1. Every fallible function returns hk_status; hk_last_error_message() says what happened and what to do. Beside the
 *     listed ones each may return OUT_OF_MEMORY (of the host) and INTERNAL (an error of hk: please report it).
 *  2. A refused call changes no output.
 *  3. Structures begin with struct_size; their _INIT macro sets it. Fields are only ever appended.
 *  4. Sizes and strides are int64_t, strides in elements; the last dimension always has stride 1.
 *  5. A context may be used by any number of threads at once. Only its destruction must come last.
 *  6. A stream is a hipStream_t as void*; NULL is the default stream. The device is the context's: the thread's
 *     current device is neither used nor changed.
 *  7. Text is written into the caller's buffer, zero-terminated. text = NULL with capacity = 0 only asks how many
 *     bytes are needed; too small a capacity is INVALID_ARGUMENT and also reports them.
 *
 * Use (q, k, v, o are device memory, dense [batch][head][row][128] of bfloat16; examples/attention.c is complete)
 *     hk_context* context = NULL;
 *     hk_status status = hk_context_create(NULL, &context);
 *     hk_attention_args args = HK_ATTENTION_ARGS_INIT;
 *     args.batch = 1;  args.heads_q = 32;  args.heads_kv = 8;
 *     args.seq_q = args.seq_k = 512;       args.head_dim = 128;
 *     args.mask = HK_MASK_CAUSAL_BOTTOM_RIGHT;
 *     args.q = (hk_tensor){q, HK_DTYPE_BFLOAT16, 0, 32 * 512 * 128, 512 * 128, 128};
 *     args.k = (hk_tensor){k, HK_DTYPE_BFLOAT16, 0, 8 * 512 * 128, 512 * 128, 128};
 *     args.v = (hk_tensor){v, HK_DTYPE_BFLOAT16, 0, 8 * 512 * 128, 512 * 128, 128};
 *     args.o = (hk_tensor){o, HK_DTYPE_BFLOAT16, 0, 32 * 512 * 128, 512 * 128, 128};
 *     if (status == HK_STATUS_SUCCESS) status = hk_attention(context, &args, NULL, 0, stream);
 *     if (status == HK_STATUS_SUCCESS) status = hk_stream_synchronize(context, stream);
 *     if (status != HK_STATUS_SUCCESS) puts(hk_last_error_message());
 *     hk_context_destroy(context);
 */

#include <stddef.h>
#include <stdint.h>

#define HK_VERSION_MAJOR 0
#define HK_VERSION_MINOR 1
#define HK_VERSION_PATCH 0

#if defined(__GNUC__)
#define HK_API __attribute__((visibility("default")))
#else
#define HK_API
#endif

#ifdef __cplusplus
#define HK_NOEXCEPT noexcept
extern "C" {
#else
#define HK_NOEXCEPT
#endif

/* ---- Status ---------------------------------------------------------------------------------------------------- */

/* The numbers are frozen. */
typedef enum hk_status {
  HK_STATUS_SUCCESS = 0,
  HK_STATUS_INVALID_ARGUMENT = 1,    /* the call breaks a rule of this header */
  HK_STATUS_UNSUPPORTED = 2,         /* a valid request that this release cannot serve */
  HK_STATUS_UNSUPPORTED_VERSION = 3, /* a structure of a newer header uses fields that this library does not know */
  HK_STATUS_NO_DEVICE = 4,           /* the runtime was loaded but has no such device */
  HK_STATUS_NO_RUNTIME = 5,          /* no usable GPU runtime library */
  HK_STATUS_NO_COMPILER = 6,         /* the compile worker or hipRTC cannot be found or used */
  HK_STATUS_COMPILE_FAILED = 7,      /* hk_last_error_detail() holds the compiler's log */
  HK_STATUS_COMPILE_TIMEOUT = 8,
  HK_STATUS_COMPILER_CRASHED = 9,
  HK_STATUS_LOAD_FAILED = 10,
  HK_STATUS_LAUNCH_FAILED = 11, /* the device refused or failed; hk_last_error_detail() holds the device fault */
  HK_STATUS_WORKSPACE_TOO_SMALL = 12,
  HK_STATUS_NOT_PREPARED = 13, /* the stream is being captured and the kernel is not loaded yet */
  HK_STATUS_NOT_CACHED = 14,   /* compiling is switched off and no cache holds the kernel */
  HK_STATUS_OUT_OF_MEMORY = 15,
  HK_STATUS_FORKED = 16, /* this process is a forked child of one that uses hk */
  HK_STATUS_INTERNAL = 17
} hk_status;

/* Version of the loaded library: major * 10000 + minor * 100 + patch.
 * Thread safety: any thread.  Returns: the number. */
HK_API int32_t hk_version(void) HK_NOEXCEPT;

/* Name of a status, e.g. "NO_DEVICE"; "UNKNOWN" for a number that is not a status.
 * Thread safety: any thread.  Returns: static text. */
HK_API const char* hk_status_name(int32_t status) HK_NOEXCEPT;

/* One sentence about this thread's latest failing call: stage, object, remedy. Empty if none failed.
 * Thread safety: any thread.  Returns: text that is valid until this thread's next failing call. */
HK_API const char* hk_last_error_message(void) HK_NOEXCEPT;

/* The compiler log or device fault that belongs to hk_last_error_message(); empty if there is none.
 * Thread safety: any thread.  Returns: text that is valid until this thread's next failing call. */
HK_API const char* hk_last_error_detail(void) HK_NOEXCEPT;

/* ---- Log ------------------------------------------------------------------------------------------------------- */

/* A smaller number is more urgent. */
typedef enum hk_log_level {
  HK_LOG_LEVEL_OFF = 0,
  HK_LOG_LEVEL_ERROR = 1,
  HK_LOG_LEVEL_WARNING = 2,
  HK_LOG_LEVEL_INFO = 3,
  HK_LOG_LEVEL_DEBUG = 4
} hk_log_level;

/* level is an hk_log_level; message is zero-terminated and valid during the call only. The callback may come from any
 * thread, must not throw and must not call hk. */
typedef void (*hk_log_callback)(int32_t level, const char* message, void* user_data);

/* Sends log messages up to the given level to callback, process-wide; NULL ends that. Nothing is logged unless this,
 * HK_LOG_LEVEL or HK_LOG_FILE asks for it.
 * Requires: user_data stays valid until the callback is replaced.
 * Thread safety: any thread.  Returns: SUCCESS, INVALID_ARGUMENT (unknown level). */
HK_API hk_status hk_set_log_callback(int32_t level, hk_log_callback callback, void* user_data) HK_NOEXCEPT;

/* ---- Context --------------------------------------------------------------------------------------------------- */

/* A device with its runtime, its loaded kernels and its cache. */
typedef struct hk_context hk_context;

typedef enum hk_specialize {
  HK_SPECIALIZE_DEFAULT = 0, /* HK_SPECIALIZE, else exact kernels up to a limit per family, then the family kernel */
  HK_SPECIALIZE_EXACT = 1,   /* always a kernel for exactly this problem */
  HK_SPECIALIZE_FAMILY = 2   /* always the kernel that takes every size */
} hk_specialize;

typedef enum hk_tune {
  HK_TUNE_DEFAULT = 0, /* HK_TUNE, else MISSING on a GPU and LOOKUP on a simulated or null device */
  HK_TUNE_OFF = 1,     /* the default rule decides; records are not read */
  HK_TUNE_LOOKUP = 2,  /* records decide; where there is none, the default rule */
  HK_TUNE_MISSING = 3, /* as LOOKUP, and where there is none the configurations are measured */
  HK_TUNE_FORCE = 4    /* measured once per context and problem, whatever the records say */
} hk_tune;

/* NULL and 0 mean: the environment variable, else the default. docs/ENVIRONMENT.md lists all of them. */
typedef struct hk_context_options {
  uint32_t struct_size;
  int32_t specialize;          /* hk_specialize */
  const char* device;          /* HK_DEVICE: "hip:0", "sim:mi300x", "sim:mi325x", "sim:mi355x", "null"; else hip:0 */
  const char* runtime_library; /* HK_HIP_LIBRARY: path of libamdhip64.so; else the one already loaded, else found */
  const char* compile_worker;  /* HK_COMPILE_WORKER: path of hk-compile-worker; else found beside the library */
  const char* cache_directory; /* HK_CACHE_DIR; else ~/.cache/hk; "none": nothing is kept on disk */
  int32_t tune;                /* hk_tune */
  int32_t reserved;            /* 0 */
} hk_context_options;

#define HK_CONTEXT_OPTIONS_INIT {(uint32_t)sizeof(hk_context_options), 0, 0, 0, 0, 0, 0, 0}

/* Opens a device; this is the only place where the environment is read. options may be NULL.
 * Thread safety: any thread.
 * Returns: SUCCESS, INVALID_ARGUMENT, UNSUPPORTED, UNSUPPORTED_VERSION, NO_DEVICE, NO_RUNTIME, FORKED, OUT_OF_MEMORY.
 */
HK_API hk_status hk_context_create(const hk_context_options* options, hk_context** context) HK_NOEXCEPT;

/* Waits for the streams on which the context launched, then unloads the kernels and frees the context; NULL is
 * allowed. Captures of other streams go on. Memory from hk_memory_allocate stays allocated.
 * Requires: no other call uses the context; graphs that hold its kernels have ended and are not launched again.
 * Returns: SUCCESS, FORKED (nothing is freed), LAUNCH_FAILED (freed; earlier device work had failed),
 * INVALID_ARGUMENT (nothing is freed: one of the streams is being captured; end that and call again). */
HK_API hk_status hk_context_destroy(hk_context* context) HK_NOEXCEPT;

/* JSON about the context: device, target id, compute units, runtime library and why it was chosen, compile worker,
 * cache folder, settings.
 * Thread safety: any thread.  Returns: SUCCESS, INVALID_ARGUMENT, FORKED. */
HK_API hk_status hk_device_info(hk_context* context, char* text, size_t capacity, size_t* required) HK_NOEXCEPT;

/* Counters since the context was created. */
typedef struct hk_statistics {
  uint32_t struct_size;
  uint32_t reserved;
  uint64_t launches;            /* kernels handed to the runtime */
  uint64_t memory_hits;         /* kernels found loaded */
  uint64_t disk_hits;           /* kernels loaded from the cache folder */
  uint64_t compiles;            /* kernels compiled */
  uint64_t joined;              /* calls that waited for another thread's compile of the same kernel */
  uint64_t rejected_entries;    /* cache entries that did not verify or load and were set aside */
  uint64_t failures;            /* kernels that could not be had */
  uint64_t compile_nanoseconds; /* wall time inside the compiler */
  uint64_t waited;              /* kernels that another process compiled while this one waited */
  uint64_t wait_nanoseconds;    /* wall time of waiting for other processes */
  uint64_t kept_failures;       /* calls refused because the same compile had failed in the last 60 s */
  uint64_t self_checks;         /* fresh kernels compared with the host reference */
  uint64_t self_checks_skipped; /* not compared: too long or too large (HK_SELFCHECK) */
  uint64_t self_check_failures; /* compared and wrong: set aside */
  uint64_t tuner_runs;          /* problems measured */
  uint64_t tuner_candidates;    /* configurations measured in them */
  uint64_t not_stored;          /* compiled kernels that could not be written to the cache folder */
  uint64_t evicted_entries;     /* removed from the cache folder to keep its size */
} hk_statistics;

#define HK_STATISTICS_INIT {(uint32_t)sizeof(hk_statistics), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}

/* Fills the counters that the caller's struct_size has room for.
 * Thread safety: any thread.  Returns: SUCCESS, INVALID_ARGUMENT, UNSUPPORTED_VERSION, FORKED. */
HK_API hk_status hk_context_statistics(hk_context* context, hk_statistics* statistics) HK_NOEXCEPT;

/* ---- Memory, streams and events of the context's device --------------------------------------------------------- */

/* Allocates device memory; bytes = 0 gives NULL.
 * Thread safety: any thread.  Returns: SUCCESS, INVALID_ARGUMENT, OUT_OF_MEMORY, FORKED. */
HK_API hk_status hk_memory_allocate(hk_context* context, size_t bytes, void** pointer) HK_NOEXCEPT;

/* Frees memory of hk_memory_allocate after the work that uses it; NULL is allowed.
 * Thread safety: any thread.  Returns: SUCCESS, INVALID_ARGUMENT (not such memory), LAUNCH_FAILED, FORKED. */
HK_API hk_status hk_memory_free(hk_context* context, void* pointer) HK_NOEXCEPT;

/* Copies bytes between host and device memory, in any direction, after the work queued on stream, and waits.
 * Thread safety: any thread.  Returns: SUCCESS, INVALID_ARGUMENT, LAUNCH_FAILED, FORKED. */
HK_API hk_status hk_memory_copy(hk_context* context, void* destination, const void* source, size_t bytes,
                                void* stream) HK_NOEXCEPT;

/* Creates a stream that does not wait for the default stream; its value is a hipStream_t.
 * Thread safety: any thread.  Returns: SUCCESS, INVALID_ARGUMENT, LAUNCH_FAILED, FORKED. */
HK_API hk_status hk_stream_create(hk_context* context, void** stream) HK_NOEXCEPT;

/* Destroys a stream of hk_stream_create; NULL is allowed.
 * Thread safety: any thread.  Returns: SUCCESS, INVALID_ARGUMENT, LAUNCH_FAILED, FORKED. */
HK_API hk_status hk_stream_destroy(hk_context* context, void* stream) HK_NOEXCEPT;

/* Waits for the work queued on stream.
 * Thread safety: any thread.  Returns: SUCCESS, INVALID_ARGUMENT, LAUNCH_FAILED (device fault), FORKED. */
HK_API hk_status hk_stream_synchronize(hk_context* context, void* stream) HK_NOEXCEPT;

/* Creates an event for timing; its value is a hipEvent_t.
 * Thread safety: any thread.  Returns: SUCCESS, INVALID_ARGUMENT, LAUNCH_FAILED, FORKED. */
HK_API hk_status hk_event_create(hk_context* context, void** event) HK_NOEXCEPT;

/* Destroys an event of hk_event_create; NULL is allowed.
 * Thread safety: any thread.  Returns: SUCCESS, INVALID_ARGUMENT, LAUNCH_FAILED, FORKED. */
HK_API hk_status hk_event_destroy(hk_context* context, void* event) HK_NOEXCEPT;

/* Puts the event behind the work queued on stream.
 * Thread safety: any thread.  Returns: SUCCESS, INVALID_ARGUMENT, LAUNCH_FAILED, FORKED. */
HK_API hk_status hk_event_record(hk_context* context, void* event, void* stream) HK_NOEXCEPT;

/* Waits for stop, then gives the device time from start to stop in microseconds: measured on a GPU, modelled on a
 * simulated one.
 * Requires: both events were recorded.
 * Thread safety: any thread.  Returns: SUCCESS, INVALID_ARGUMENT, LAUNCH_FAILED, FORKED. */
HK_API hk_status hk_event_elapsed(hk_context* context, void* start, void* stop, double* microseconds) HK_NOEXCEPT;

/* ---- Tensors --------------------------------------------------------------------------------------------------- */

typedef enum hk_dtype {
  HK_DTYPE_BFLOAT16 = 1, /* 2 bytes */
  HK_DTYPE_FLOAT16 = 2   /* IEEE binary16, 2 bytes */
} hk_dtype;

/* Element (b, h, r, c) lies at data + b * stride_batch + h * stride_head + r * stride_row + c, in elements. Strides
 * are not negative; stride 0 repeats (inputs only). data needs the alignment of one element; multiples of 16 bytes for
 * data and all strides select the faster kernel. */
typedef struct hk_tensor {
  void* data;
  int32_t dtype; /* hk_dtype */
  int32_t reserved;
  int64_t stride_batch;
  int64_t stride_head;
  int64_t stride_row;
} hk_tensor;

/* ---- Attention ------------------------------------------------------------------------------------------------- */

typedef enum hk_mask {
  HK_MASK_NONE = 0,
  HK_MASK_CAUSAL_BOTTOM_RIGHT = 1, /* row i sees key j if j <= i + seq_k - seq_q (FlashAttention, vLLM) */
  HK_MASK_CAUSAL_TOP_LEFT = 2      /* row i sees key j if j <= i (PyTorch is_causal, cuDNN) */
} hk_mask;

/* A NaN: stands for 1 / sqrt(head_dim) where a scale is expected. */
#if defined(__GNUC__)
#define HK_SCALE_DEFAULT (__builtin_nanf(""))
#else
#define HK_SCALE_DEFAULT (0.0f / 0.0f)
#endif

/* O = softmax(scale * Q K^T + mask) V per batch and head; query head h reads key/value head h / (heads_q / heads_kv).
 * A row that sees no key gives O = 0 and LSE = -infinity. K and V that no row sees are never read into arithmetic; a
 * NaN that a row sees reaches its output. A NaN or infinity of V may also reach rows that do not see it but are
 * computed in one tile with rows that do. */
typedef struct hk_attention_args {
  uint32_t struct_size;
  int32_t mask;      /* hk_mask */
  float scale;       /* finite, or HK_SCALE_DEFAULT */
  uint32_t reserved; /* 0 */
  int64_t batch;     /* 0 is allowed: nothing is computed */
  int64_t heads_q;   /* a multiple of heads_kv */
  int64_t heads_kv;
  int64_t seq_q;              /* 0 is allowed: nothing is computed */
  int64_t seq_k;              /* 0 is allowed: O = 0, LSE = -infinity */
  int64_t head_dim;           /* 64 or 128 */
  hk_tensor q;                /* [batch][heads_q][seq_q][head_dim] */
  hk_tensor k;                /* [batch][heads_kv][seq_k][head_dim], dtype of q */
  hk_tensor v;                /* [batch][heads_kv][seq_k][head_dim], dtype of q */
  hk_tensor o;                /* [batch][heads_q][seq_q][head_dim], dtype of q; overlaps nothing, not even itself (what
                                 surely overlaps is refused; interleaved layouts are the caller's care) */
  float* lse;                 /* [batch][heads_q][seq_q], natural logarithm; NULL: not wanted */
  int64_t lse_stride_batch;   /* in elements; the row stride is 1 */
  int64_t lse_stride_head;    /* in elements */
  uint32_t pointer_alignment; /* queries with null pointers: alignment in bytes of the pointers to come; 0 means 16 */
  uint32_t want_lse;          /* queries: 1 stands for an lse pointer to come; hk_attention ignores it */
} hk_attention_args;

#define HK_ATTENTION_ARGS_INIT                                                                                         \
  {(uint32_t)sizeof(hk_attention_args),                                                                                \
   HK_MASK_NONE,                                                                                                       \
   HK_SCALE_DEFAULT,                                                                                                   \
   0,                                                                                                                  \
   0,                                                                                                                  \
   0,                                                                                                                  \
   0,                                                                                                                  \
   0,                                                                                                                  \
   0,                                                                                                                  \
   0,                                                                                                                  \
   {0, 0, 0, 0, 0, 0},                                                                                                 \
   {0, 0, 0, 0, 0, 0},                                                                                                 \
   {0, 0, 0, 0, 0, 0},                                                                                                 \
   {0, 0, 0, 0, 0, 0},                                                                                                 \
   0,                                                                                                                  \
   0,                                                                                                                  \
   0,                                                                                                                  \
   0,                                                                                                                  \
   0}

/* Queues attention on stream. Without hk_attention_prepare the first call for a problem may measure configurations, on
 * memory and a stream of the library's own, compiles (seconds) and loads.
 * Requires: workspace of hk_attention_workspace bytes in device memory (NULL if 0); all pointers of the context's
 * device.
 * Thread safety: any thread.
 * Returns: SUCCESS, INVALID_ARGUMENT, UNSUPPORTED, UNSUPPORTED_VERSION, NO_COMPILER, COMPILE_FAILED, COMPILE_TIMEOUT,
 * COMPILER_CRASHED, LOAD_FAILED, LAUNCH_FAILED, NOT_PREPARED, NOT_CACHED, OUT_OF_MEMORY, FORKED. In this release every
 * problem needs a workspace of 0 bytes; later ones may also return WORKSPACE_TOO_SMALL.
 */
HK_API hk_status hk_attention(hk_context* context, const hk_attention_args* args, void* workspace,
                              size_t workspace_bytes, void* stream) HK_NOEXCEPT;

/* Says whether hk_attention would accept these args; the reason is in hk_last_error_message(). Pointers may be NULL.
 * Thread safety: any thread.
 * Returns: SUCCESS (supported), INVALID_ARGUMENT, UNSUPPORTED, UNSUPPORTED_VERSION, FORKED. */
HK_API hk_status hk_attention_supported(hk_context* context, const hk_attention_args* args) HK_NOEXCEPT;

/* Bytes of device workspace that hk_attention needs for these args: 0 in this release. Pointers may be NULL.
 * Thread safety: any thread.
 * Returns: SUCCESS, INVALID_ARGUMENT, UNSUPPORTED, UNSUPPORTED_VERSION, FORKED. */
HK_API hk_status hk_attention_workspace(hk_context* context, const hk_attention_args* args, size_t* bytes) HK_NOEXCEPT;

/* Decides the kernel's configuration (by records, or by measuring if HK_TUNE says so), compiles and loads it now, so
 * that hk_attention with these args only launches, allocates nothing and may be captured in a graph. Pointers may be
 * NULL. Thread safety: any thread.  Returns: as hk_attention, without NOT_PREPARED; LAUNCH_FAILED only if earlier work
 * has brought the device down. */
HK_API hk_status hk_attention_prepare(hk_context* context, const hk_attention_args* args) HK_NOEXCEPT;

/* JSON about the kernel that hk_attention would use: its symbol, its configuration and who chose it (the default rule,
 * a tuning record, the tuner just now) with the times behind that, whether it is loaded and where it came from,
 * registers, LDS and grid. Compiles nothing. Pointers may be NULL. Thread safety: any thread. Returns: SUCCESS,
 * INVALID_ARGUMENT, UNSUPPORTED, UNSUPPORTED_VERSION, FORKED. */
HK_API hk_status hk_attention_describe(hk_context* context, const hk_attention_args* args, char* text, size_t capacity,
                                       size_t* required) HK_NOEXCEPT;

typedef enum hk_reference_precision {
  HK_REFERENCE_FP64 = 0,      /* everything in double, nothing rounded: the truth */
  HK_REFERENCE_INPUT_TYPE = 1 /* scores, probabilities and output rounded to the dtype, softmax and sums in float: the
                                 error of an honest implementation */
} hk_reference_precision;

/* Computes attention on the host. args.q, k and v are host memory, any head_dim >= 1; args.o and args.lse are ignored.
 * o receives dense [batch][heads_q][seq_q][head_dim], lse dense [batch][heads_q][seq_q] or is NULL.
 * Thread safety: any thread.  Returns: SUCCESS, INVALID_ARGUMENT, UNSUPPORTED_VERSION, OUT_OF_MEMORY. */
HK_API hk_status hk_attention_reference(const hk_attention_args* args, int32_t precision, double* o,
                                        double* lse) HK_NOEXCEPT;

/* JSON about the cache entry of the kernel that hk_attention would use: its key, whether it is stored, and if not, the
 * stored entry that comes nearest and the first field of the key in which that differs, with both values. Compiles
 * nothing. Pointers may be NULL.
 * Thread safety: any thread.
 * Returns: SUCCESS, INVALID_ARGUMENT, UNSUPPORTED, UNSUPPORTED_VERSION, NO_COMPILER, FORKED. */
HK_API hk_status hk_attention_cache_state(hk_context* context, const hk_attention_args* args, char* text,
                                          size_t capacity, size_t* required) HK_NOEXCEPT;

/* ---- Tuning records --------------------------------------------------------------------------------------------- */

/* A record says which configuration of a kernel was found fastest for one problem on one kind of device. A context
 * reads the records of the cache folder when it is created and in hk_context_refresh(); it adds what it measures
 * itself. Configurations may differ in the last bit of a result. Processes of one job that must agree bit by bit
 * therefore let one of them tune, pass its records on with export and import, compare digests, and run with
 * HK_TUNE_LOOKUP. */

/* Takes in the records that the cache folder has now, and lets every problem be decided anew at its next call; loaded
 * kernels stay loaded. Problems that will be captured in a graph need hk_attention_prepare again.
 * Thread safety: any thread.
 * Returns: SUCCESS, INVALID_ARGUMENT, INTERNAL (the folder cannot be read; nothing has changed), FORKED. */
HK_API hk_status hk_context_refresh(hk_context* context) HK_NOEXCEPT;

/* 32 hexadecimal digits: equal for contexts whose records lead to the same choices.
 * Thread safety: any thread.  Returns: SUCCESS, INVALID_ARGUMENT, FORKED. */
HK_API hk_status hk_tuning_digest(hk_context* context, char* text, size_t capacity, size_t* required) HK_NOEXCEPT;

/* The context's records as text: one line each, the same text for the same records.
 * Thread safety: any thread.  Returns: SUCCESS, INVALID_ARGUMENT, FORKED. */
HK_API hk_status hk_tuning_export(hk_context* context, char* text, size_t capacity, size_t* required) HK_NOEXCEPT;

/* Flags of hk_tuning_import. */
typedef enum hk_tuning_import_flags {
  HK_TUNING_IMPORT_MERGE = 0,   /* of two records for one problem and device the one with the better evidence stays */
  HK_TUNING_IMPORT_REPLACE = 1, /* the context's records are dropped: its digest is then that of the exporter */
  HK_TUNING_IMPORT_STORE = 2    /* also written to the cache folder; with REPLACE they displace what it has for the same
                                   problems and devices, and leave the rest, which hk_context_refresh takes in again */
} hk_tuning_import_flags;

/* Adds the records of a text of hk_tuning_export, size bytes without a zero at the end, and lets every problem be
 * decided anew as hk_context_refresh does.
 * Thread safety: any thread.
 * Returns: SUCCESS, INVALID_ARGUMENT (damaged text, unknown flags; nothing has changed), UNSUPPORTED (HK_TUNE_OFF; or
 * STORE without a cache folder, the records are then known all the same), INTERNAL (they could not be stored), FORKED.
 */
HK_API hk_status hk_tuning_import(hk_context* context, const char* text, size_t size, uint32_t flags) HK_NOEXCEPT;

/* ---- Cache folder ----------------------------------------------------------------------------------------------- */

/* In all of these directory = NULL stands for HK_CACHE_DIR, else the default folder. No device is needed. */

/* JSON: the folder, who chose it and what was passed over for it, whether it is on a local or a network file system,
 * the numbers and bytes of entries, temporary files, rejected entries and kept failures, and the size that it may have.
 * Thread safety: any thread.  Returns: SUCCESS, INVALID_ARGUMENT. */
HK_API hk_status hk_cache_stat(const char* directory, char* text, size_t capacity, size_t* required) HK_NOEXCEPT;

/* JSON: one object per entry with its name, symbol, target, bytes and last use (to the hour, in seconds since 1970).
 * Thread safety: any thread.  Returns: SUCCESS, INVALID_ARGUMENT. */
HK_API hk_status hk_cache_list(const char* directory, char* text, size_t capacity, size_t* required) HK_NOEXCEPT;

/* JSON: everything about one entry: what it was made from, field by field, and its metadata. key is the entry's name or
 * a beginning of it that no other name has; a rejected entry or a kept failure is shown where there is no entry.
 * Thread safety: any thread.  Returns: SUCCESS, INVALID_ARGUMENT (also: no such name, or several). */
HK_API hk_status hk_cache_inspect(const char* directory, const char* key, char* text, size_t capacity,
                                  size_t* required) HK_NOEXCEPT;

/* JSON: number of entries read and the path and fault of each that is damaged. Changes nothing.
 * Thread safety: any thread.  Returns: SUCCESS (also with damaged entries), INVALID_ARGUMENT. */
HK_API hk_status hk_cache_verify(const char* directory, char* text, size_t capacity, size_t* required) HK_NOEXCEPT;

/* Removes what killed processes left, old rejected entries, expired failures, and, if the folder takes up more than
 * max_bytes on the disk, the entries that were not used for longest, until it takes up nine tenths. max_bytes = 0:
 * HK_CACHE_MAX_BYTES, else its default. removed and removed_bytes tell of the latter and may be NULL.
 * Thread safety: any thread.
 * Returns: SUCCESS, INVALID_ARGUMENT, UNSUPPORTED (another process is at it, or something could not be removed). */
HK_API hk_status hk_cache_gc(const char* directory, uint64_t max_bytes, uint64_t* removed,
                             uint64_t* removed_bytes) HK_NOEXCEPT;

/* Removes every entry, rejected entry and kept failure; running processes keep what they have loaded. removed tells of
 * the entries and may be NULL.
 * Thread safety: any thread.  Returns: SUCCESS, INVALID_ARGUMENT, UNSUPPORTED (something could not be removed). */
HK_API hk_status hk_cache_clear(const char* directory, uint64_t* removed) HK_NOEXCEPT;

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* HK_HK_H */
