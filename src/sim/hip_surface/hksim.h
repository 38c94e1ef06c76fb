/* What libhksim.so offers beyond the HIP runtime's functions. C99; every function may be called from any thread. */
#ifndef HK_SIM_HIP_SURFACE_HKSIM_H
#define HK_SIM_HIP_SURFACE_HKSIM_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* "0.1.0". A runtime that has this symbol is simulated: its event times are modelled, not measured. */
const char* hksim_version(void);

/* The functions below copy at most size - 1 characters and a zero into text (which may be null if size is 0) and return
   the length of the whole text; 0 means that there is none. */

/* One sentence about the last failing call of the calling thread: what happened, on which object, what to do. */
size_t hksim_last_error(char* text, size_t size);

/* One sentence about the fault that stopped the calling thread's current device, or else any device: kernel, workgroup,
   wave, lane, instruction, address, nearest allocation. */
size_t hksim_last_fault(char* text, size_t size);

/* Digest of the device profile: results that depend on the modelled clock compare only under the same digest. */
size_t hksim_profile_digest(int device, char* text, size_t size);

/* After a fault every call on the device fails until this is called (on hardware: until the process ends). Work that
   was queued behind the fault is lost. Returns 0, or a hipError_t. */
int hksim_reset_fault(void);

#ifdef __cplusplus
}
#endif

#endif
