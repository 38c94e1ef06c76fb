#pragma once
// The groups of benchmarks. Each prints its rows and returns whether every limit is kept; all throw hk::Error.

#include <string>

namespace hk::bench {

// The warm call on the null device, from one thread and from two; a disk hit in a new process, above process and
// runtime start.
bool run_calls_group();
bool measure_warm_calls();

// Cold compiles: time in the compiler, peak memory of the worker; many at once by workers and in process.
bool run_compile_group();
bool measure_candidates();

// Processes that want one kernel at the same moment, with an empty cache.
bool run_herd_group();

// How fast the simulator executes instructions; only in builds with the simulator.
bool run_sim_group();

// The new process of the disk-hit benchmark: prints the milliseconds of hk_context_create and of hk_attention_prepare.
int run_probe(const std::string& device);
// The new process of measure_candidates: prints the milliseconds for all kernels.
int run_candidates(int thread_count);
// One process of a herd: "ready", then, when stdin has ended, its numbers of compiles and disk hits.
int run_herd_member(int thread_count);

} // namespace hk::bench
