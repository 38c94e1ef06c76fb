#pragma once
// The groups of benchmarks. Each prints its rows and returns whether every limit is kept; all throw hk::Error.

#include <string>

namespace hk::bench {

// Cold compiles: time in the compiler, peak memory of the worker.
bool run_compile_group();

// A disk hit in a new process, above process and runtime start; the warm call on the null device.
bool run_call_group();

// The new process of the disk-hit benchmark: prints the milliseconds of hk_context_create and of hk_attention_prepare.
int run_probe(const std::string& device);

} // namespace hk::bench
