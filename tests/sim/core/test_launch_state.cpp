// Register contents at the start of a wave: LLVM, "User Guide for AMDGPU Backend", Initial Kernel Execution State.
#include <doctest/doctest.h>

#include "sim/kernel_fixture.h"
#include "sim/machine/launch_state.h"
#include "sim/machine/scratch_memory.h"

using namespace hk::sim;
using namespace hk::sim::testing;

namespace {

// A workgroup ready to run, none of whose instructions has been executed.
struct Started {
  Started(AssembledKernel& kernel, const Dispatch& dispatch, std::uint64_t index) : device(kernel.device()) {
    hk::Result<LaunchTemplate> prepared = prepare_launch(dispatch, device, 7);
    if (!prepared.has_value())
      FAIL(prepared.error().message);
    launch = *prepared;
    start_workgroup(launch, index, k_scratch_base, workgroup);
  }
  DeviceModel device;
  LaunchTemplate launch;
  Workgroup workgroup;
  [[nodiscard]] Wave& wave(std::size_t i) { return *workgroup.waves[i]; }
};

bool is_nan_in_every_float_format(std::uint32_t word) {
  const auto half_is_nan = [](std::uint32_t half) { // f16 and bf16
    return (half & 0x7c00) == 0x7c00 && (half & 0x3ff) != 0 && (half & 0x7f80) == 0x7f80 && (half & 0x7f) != 0;
  };
  return half_is_nan(word >> 16) && half_is_nan(word & 0xffff);
}

} // namespace

TEST_CASE("user and system SGPRs come in the guide's order") {
  AssembledKernel kernel(Target::gfx942, {.body = "s_endpgm",
                                          .directives = ".amdhsa_user_sgpr_dispatch_ptr 1\n"
                                                        ".amdhsa_user_sgpr_queue_ptr 1\n"
                                                        ".amdhsa_user_sgpr_kernarg_segment_ptr 1\n"
                                                        ".amdhsa_user_sgpr_dispatch_id 1\n"
                                                        ".amdhsa_system_sgpr_workgroup_id_y 1\n"
                                                        ".amdhsa_system_sgpr_workgroup_id_z 1\n"
                                                        ".amdhsa_system_sgpr_workgroup_info 1"});
  Dispatch dispatch = kernel.dispatch({3, 4, 5}, {128, 1, 1});
  dispatch.packet_address = 0x1111'2222'3333;
  dispatch.queue_address = 0x4444'5555'6666;
  dispatch.dispatch_id = 42;
  Started started(kernel, dispatch, 2 + 3 * (1 + 4 * 4));
  Wave& wave = started.wave(1);
  CHECK(wave.scalar64(0) == dispatch.packet_address);
  CHECK(wave.scalar64(2) == dispatch.queue_address);
  CHECK(wave.scalar64(4) == dispatch.kernarg_address);
  CHECK(wave.scalar64(6) == 42);
  CHECK(wave.scalar[8] == 2);
  CHECK(wave.scalar[9] == 1);
  CHECK(wave.scalar[10] == 4);
  CHECK(wave.scalar[11] == 2);                          // waves of the workgroup
  CHECK(started.wave(0).scalar[11] == (2U | 1U << 31)); // and which is the first
  CHECK(is_nan_in_every_float_format(wave.scalar[12]));
}

TEST_CASE("a kernel gets only what it asks for") {
  AssembledKernel kernel(Target::gfx950, {.body = "s_endpgm",
                                          .directives = ".amdhsa_user_sgpr_kernarg_segment_ptr 1\n"
                                                        ".amdhsa_system_sgpr_workgroup_id_x 0\n"
                                                        ".amdhsa_system_sgpr_workgroup_id_z 1"});
  Started started(kernel, kernel.dispatch({2, 2, 2}, {64, 1, 1}), 7);
  CHECK(started.wave(0).scalar64(0) == kernel.address(0));
  CHECK(started.wave(0).scalar[2] == 1); // z follows at once
}

TEST_CASE("work-item ids are packed into v0") {
  const auto first_register = [](int ids, std::size_t wave, std::size_t lane) {
    AssembledKernel kernel(
        Target::gfx942, {.body = "s_endpgm", .directives = ".amdhsa_system_vgpr_workitem_id " + std::to_string(ids)});
    Started started(kernel, kernel.dispatch({1, 1, 1}, {5, 6, 7}), 0);
    CHECK(started.workgroup.waves.size() == 4); // 210 work-items
    return started.wave(wave).vector[0][lane];
  };
  // Work-item 64 + 10 = 74 = 4 + 5 * (2 + 6 * 2).
  CHECK(first_register(2, 1, 10) == (4U | 2U << 10 | 2U << 20));
  CHECK(first_register(1, 1, 10) == (4U | 2U << 10));
  CHECK(first_register(0, 1, 10) == 4U);
}

TEST_CASE("EXEC of a wave that is not full") {
  AssembledKernel kernel(Target::gfx942, {.body = "s_endpgm"});
  Started started(kernel, kernel.dispatch({1, 1, 1}, {130, 1, 1}), 0);
  CHECK(started.workgroup.waves.size() == 3);
  CHECK(started.wave(0).exec() == ~std::uint64_t{0});
  CHECK(started.wave(2).exec() == 3);
}

TEST_CASE("the last workgroup of a grid that is no multiple of it is smaller") {
  AssembledKernel kernel(Target::gfx942, {.body = "s_endpgm", .directives = ".amdhsa_system_vgpr_workitem_id 1"});
  Dispatch dispatch = kernel.dispatch({2, 2, 1}, {16, 8, 1});
  dispatch.grid_work_items = {26, 11, 1}; // the workgroup (1, 1) has 10 x 3
  CHECK(dispatch.workgroup_count() == 4);
  Started started(kernel, dispatch, 3);
  CHECK(started.workgroup.id[0] == 1);
  CHECK(started.workgroup.id[1] == 1);
  CHECK(started.workgroup.waves.size() == 1);
  CHECK(started.wave(0).exec() == (std::uint64_t{1} << 30) - 1);
  CHECK(started.wave(0).vector[0][29] == (9U | 2U << 10));
  Started whole(kernel, dispatch, 0);
  CHECK(whole.workgroup.waves.size() == 2);
}

TEST_CASE("MODE comes from the descriptor") {
  AssembledKernel kernel(Target::gfx942, {.body = "s_endpgm",
                                          .directives = ".amdhsa_float_round_mode_32 3\n"
                                                        ".amdhsa_float_round_mode_16_64 1\n"
                                                        ".amdhsa_float_denorm_mode_32 2\n"
                                                        ".amdhsa_float_denorm_mode_16_64 3\n"
                                                        ".amdhsa_dx10_clamp 0\n.amdhsa_ieee_mode 1\n"
                                                        ".amdhsa_fp16_overflow 1"});
  Started started(kernel, kernel.dispatch({1, 1, 1}, {64, 1, 1}), 0);
  CHECK(started.wave(0).mode == (3U | 1U << 2 | 2U << 4 | 3U << 6 | 1U << 9 | 1U << 23));
}

TEST_CASE("preloaded kernel arguments: in registers behind the user SGPRs, and the prologue is skipped") {
  std::string body;
  for (int i = 0; i < 64; ++i)
    body += "s_nop 0\n"; // the 256 bytes for hardware without preloading
  AssembledKernel kernel(Target::gfx950, {.body = body + "s_endpgm",
                                          .directives = ".amdhsa_user_sgpr_kernarg_segment_ptr 1\n"
                                                        ".amdhsa_user_sgpr_kernarg_preload_length 3\n"
                                                        ".amdhsa_user_sgpr_kernarg_preload_offset 1",
                                          .kernarg_bytes = 32});
  for (std::uint32_t i = 0; i < 8; ++i)
    kernel.set<std::uint32_t>(4 * i, 100 + i);
  Started started(kernel, kernel.dispatch({3, 1, 1}, {64, 1, 1}), 2);
  Wave& wave = started.wave(0);
  CHECK(wave.scalar64(0) == kernel.address(0));
  CHECK(wave.scalar[2] == 101);
  CHECK(wave.scalar[3] == 102);
  CHECK(wave.scalar[4] == 103);
  CHECK(wave.scalar[5] == 2); // workgroup id x
  CHECK(wave.next == 64);
}

TEST_CASE("registers and LDS that nobody has written hold no zero") {
  AssembledKernel kernel(Target::gfx942, {.body = "s_endpgm", .lds_bytes = 256, .vgprs = 16, .agprs = 8});
  Dispatch dispatch = kernel.dispatch({1, 1, 1}, {64, 1, 1});
  dispatch.dynamic_lds_bytes = 128;
  Started started(kernel, dispatch, 0);
  CHECK(started.workgroup.lds.size() == 384);
  for (const unsigned index : {1U, 15U, 256U, 263U})
    CHECK(is_nan_in_every_float_format(started.wave(0).vector[index][63]));
  std::uint32_t word = 0;
  std::memcpy(&word, started.workgroup.lds.data() + 380, 4);
  CHECK(is_nan_in_every_float_format(word));
  CHECK(uninitialised_word(1) != uninitialised_word(2));
}

TEST_CASE("scratch: one piece per wave, reached through flat_scratch") {
  AssembledKernel kernel(Target::gfx942, {.body = "s_endpgm", .scratch_bytes = 48});
  Started started(kernel, kernel.dispatch({1, 1, 1}, {192, 1, 1}), 0);
  CHECK(started.wave(0).scratch_base == k_scratch_base);
  CHECK(started.wave(2).scratch_base == k_scratch_base + 2 * 64 * 48);
  CHECK(started.wave(2).scratch_bytes_per_lane == 48);
  CHECK(started.wave(2).scalar64(102) == started.wave(2).scratch_base);
}

TEST_CASE("workgroups are dealt to the XCDs in turn") {
  AssembledKernel kernel(Target::gfx942, {.body = "s_endpgm"});
  const Dispatch dispatch = kernel.dispatch({20, 1, 1}, {64, 1, 1});
  for (const std::uint32_t index : {0U, 1U, 7U, 8U, 19U})
    CHECK(Started(kernel, dispatch, index).workgroup.xcd == index % 8);
}

TEST_CASE("launches that cannot be are refused") {
  AssembledKernel kernel(Target::gfx942, {.body = "s_endpgm", .lds_bytes = 1024});
  const auto code = [&](const Dispatch& dispatch) {
    const hk::Result<DispatchResult> result = run_dispatch(dispatch, kernel.device());
    REQUIRE(!result.has_value());
    CHECK(result.error().message.find("test_kernel") != std::string::npos);
    return result.error().code;
  };
  Dispatch dispatch = kernel.dispatch({1, 1, 1}, {64, 1, 1});
  dispatch.workgroup_size = {1024, 2, 1};
  CHECK(code(dispatch) == hk::StatusCode::invalid_argument);
  dispatch.workgroup_size = {64, 0, 1};
  CHECK(code(dispatch) == hk::StatusCode::invalid_argument);
  dispatch.workgroup_size = {64, 1, 1};
  dispatch.grid_work_items[1] = 0;
  CHECK(code(dispatch) == hk::StatusCode::invalid_argument);
  dispatch = kernel.dispatch({1, 1, 1}, {64, 1, 1});
  dispatch.dynamic_lds_bytes = 64 * 1024;
  CHECK(code(dispatch) == hk::StatusCode::invalid_argument);
  dispatch.dynamic_lds_bytes = 63 * 1024;
  CHECK(run_dispatch(dispatch, kernel.device()).has_value());
  dispatch.dynamic_lds_bytes = 0xffffffff;
  CHECK(code(dispatch) == hk::StatusCode::invalid_argument);
  AssembledKernel large(Target::gfx942, {.body = "s_endpgm", .vgprs = 256, .agprs = 256});
  dispatch = large.dispatch({1, 1, 1}, {512, 1, 1}); // 8 waves of 512 registers on 4 SIMDs
  CHECK(code(dispatch) == hk::StatusCode::invalid_argument);
  DeviceModel other = kernel.device();
  other.target = Target::gfx950;
  CHECK(!run_dispatch(kernel.dispatch({1, 1, 1}, {64, 1, 1}), other).has_value());
}

TEST_CASE("occupancy: the least of what waves, registers and LDS allow") {
  const DeviceModel device;
  hk::codeobj::KernelDescriptor descriptor;
  descriptor.vgpr_count = 64;
  CHECK(workgroups_per_compute_unit(descriptor, 256, 0, device) == 8); // 8 waves a SIMD, 4 waves a workgroup
  CHECK(workgroups_per_compute_unit(descriptor, 250, 0, device) == 8);
  CHECK(workgroups_per_compute_unit(descriptor, 256, 20000, device) == 3); // 65536 / 20000
  CHECK(workgroups_per_compute_unit(descriptor, 256, 65537, device) == 0);
  descriptor.vgpr_count = 129; // 136 with the granule: 3 waves a SIMD
  CHECK(workgroups_per_compute_unit(descriptor, 256, 0, device) == 3);
  descriptor.vgpr_count = 512;
  CHECK(workgroups_per_compute_unit(descriptor, 256, 0, device) == 1);
  CHECK(workgroups_per_compute_unit(descriptor, 512, 0, device) == 0);
}
