/* What libhksim.so offers beyond the HIP runtime's functions. C99; every function may be called from any thread. */
#ifndef HK_SIM_HIP_SURFACE_HKSIM_H
#define HK_SIM_HIP_SURFACE_HKSIM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* "0.1.0". A runtime that has this symbol is simulated: its event times are modelled, not measured. */
const char* hksim_version(void);

/* The functions below copy at most size - 1 characters and a zero into text (which may be null if size is 0) and return
   the length of the whole text; 0 means that there is none. */

/* One sentence about the last failing call of the calling thread: what happened, on which object, what to do. */
size_t hksim_last_error(char* text, size_t size);

/* One sentence about the fault that stopped the device of this ordinal: kernel, workgroup, wave, lane, instruction,
   address, nearest allocation. 0 also if there is no such device. */
size_t hksim_last_fault(int device, char* text, size_t size);

/* Digest of the device profile: results that depend on the modelled clock compare only under the same digest. */
size_t hksim_profile_digest(int device, char* text, size_t size);

/* How a device runs kernels that are launched from now on. A zero means the default. */
typedef struct hksim_launch_options {
  size_t struct_size;             /* sizeof(hksim_launch_options) */
  uint64_t max_wave_instructions; /* a wave that executes more is a fault; default 2^32 */
  uint64_t turn;                  /* instructions of one wave before the next wave of its workgroup gets its turn, fewer
                                     if it comes to a barrier; default 65536; a seed in HK_SIM_SCHEDULE decides itself */
  uint64_t forgive_missing_waits; /* not 0: a register that is used before the wait for its load holds what it loads,
                                     as it may on hardware, and LDS is in order across barriers; default: the
                                     first is a fault, and LDS accesses land as late as their wait */
  uint64_t trace_lines;           /* how many instructions of the wave below are written down; default none */
  uint64_t traced_workgroup;      /* number in the grid, x fastest */
  uint64_t traced_wave;           /* number in the workgroup */
} hksim_launch_options;

/* Returns 0, or a hipError_t. */
int hksim_set_launch_options(int device, const hksim_launch_options* options);

/* A JSON object about the last kernel that the device ran to its end or to a fault: kernel, workgroups, waves,
   instructions, instructions_by_class, missing_waits (forgiven ones), modelled_clocks, modelled_us. */
size_t hksim_last_launch(int device, char* text, size_t size);

/* The trace of that kernel: number, offset and text of each instruction, EXEC and SCC behind it and what its first
   destination holds (the first two registers; of vector registers lane 0). */
size_t hksim_last_trace(int device, char* text, size_t size);

/* Wave instructions that the device of this ordinal has executed in launches that have ended; 0 if there is no such
   device. Divided by the time of a launch it tells how fast the simulator runs. */
unsigned long long hksim_executed_instructions(int device);

/* After a fault every call on the device fails until this is called (on hardware: until the process ends). Work that
   was queued behind the fault is lost. Returns 0, or a hipError_t. */
int hksim_reset_fault(void);

#ifdef __cplusplus
}
#endif

#endif
