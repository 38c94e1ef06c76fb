#pragma once
// The groups of benchmarks. Each prints its rows and returns whether every limit is kept; all throw hk::Error.

#include <string>

namespace hk::bench {

// The warm call on the null device, from one thread and from two; a disk hit in a new process, above process and
// runtime start.
bool run_calls_group();
bool measure_warm_calls();

// Cold compiles: time in the compiler, peak memory of the worker.
bool run_compile_group();

// The new process of the disk-hit benchmark: prints the milliseconds of hk_context_create and of hk_attention_prepare.
int run_probe(const std::string& device);

} // namespace hk::bench
