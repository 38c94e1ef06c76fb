// What a program may say about a launch beside its shape: turns of the waves, a trace, missing waits.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "sim/kernel_fixture.h"
#include "sim/machine/wave_trace.h"

using namespace hk::sim;
using namespace hk::sim::testing;

namespace {

constexpr std::size_t k_output = 1024;

AssembledKernel with_output(KernelText text) {
  text.directives += "\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n";
  AssembledKernel kernel(Target::gfx942, text);
  kernel.set<std::uint64_t>(0, kernel.address(k_output));
  return kernel;
}

// Wave 0 writes to LDS after about 200 instructions, wave 1 reads it after about 100, without a barrier between.
constexpr const char* k_race = R"(
s_load_dwordx2 s[4:5], s[0:1], 0x0
v_and_b32 v1, 0x3ff, v0
v_mov_b32 v2, 0
v_mov_b32 v3, 1
v_readfirstlane_b32 s6, v1
ds_write_b32 v2, v2
s_waitcnt lgkmcnt(0)
s_barrier
s_cmp_lg_u32 s6, 0
s_cbranch_scc1 reader
.rept 200
s_nop 0
.endr
ds_write_b32 v2, v3
s_endpgm
reader:
.rept 100
s_nop 0
.endr
ds_read_b32 v4, v2
s_waitcnt lgkmcnt(0)
global_store_dword v2, v4, s[4:5]
s_endpgm
)";

} // namespace

TEST_CASE("a turn bounds how far one wave runs ahead of the next") {
  AssembledKernel kernel = with_output({.body = k_race, .lds_bytes = 64});
  const auto read_by_wave_1 = [&](std::uint64_t turn) {
    kernel.set<std::uint32_t>(k_output, 7);
    kernel.run_without_fault(kernel.dispatch({1, 1, 1}, {128, 1, 1}), {.turn = turn});
    return kernel.get<std::uint32_t>(k_output);
  };
  CHECK(read_by_wave_1(DispatchOptions().turn) == 1); // wave 0 ran to its end first
  CHECK(read_by_wave_1(16) == 0);                     // side by side, the read comes first
  CHECK(read_by_wave_1(1) == 0);
}

TEST_CASE("a trace holds the instructions of one wave, up to its limit") {
  AssembledKernel kernel = with_output(
      {.body =
           "s_mov_b32 s8, s2\ns_add_u32 s8, s8, 0xff\nv_mov_b32 v4, s8\ns_load_dwordx2 s[4:5], s[0:1], 0x0\ns_endpgm"});
  WaveTrace trace;
  trace.workgroup = 2;
  trace.wave = 1;
  trace.line_limit = 100;
  kernel.run_without_fault(kernel.dispatch({3, 1, 1}, {128, 1, 1}), {.trace = &trace});
  CHECK(trace.lines == 5);
  CHECK(std::count(trace.text.begin(), trace.text.end(), '\n') == 5);
  CHECK(trace.text.find("1 +0x00000 s_mov_b32 s8, s2 ; exec ffffffffffffffff scc 0 = 00000002\n") != std::string::npos);
  CHECK(trace.text.find("2 +0x00004 s_add_u32 s8, s8, 0xff ; exec ffffffffffffffff scc 0 = 00000101\n") !=
        std::string::npos);
  CHECK(trace.text.find("v_mov_b32_e32 v4, s8 ; exec ffffffffffffffff scc 0 = 00000101\n") != std::string::npos);
  CHECK(trace.text.find("s[4:5], s[0:1], 0x0 ; exec ffffffffffffffff scc 0 =in flight\n") != std::string::npos);
  CHECK(trace.text.find("s_endpgm") != std::string::npos);

  WaveTrace cut;
  cut.line_limit = 2;
  const DispatchResult whole =
      kernel.run_without_fault(kernel.dispatch({3, 1, 1}, {128, 1, 1}), {.turn = 3, .trace = &cut});
  CHECK(cut.lines == 2);
  CHECK(whole.instructions == 3 * 2 * 5); // the rest ran without lines
}

TEST_CASE("a missing wait is a fault, or forgiven and counted") {
  // Nothing waits for the loads, so v5 may not be there yet when it is copied.
  AssembledKernel kernel = with_output({.body = "s_load_dwordx2 s[4:5], s[0:1], 0x0\nv_mov_b32 v2, 0\n"
                                                "s_waitcnt lgkmcnt(0)\n"
                                                "global_load_dword v4, v2, s[4:5] offset:4\n"
                                                "global_load_dword v5, v2, s[4:5] offset:8\n"
                                                "global_load_dword v6, v2, s[4:5] offset:12\n"
                                                "v_mov_b32 v7, v5\n"
                                                "global_store_dword v2, v7, s[4:5]\ns_endpgm"});
  for (std::uint32_t i = 0; i < 4; ++i)
    kernel.set<std::uint32_t>(k_output + 4 * i, 10 + i);
  const DispatchResult strict = kernel.run(kernel.dispatch({1, 1, 1}, {64, 1, 1}));
  CHECK(strict.fault.kind == FaultKind::register_in_flight);
  CHECK(kernel.get<std::uint32_t>(k_output) == 10);
  for (const std::optional<std::uint64_t> seed : {std::optional<std::uint64_t>(), std::optional<std::uint64_t>(3)}) {
    const DispatchResult result = kernel.run_without_fault(kernel.dispatch({2, 1, 1}, {64, 1, 1}),
                                                           {.schedule_seed = seed, .forgive_missing_waits = true});
    CHECK(result.missing_waits == 2); // one in each wave
    CHECK(kernel.get<std::uint32_t>(k_output) == 12);
  }
}

TEST_CASE("forgiven: LDS does what it was asked in front of a barrier before what it is asked behind it") {
  // Each wave writes its number, crosses the barrier without a wait, and reads the other wave's.
  AssembledKernel kernel = with_output({.body = "s_load_dwordx2 s[4:5], s[0:1], 0x0\nv_and_b32 v1, 0x3ff, v0\n"
                                                "v_lshrrev_b32 v2, 6, v1\nv_lshlrev_b32 v3, 2, v2\n"
                                                "v_xor_b32 v4, 4, v3\nv_add_u32 v6, 40, v2\n"
                                                "ds_write_b32 v3, v6\ns_barrier\nds_read_b32 v5, v4\n"
                                                "s_waitcnt lgkmcnt(0)\nglobal_store_dword v3, v5, s[4:5]\ns_endpgm",
                                        .lds_bytes = 8});
  const auto right = [&](bool forgive) {
    kernel.run_without_fault(kernel.dispatch({1, 1, 1}, {128, 1, 1}), {.forgive_missing_waits = forgive});
    return kernel.get<std::uint32_t>(k_output) == 41 && kernel.get<std::uint32_t>(k_output + 4) == 40;
  };
  CHECK(!right(false));
  CHECK(right(true));
}
