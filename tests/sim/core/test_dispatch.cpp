// Whole kernels: barriers, schedules, limits, faults, hidden arguments, sums.
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "sim/kernel_fixture.h"
#include "sim/machine/atomics_in_kernel.h"

using namespace hk::sim;
using namespace hk::sim::testing;

namespace {

constexpr const char* k_kernarg_and_id = ".amdhsa_user_sgpr_kernarg_segment_ptr 1\n"; // s[0:1], workgroup id in s2
constexpr std::size_t k_output = 4096;

// s[4:5] = output pointer, v1 = work-item id x, v2 = 4 * (workgroup * size + id)
std::string global_index(unsigned size) {
  return "s_load_dwordx2 s[4:5], s[0:1], 0x0\nv_and_b32 v1, 0x3ff, v0\ns_mul_i32 s3, s2, " + std::to_string(size) +
         "\nv_add_u32 v2, s3, v1\nv_lshlrev_b32 v2, 2, v2\ns_waitcnt lgkmcnt(0)\n";
}

AssembledKernel with_output(Target target, KernelText text) {
  text.directives += k_kernarg_and_id;
  AssembledKernel kernel(target, text);
  kernel.set<std::uint64_t>(0, kernel.address(k_output));
  return kernel;
}

// Every work-item writes its id to LDS, waits at a barrier and reads the mirrored one. Waves take different paths to
// it.
std::string mirror_through_lds(bool barrier) {
  const std::string wait = barrier ? "s_barrier\n" : "s_nop 0\n";
  return global_index(256) +
         "v_lshlrev_b32 v3, 2, v1\nds_write_b32 v3, v1\ns_waitcnt lgkmcnt(0)\n"
         "v_readfirstlane_b32 s8, v1\ns_cmp_lt_u32 s8, 0x80\ns_cbranch_scc1 low\n" +
         wait + "s_branch join\nlow:\n" + wait +
         "join:\nv_sub_u32 v4, 0x3fc, v3\nds_read_b32 v5, v4\ns_waitcnt lgkmcnt(0)\n"
         "global_store_dword v2, v5, s[4:5]\ns_endpgm";
}

bool mirrored(const AssembledKernel& kernel, unsigned workgroups) {
  for (unsigned i = 0; i < workgroups * 256; ++i)
    if (kernel.get<std::uint32_t>(k_output + 4 * i) != 255 - i % 256)
      return false;
  return true;
}

} // namespace

TEST_CASE("waves meet at different s_barrier instructions") {
  for (const Target target : {Target::gfx942, Target::gfx950}) {
    AssembledKernel kernel = with_output(target, {.body = mirror_through_lds(true), .lds_bytes = 1024});
    const DispatchResult result = kernel.run_without_fault(kernel.dispatch({4, 1, 1}, {256, 1, 1}));
    CHECK(mirrored(kernel, 4));
    CHECK(result.workgroups == 4);
    CHECK(result.waves == 16);
  }
}

TEST_CASE("every schedule gives the same result for a kernel without races, and some another one for a race") {
  AssembledKernel good = with_output(Target::gfx942, {.body = mirror_through_lds(true), .lds_bytes = 1024});
  AssembledKernel racy = with_output(Target::gfx942, {.body = mirror_through_lds(false), .lds_bytes = 1024});
  bool race_shown = false;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    std::fill(good.memory().bytes.begin() + k_output, good.memory().bytes.end(), std::byte{0});
    good.run_without_fault(good.dispatch({4, 1, 1}, {256, 1, 1}), {.schedule_seed = seed});
    CHECK(mirrored(good, 4));
    racy.run_without_fault(racy.dispatch({4, 1, 1}, {256, 1, 1}), {.schedule_seed = seed});
    race_shown = race_shown || !mirrored(racy, 4);
  }
  CHECK(race_shown);
}

TEST_CASE("a seed is one schedule, whatever the number of threads") {
  // Without its wait the store races with the reads of the other waves; what is read tells the schedule.
  AssembledKernel kernel = with_output(Target::gfx942, {.body = mirror_through_lds(false), .lds_bytes = 1024});
  const auto outcome = [&](std::uint64_t seed, unsigned threads) {
    kernel.run_without_fault(kernel.dispatch({8, 1, 1}, {256, 1, 1}), {.schedule_seed = seed, .threads = threads});
    return std::vector<std::byte>(kernel.memory().bytes.begin() + k_output, kernel.memory().bytes.end());
  };
  for (const std::uint64_t seed : {1, 2, 3})
    CHECK(outcome(seed, 1) == outcome(seed, 4));
  CHECK(outcome(1, 1) != outcome(2, 1));
}

TEST_CASE("a wave that ends counts as arrived") {
  // Waves 1 to 3 end at once; wave 0 passes two barriers.
  AssembledKernel kernel =
      with_output(Target::gfx942,
                  {.body = global_index(256) + "v_readfirstlane_b32 s8, v1\ns_cmp_lg_u32 s8, 0\ns_cbranch_scc1 end\n"
                                               "s_barrier\ns_barrier\nv_mov_b32 v3, 7\n"
                                               "global_store_dword v2, v3, s[4:5]\nend:\ns_endpgm"});
  kernel.run_without_fault(kernel.dispatch({1, 1, 1}, {256, 1, 1}));
  CHECK(kernel.get<std::uint32_t>(k_output) == 7);
  CHECK(kernel.get<std::uint32_t>(k_output + 4 * 63) == 7);
}

TEST_CASE("stores without a wait are done when the wave ends") {
  AssembledKernel kernel =
      with_output(Target::gfx950, {.body = global_index(64) + "global_store_dword v2, v1, s[4:5]\ns_endpgm"});
  kernel.run_without_fault(kernel.dispatch({2, 1, 1}, {64, 1, 1}));
  CHECK(kernel.get<std::uint32_t>(k_output + 4 * 127) == 63);
}

TEST_CASE("lanes beyond the workgroup's size touch nothing") {
  AssembledKernel kernel =
      with_output(Target::gfx942, {.body = global_index(70) + "global_store_dword v2, v1, s[4:5]\ns_endpgm"});
  kernel.run_without_fault(kernel.dispatch({1, 1, 1}, {70, 1, 1}));
  CHECK(kernel.get<std::uint32_t>(k_output + 4 * 69) == 69);
  CHECK(kernel.get<std::uint32_t>(k_output + 4 * 70) == 0xcdcdcdcd);
}

TEST_CASE("an endless loop hits the step limit and says where") {
  AssembledKernel kernel(Target::gfx942, {.body = "s_nop 0\nagain:\ns_nop 1\ns_branch again\ns_endpgm"});
  const DispatchResult result = kernel.run(kernel.dispatch({1, 1, 1}, {64, 1, 1}), {.step_limit = 10'001});
  CHECK(result.fault.kind == FaultKind::step_limit);
  CHECK(result.fault.kernel == "test_kernel");
  CHECK(result.instructions == 10'001);
  CHECK((result.fault.offset == 4 || result.fault.offset == 8));
  const std::string sentence = result.fault.sentence();
  CHECK(sentence.find("10001 instructions, the limit of one wave") != std::string::npos);
  CHECK(sentence.find("less work") != std::string::npos);
  CHECK(DispatchOptions().step_limit == 4'294'967'296); // minutes, not hours
  const DispatchResult random =
      kernel.run(kernel.dispatch({1, 1, 1}, {128, 1, 1}), {.schedule_seed = 1, .step_limit = 1000});
  CHECK(random.fault.kind == FaultKind::step_limit);
}

TEST_CASE("an endless loop can be cancelled") {
  AssembledKernel kernel(Target::gfx942, {.body = "again:\ns_branch again\ns_endpgm"});
  std::atomic<bool> cancel = true;
  const DispatchResult result = kernel.run(kernel.dispatch({8, 1, 1}, {64, 1, 1}), {.cancel = &cancel});
  CHECK(result.fault.kind == FaultKind::cancelled);
  CHECK(result.fault.sentence().find("test_kernel") != std::string::npos);
}

TEST_CASE("the fault that is reported is the first workgroup's that has one") {
  // Workgroups 5 and above store outside; each stores first.
  AssembledKernel kernel =
      with_output(Target::gfx942, {.body = global_index(64) + "global_store_dword v2, v1, s[4:5]\ns_cmp_lt_u32 s2, 5\n"
                                                              "s_cbranch_scc1 end\nv_add_u32 v2, 0x100000, v2\n"
                                                              "global_store_dword v2, v1, s[4:5]\nend:\ns_endpgm"});
  for (const unsigned threads : {1U, 4U}) {
    const DispatchResult result = kernel.run(kernel.dispatch({64, 1, 1}, {64, 1, 1}), {.threads = threads});
    CHECK(result.fault.kind == FaultKind::global_out_of_bounds);
    CHECK(result.fault.workgroup[0] == 5);
    CHECK(result.fault.instruction.find("global_store_dword") == 0);
    CHECK(result.fault.address >= kernel.address(k_output + 0x100000));
    for (unsigned i = 0; i < 5; ++i)
      CHECK(kernel.get<std::uint32_t>(k_output + 256 * i) == 0);
  }
}

TEST_CASE("a program counter past the code and an instruction that nobody knows are faults") {
  AssembledKernel past(Target::gfx942, {.body = "s_nop 0\n.long 0xbf9f0000"});
  CHECK(past.run(past.dispatch({1, 1, 1}, {64, 1, 1})).fault.any());
  AssembledKernel unknown(Target::gfx942, {.body = "s_nop 0\ns_sethalt 1\ns_endpgm"});
  const Fault fault = unknown.run(unknown.dispatch({1, 1, 1}, {64, 1, 1})).fault;
  CHECK(fault.kind == FaultKind::unknown_instruction);
  CHECK(fault.offset == 4);
  CHECK(fault.sentence().find("s_sethalt 1") != std::string::npos);
}

TEST_CASE("padding behind s_endpgm that is no instruction does not matter until it is executed") {
  AssembledKernel kernel(Target::gfx950, {.body = "s_branch end\n.long 0xffffffff\nend:\ns_endpgm\n.long 0xffffffff\n"
                                                  ".long 0xffffffff"});
  kernel.run_without_fault(kernel.dispatch({1, 1, 1}, {64, 1, 1}));
  AssembledKernel executed(Target::gfx950, {.body = ".long 0xffffffff\ns_endpgm"});
  CHECK(executed.run(executed.dispatch({1, 1, 1}, {64, 1, 1})).fault.kind == FaultKind::unknown_instruction);
}

TEST_CASE("hidden arguments") {
  std::string arguments = "{.offset: 0, .size: 8, .value_kind: global_buffer}";
  const auto add = [&](const char* kind, unsigned offset, unsigned size) {
    arguments += ", {.offset: " + std::to_string(offset) + ", .size: " + std::to_string(size) +
                 ", .value_kind: hidden_" + kind + "}";
  };
  add("block_count_x", 8, 4);
  add("block_count_y", 12, 4);
  add("block_count_z", 16, 4);
  add("group_size_x", 20, 2);
  add("group_size_y", 22, 2);
  add("group_size_z", 24, 2);
  add("remainder_x", 26, 2);
  add("remainder_y", 28, 2);
  add("remainder_z", 30, 2);
  add("global_offset_x", 48, 8);
  add("grid_dims", 72, 2);
  add("dynamic_lds_size", 128, 4);
  add("private_base", 200, 4);
  add("shared_base", 204, 4);
  add("queue_ptr", 208, 8);
  AssembledKernel kernel(Target::gfx942, {.body = "s_endpgm", .arguments = arguments, .kernarg_bytes = 264});
  kernel.set<std::uint64_t>(0, 0x1234);
  Dispatch dispatch = kernel.dispatch({3, 4, 5}, {8, 4, 2});
  dispatch.grid_work_items = {27, 16, 9};
  dispatch.dynamic_lds_bytes = 77;
  dispatch.queue_address = 0x7777'8888'9999;
  fill_hidden_arguments(dispatch, std::span(kernel.memory().bytes).first(264));
  CHECK(kernel.get<std::uint64_t>(0) == 0x1234); // explicit: not ours
  CHECK(kernel.get<std::uint32_t>(8) == 3);      // 27 / 8, whole ones
  CHECK(kernel.get<std::uint32_t>(12) == 4);
  CHECK(kernel.get<std::uint32_t>(16) == 4);
  CHECK(kernel.get<std::uint16_t>(20) == 8);
  CHECK(kernel.get<std::uint16_t>(22) == 4);
  CHECK(kernel.get<std::uint16_t>(24) == 2);
  CHECK(kernel.get<std::uint16_t>(26) == 3);
  CHECK(kernel.get<std::uint16_t>(28) == 0);
  CHECK(kernel.get<std::uint16_t>(30) == 1);
  CHECK(kernel.get<std::uint64_t>(48) == 0);
  CHECK(kernel.get<std::uint16_t>(72) == 3);
  CHECK(kernel.get<std::uint32_t>(128) == 77);
  CHECK(kernel.get<std::uint32_t>(200) == 0x20000);
  CHECK(kernel.get<std::uint32_t>(204) == 0x10000);
  CHECK(kernel.get<std::uint64_t>(208) == 0x7777'8888'9999);
  // A segment that is shorter than the metadata says is not overrun.
  std::vector<std::byte> short_segment(130, std::byte{1});
  fill_hidden_arguments(dispatch, short_segment);
  CHECK(short_segment[129] == std::byte{1});
}

TEST_CASE("the dispatch packet") {
  AssembledKernel kernel(Target::gfx942, {.body = "s_endpgm", .lds_bytes = 100, .scratch_bytes = 16});
  Dispatch dispatch = kernel.dispatch({3, 4, 1}, {64, 2, 1});
  dispatch.dynamic_lds_bytes = 28;
  const std::array<std::byte, 64> packet = make_dispatch_packet(dispatch);
  const auto field = [&](std::size_t offset, std::size_t size) {
    std::uint64_t value = 0;
    std::memcpy(&value, packet.data() + offset, size);
    return value;
  };
  CHECK((field(0, 2) & 0xff) == 2); // kernel dispatch
  CHECK(field(2, 2) == 2);          // dimensions
  CHECK(field(4, 2) == 64);
  CHECK(field(6, 2) == 2);
  CHECK(field(8, 2) == 1);
  CHECK(field(12, 4) == 192);
  CHECK(field(16, 4) == 8);
  CHECK(field(20, 4) == 1);
  CHECK(field(24, 4) == 16);
  CHECK(field(28, 4) == 128);
  CHECK(field(40, 8) == dispatch.kernarg_address);
}

TEST_CASE("a workgroup may wait for a later one") {
  // Workgroup 0 spins until workgroup 7 has set a flag.
  for (const char* pause : {"s_nop 0\n", "s_sleep 1\n"}) {
    AssembledKernel kernel = with_output(
        Target::gfx942,
        {.body =
             global_index(64) +
             "v_mov_b32 v3, 0\nv_mov_b32 v4, 1\ns_cmp_lg_u32 s2, 7\ns_cbranch_scc1 other\n"
             "global_store_dword v3, v4, s[4:5] sc1\ns_endpgm\n"
             "other:\ns_cmp_lg_u32 s2, 0\ns_cbranch_scc1 end\nspin:\n" +
             pause +
             "global_load_dword v5, v3, s[4:5] sc1\ns_waitcnt vmcnt(0)\nv_readfirstlane_b32 s9, v5\n"
             "s_cmp_lg_u32 s9, 1\ns_cbranch_scc1 spin\nv_mov_b32 v6, 5\nglobal_store_dword v3, v6, s[4:5] offset:4\n"
             "end:\ns_endpgm"});
    kernel.set<std::uint64_t>(k_output, 0);
    kernel.run_without_fault(kernel.dispatch({8, 1, 1}, {64, 1, 1}), {.threads = 1});
    CHECK(kernel.get<std::uint32_t>(k_output + 4) == 5);
    kernel.set<std::uint64_t>(k_output, 0);
    kernel.run_without_fault(kernel.dispatch({8, 1, 1}, {64, 1, 1}), {.schedule_seed = 3, .threads = 1});
    CHECK(kernel.get<std::uint32_t>(k_output + 4) == 5);
  }
}

TEST_CASE("a wave may wait for another one of its workgroup without a barrier") {
  AssembledKernel kernel =
      with_output(Target::gfx942,
                  {.body = global_index(128) + "v_readfirstlane_b32 s8, v1\nv_mov_b32 v3, 0\nv_mov_b32 v4, 1\n"
                                               "s_cmp_lg_u32 s8, 0\ns_cbranch_scc1 second\nspin:\n"
                                               "ds_read_b32 v5, v3\ns_waitcnt lgkmcnt(0)\nv_readfirstlane_b32 s9, v5\n"
                                               "s_cmp_lg_u32 s9, 1\ns_cbranch_scc1 spin\n"
                                               "global_store_dword v3, v4, s[4:5]\ns_endpgm\n"
                                               "second:\nds_write_b32 v3, v4\ns_endpgm",
                   .lds_bytes = 64});
  kernel.run_without_fault(kernel.dispatch({1, 1, 1}, {128, 1, 1}));
  CHECK(kernel.get<std::uint32_t>(k_output) == 1);
}

TEST_CASE("sums over the dispatch and the modelled time") {
  AssembledKernel kernel =
      with_output(Target::gfx942, {.body = global_index(64) + "v_add_f32 v3, v1, v1\nv_add_f32 v3, v3, v1\n"
                                                              "global_store_dword v2, v1, s[4:5]\ns_endpgm"});
  const DispatchResult result = kernel.run_without_fault(kernel.dispatch({5, 1, 1}, {64, 1, 1}));
  const auto of = [&](OperationClass which) { return result.instructions_by_class[std::size_t(which)]; };
  CHECK(of(OperationClass::vector) == 5 * 5);
  CHECK(of(OperationClass::scalar) == 5);
  CHECK(of(OperationClass::scalar_memory) == 5);
  CHECK(of(OperationClass::vector_memory) == 5);
  CHECK(of(OperationClass::branch) == 2 * 5);
  CHECK(result.instructions == 50);
  // One wave on a compute unit: five vector instructions of four clocks are its busiest port.
  CHECK(result.modelled_clocks == 20);
  const DeviceModel device = kernel.device();
  CHECK(result.modelled_ns == doctest::Approx(device.dispatch_overhead_ns + 20 * 1000.0 / device.engine_clock_mhz));
  // 304 compute units take 304 workgroups at once and twice as many in twice the time.
  AssembledKernel plain(Target::gfx942, {.body = "v_add_f32 v3, v1, v1\nv_add_f32 v3, v3, v1\ns_endpgm"});
  CHECK(plain.run_without_fault(plain.dispatch({304, 1, 1}, {64, 1, 1})).modelled_clocks == 8);
  CHECK(plain.run_without_fault(plain.dispatch({608, 1, 1}, {64, 1, 1})).modelled_clocks == 16);
  CHECK(plain.run_without_fault(plain.dispatch({304, 1, 1}, {256, 1, 1})).modelled_clocks == 8); // four SIMDs
  CHECK(plain.run_without_fault(plain.dispatch({304, 1, 1}, {512, 1, 1})).modelled_clocks == 16);
}

TEST_CASE("which kernels run on one thread because of their atomics") {
  const auto dependent = [](const char* body) {
    AssembledKernel kernel(Target::gfx942, {.body = body});
    CHECK(has_order_dependent_atomics(kernel.program(), 0) == !kernel.program().order_dependent_entries.empty());
    return has_order_dependent_atomics(kernel.program(), 0);
  };
  CHECK(!dependent("global_atomic_add v0, v1, s[0:1]\ns_endpgm"));
  CHECK(!dependent("ds_add_f32 v0, v1\ns_endpgm"));
  CHECK(dependent("global_atomic_add_f32 v0, v1, s[0:1]\ns_endpgm"));
  CHECK(dependent("global_atomic_add v2, v0, v1, s[0:1] sc0\ns_endpgm"));
  CHECK(dependent("global_atomic_swap v0, v1, s[0:1]\ns_endpgm"));
  CHECK(dependent("s_cbranch_scc1 far\ns_endpgm\nfar:\nglobal_atomic_pk_add_bf16 v0, v1, s[0:1]\ns_endpgm"));
  CHECK(!dependent("s_endpgm\nglobal_atomic_add_f32 v0, v1, s[0:1]\ns_endpgm"));
  CHECK(dependent("s_swappc_b64 s[30:31], s[4:5]\ns_endpgm\nglobal_atomic_add_f32 v0, v1, s[0:1]\ns_endpgm"));
}
