#pragma once
// Runs a kernel on a problem and checks its outputs by the project's error rule.

#include "attention_expected.h"
#include "kernel_table.h"

namespace hk::test {

/// Runs `choice` of kernel and checks with doctest: error, log-sum-exp, guard bands, no NaN left.
void run_and_check(Problem& problem, const KernelChoice& choice = {});

/// Checks outputs that are already there.
void check_outputs(const Problem& problem, const Expected& expected);

} // namespace hk::test
