// Branches, calls, waits, scalar loads and the in-flight check.
#include "scalar_case.h"

#include "sim/machine/run_wave.h"

using namespace hk::sim;
using namespace hk::sim::testing;

namespace {

// Returns s0 after a program in which the branch skips "s_mov_b32 s0, 1".
bool taken(std::string_view branch, bool scc, std::uint64_t vcc, std::uint64_t exec) {
  OneWave machine(Target::gfx942, 64, 64);
  Wave& wave = machine.wave();
  wave.scalar[0] = 0;
  wave.scc = scc;
  wave.set_vcc(vcc);
  wave.set_exec(exec);
  machine.run(std::string(branch) + " end\ns_mov_b32 s0, 1\nend:\ns_nop 0");
  return wave.scalar[0] == 0;
}

} // namespace

TEST_CASE("branches") {
  CHECK(taken("s_branch", false, 0, 0));
  CHECK(taken("s_cbranch_scc0", false, 1, 1));
  CHECK(!taken("s_cbranch_scc0", true, 1, 1));
  CHECK(taken("s_cbranch_scc1", true, 1, 1));
  CHECK(!taken("s_cbranch_scc1", false, 1, 1));
  CHECK(taken("s_cbranch_vccz", false, 0, 1));
  CHECK(!taken("s_cbranch_vccz", false, 1ULL << 63, 1));
  CHECK(taken("s_cbranch_vccnz", false, 1ULL << 63, 0));
  CHECK(!taken("s_cbranch_vccnz", false, 0, 1));
  CHECK(taken("s_cbranch_execz", false, 1, 0));
  CHECK(!taken("s_cbranch_execz", false, 1, 1ULL << 32));
  CHECK(taken("s_cbranch_execnz", false, 0, 1ULL << 32));
  CHECK(!taken("s_cbranch_execnz", false, 0, 0));
}

TEST_CASE("a loop backwards") {
  OneWave machine(Target::gfx950);
  machine.run("s_mov_b32 s0, 10\ns_mov_b32 s1, 0\nagain:\ns_add_u32 s1, s1, s0\ns_sub_u32 s0, s0, 1\n"
              "s_cmp_lg_u32 s0, 0\ns_cbranch_scc1 again");
  CHECK(machine.wave().scalar[1] == 55);
}

TEST_CASE("a branch to where no instruction starts is a fault") {
  OneWave machine(Target::gfx942);
  CHECK(machine.run_to_fault("s_branch 100").kind == FaultKind::bad_program_counter);
  // Into the literal of s_mov_b32.
  CHECK(machine.run_to_fault("s_branch 1\ns_mov_b32 s0, 0x12345678").kind == FaultKind::bad_program_counter);
}

TEST_CASE("calls through registers and relative calls") {
  OneWave machine(Target::gfx942);
  Wave& wave = machine.wave();
  wave.scalar[4] = 100;
  machine.run("s_getpc_b64 s[0:1]\n"            // +0, gives +4
              "s_add_u32 s0, s0, 24\n"          // +4: function at +28
              "s_addc_u32 s1, s1, 0\n"          // +8
              "s_swappc_b64 s[30:31], s[0:1]\n" // +12, returns to +16
              "s_call_b64 s[32:33], function\n" // +16, returns to +20
              "s_mov_b32 s5, 1\n"               // +20
              "s_branch end\n"                  // +24
              "function:\n"
              "s_add_u32 s4, s4, 1\n" // +28
              "s_cmp_lg_u32 s4, 101\n"
              "s_cbranch_scc1 second\n"
              "s_setpc_b64 s[30:31]\n"
              "second:\n"
              "s_setpc_b64 s[32:33]\n"
              "end:\n"
              "s_nop 0");
  CHECK(wave.scalar[5] == 1);
  CHECK(wave.scalar64(30) == wave.scalar64(32) - 4);
  CHECK(machine.run_to_fault("s_mov_b64 s[0:1], 2\ns_setpc_b64 s[0:1]").kind == FaultKind::bad_program_counter);
}

TEST_CASE("s_load arrives at its wait and not before") {
  OneWave machine(Target::gfx942);
  Wave& wave = machine.wave();
  for (unsigned i = 0; i < 64; ++i)
    machine.set_memory<std::uint32_t>(i, 1000 + i);
  wave.set_scalar64(0, machine.memory().base);
  wave.scalar[20] = 5;
  machine.run_without_completing("s_load_dwordx2 s[20:21], s[0:1], 0x10");
  CHECK(wave.scalar[20] == 5);
  CHECK(wave.pending.size() == 1);
  machine.run_without_completing("s_waitcnt vmcnt(0)");
  CHECK(wave.scalar[20] == 5);
  machine.run_without_completing(
      "s_waitcnt lgkmcnt(1)"); // scalar loads return out of order: a count above 0 proves nothing
  CHECK(wave.scalar[20] == 5);
  machine.run_without_completing("s_waitcnt lgkmcnt(0)");
  CHECK(wave.scalar[20] == 1004);
  CHECK(wave.scalar[21] == 1005);
  CHECK(wave.pending.empty());
}

TEST_CASE("s_load widths and offsets") {
  OneWave machine(Target::gfx950);
  Wave& wave = machine.wave();
  for (unsigned i = 0; i < 64; ++i)
    machine.set_memory<std::uint32_t>(i, 1000 + i);
  wave.set_scalar64(0, machine.memory().base + 16);
  wave.scalar[2] = 8;
  machine.run("s_load_dword s4, s[0:1], -0x4\ns_load_dword s5, s[0:1], s2\ns_load_dword s6, s[0:1], s2 offset:0x4\n"
              "s_load_dwordx4 s[8:11], s[0:1], 0x0\ns_load_dwordx8 s[16:23], s[0:1], 0x4\n"
              "s_load_dwordx16 s[32:47], s[0:1], 0x0\ns_load_dwordx2 vcc, s[0:1], 0x0\n"
              "s_load_dword s48, s[0:1], 0x7"); // low address bits are ignored
  CHECK(wave.scalar[4] == 1003);
  CHECK(wave.scalar[5] == 1006);
  CHECK(wave.scalar[6] == 1007);
  CHECK(wave.scalar[11] == 1007);
  CHECK(wave.scalar[16] == 1005);
  CHECK(wave.scalar[23] == 1012);
  CHECK(wave.scalar[47] == 1019);
  CHECK(wave.vcc() == (1005ULL << 32 | 1004));
  CHECK(wave.scalar[48] == 1005);
}

TEST_CASE("s_load outside every allocation is a fault that names the address") {
  OneWave machine(Target::gfx942, 64);
  machine.wave().set_scalar64(0, machine.memory().base + 56);
  const Fault fault = machine.run_to_fault("s_nop 0\ns_load_dwordx4 s[4:7], s[0:1], 0x0\ns_waitcnt lgkmcnt(0)");
  CHECK(fault.kind == FaultKind::global_out_of_bounds);
  CHECK(fault.address == machine.memory().base + 56);
  CHECK(fault.offset == 4);
  CHECK(fault.instruction.find("s_load_dwordx4") == 0);
}

TEST_CASE("s_buffer_load clips at the descriptor's size") {
  OneWave machine(Target::gfx942);
  Wave& wave = machine.wave();
  for (unsigned i = 0; i < 64; ++i)
    machine.set_memory<std::uint32_t>(i, 1000 + i);
  wave.set_scalar64(0, machine.memory().base);
  wave.scalar[2] = 24; // bytes
  wave.scalar[3] = 0;
  machine.run("s_buffer_load_dwordx4 s[4:7], s[0:3], 0x10");
  CHECK(wave.scalar[4] == 1004);
  CHECK(wave.scalar[5] == 1005);
  CHECK(wave.scalar[6] == 0);
  CHECK(wave.scalar[7] == 0);
  wave.scalar[1] |= 8U << 16; // stride 8: 24 records of 8 bytes
  machine.run("s_buffer_load_dwordx2 s[4:5], s[0:3], 0xb8\ns_buffer_load_dword s6, s[0:3], 0xc0");
  CHECK(wave.scalar[4] == 1046);
  CHECK(wave.scalar[5] == 1047);
  CHECK(wave.scalar[6] == 0);
}

TEST_CASE("a register is not used before the wait for its load") {
  OneWave machine(Target::gfx942);
  Wave& wave = machine.wave();
  wave.set_scalar64(0, machine.memory().base);
  const auto faults = [&](const char* text) {
    return machine.run_to_fault(std::string("s_load_dwordx2 s[4:5], s[0:1], 0x0\n") + text);
  };
  const Fault read = faults("s_mov_b32 s8, s5");
  CHECK(read.kind == FaultKind::register_in_flight);
  CHECK(read.instruction == "s_mov_b32 s8, s5");
  CHECK(read.explanation.find("s_load_dwordx2") != std::string::npos);
  CHECK(faults("s_mov_b32 s4, 0").kind == FaultKind::register_in_flight);              // write
  CHECK(faults("s_load_dword s5, s[0:1], 0x0").kind == FaultKind::register_in_flight); // loads race
  CHECK(faults("s_waitcnt lgkmcnt(1)\ns_mov_b32 s8, s4").kind == FaultKind::register_in_flight);
  CHECK(faults("s_waitcnt vmcnt(0)\ns_add_u32 s8, s8, s4").kind == FaultKind::register_in_flight);
  machine.run("s_load_dwordx2 s[4:5], s[0:1], 0x0\ns_mov_b32 s6, s3\ns_waitcnt lgkmcnt(0)\ns_mov_b32 s8, s5");
  // What no operand names: vcc of a branch, exec of saveexec.
  CHECK(machine.run_to_fault("s_load_dwordx2 vcc, s[0:1], 0x0\ns_cbranch_vccz 0").kind ==
        FaultKind::register_in_flight);
  CHECK(machine.run_to_fault("s_load_dword vcc_hi, s[0:1], 0x0\ns_cbranch_vccnz 0").kind ==
        FaultKind::register_in_flight);
}

TEST_CASE("loads of one kind may overwrite each other's destination, because they return in order") {
  OneWave machine(Target::gfx950);
  Wave& wave = machine.wave();
  wave.set_scalar64(0, machine.memory().base);
  machine.set_memory<std::uint32_t>(0, 10);
  machine.set_memory<std::uint32_t>(1, 11);
  machine.set_lds<std::uint32_t>(2, 12);
  machine.run("v_mov_b32 v1, 0\nv_mov_b32 v2, s0\nv_mov_b32 v3, s1\nglobal_load_dwordx2 v[4:5], v1, "
              "s[0:1]\nglobal_load_dword v5, v1, s[0:1]\n"
              "s_waitcnt vmcnt(0)\nv_mov_b32 v6, v5");
  CHECK(wave.vector[6][0] == 10);
  // The second load's register stays in flight when the first has been waited for.
  const Fault fault = machine.run_to_fault("global_load_dwordx2 v[4:5], v1, s[0:1]\nglobal_load_dword v5, v1, s[0:1]\n"
                                           "s_waitcnt vmcnt(1)\nv_mov_b32 v6, v4\nv_mov_b32 v6, v5");
  CHECK(fault.kind == FaultKind::register_in_flight);
  CHECK(fault.instruction == "v_mov_b32_e32 v6, v5");
  const auto faults = [&](const char* text) { return machine.run_to_fault(text).kind; };
  // LDS and global memory do not wait for each other.
  CHECK(faults("global_load_dword v5, v1, s[0:1]\nds_read_b32 v5, v1") == FaultKind::register_in_flight);
  CHECK(faults("ds_read_b32 v5, v1\nglobal_load_dword v5, v1, s[0:1]") == FaultKind::register_in_flight);
  CHECK(faults("flat_load_dword v5, v[2:3]\nglobal_load_dword v5, v1, s[0:1]") == FaultKind::register_in_flight);
  // A destination is one thing, an address another, also where the address is the first operand.
  CHECK(faults("global_load_dword v5, v1, s[0:1]\nglobal_load_dword v6, v5, s[0:1]") == FaultKind::register_in_flight);
  CHECK(faults("global_load_dword v5, v1, s[0:1]\nbuffer_load_dword v5, s[4:7], 0 offen lds") ==
        FaultKind::register_in_flight);
  CHECK(faults("global_load_dword v5, v1, s[0:1]\nglobal_store_dword v5, v1, s[0:1]") == FaultKind::register_in_flight);
}

TEST_CASE("counters: vector memory and LDS complete apart, in issue order") {
  OneWave machine(Target::gfx942);
  Wave& wave = machine.wave();
  wave.set_scalar64(0, machine.memory().base);
  machine.run("v_mov_b32 v1, 0");
  machine.run_without_completing("global_load_dword v4, v1, s[0:1]\nds_read_b32 v5, v1\n"
                                 "global_load_dword v6, v1, s[0:1]\nds_read_b32 v7, v1\ns_load_dword s4, s[0:1], 0x0");
  CHECK(wave.pending.size() == 5);
  machine.run_without_completing("s_waitcnt vmcnt(1)");
  CHECK(wave.pending.size() == 4);
  machine.run_without_completing("v_mov_b32 v8, v4");
  // Two LDS reads and a scalar load share lgkmcnt. At most two outstanding: the one that is done may be the scalar
  // load.
  machine.run_without_completing("s_waitcnt lgkmcnt(2)");
  CHECK(wave.pending.size() == 4);
  machine.run_without_completing("s_waitcnt lgkmcnt(1)\nv_mov_b32 v8, v5"); // two are done, one of them an LDS read
  CHECK(wave.pending.size() == 3);
  machine.run_without_completing("s_waitcnt lgkmcnt(0)\nv_mov_b32 v8, v7\ns_mov_b32 s5, s4");
  CHECK(wave.pending.size() == 1);
  machine.run_without_completing("s_waitcnt vmcnt(0)\nv_mov_b32 v8, v6");
  CHECK(wave.pending.empty());
}

TEST_CASE("a FLAT access is done when both counters have been waited for") {
  OneWave machine(Target::gfx942);
  Wave& wave = machine.wave();
  wave.set_scalar64(0, machine.memory().base);
  machine.set_memory<std::uint32_t>(0, 77);
  machine.run("v_mov_b32 v2, s0\nv_mov_b32 v3, s1");
  for (const char* waits : {"s_waitcnt vmcnt(0)", "s_waitcnt lgkmcnt(0)"}) {
    CHECK(machine.run_to_fault(std::string("flat_load_dword v4, v[2:3]\n") + waits + "\nv_mov_b32 v5, v4").kind ==
          FaultKind::register_in_flight);
  }
  machine.run("flat_load_dword v4, v[2:3]\ns_waitcnt lgkmcnt(0)\ns_waitcnt vmcnt(0)\nv_mov_b32 v5, v4");
  CHECK(wave.vector[5][0] == 77);
  machine.run("flat_load_dword v4, v[2:3]\ns_waitcnt vmcnt(0) lgkmcnt(0)\nv_mov_b32 v6, v4");
  CHECK(wave.vector[6][63] == 77);
}

TEST_CASE("an access that the schedule completes early keeps its register marked until the wait") {
  OneWave machine(Target::gfx942);
  Wave& wave = machine.wave();
  wave.set_scalar64(0, machine.memory().base);
  machine.set_memory<std::uint32_t>(0, 1);
  machine.run("v_mov_b32 v1, 0");
  machine.run_without_completing("global_load_dword v4, v1, s[0:1]\nglobal_load_dword v5, v1, s[0:1]\n"
                                 "ds_read_b32 v6, v1");
  wave.complete_early(1); // the older load comes first
  CHECK(wave.vector[4][0] == 1);
  CHECK(wave.vector[5][0] == 0xcdcdcdcd);
  machine.set_memory<std::uint32_t>(0, 2);
  wave.complete_early(1);
  CHECK(wave.vector[5][0] == 2);
  CHECK(wave.pending.size() == 3);
  CHECK(machine.run_to_fault("v_mov_b32 v7, v4").kind == FaultKind::register_in_flight);
}

TEST_CASE("clocks return like loads and grow") {
  OneWave machine(Target::gfx942);
  Wave& wave = machine.wave();
  machine.run("s_memtime s[0:1]\ns_waitcnt lgkmcnt(0)\ns_nop 0\ns_memtime s[2:3]\ns_waitcnt lgkmcnt(0)");
  CHECK(wave.scalar64(2) > wave.scalar64(0));
  CHECK(machine.run_to_fault("s_memtime s[0:1]\ns_mov_b32 s2, s0").kind == FaultKind::register_in_flight);
  machine.run("s_memrealtime s[4:5]\ns_waitcnt lgkmcnt(0)");
  CHECK(wave.scalar64(4) <= wave.scalar64(2));
}

TEST_CASE("what has no effect is accepted") {
  OneWave machine(Target::gfx942);
  machine.run("s_nop 15\ns_setprio 3\ns_sleep 1\ns_icache_inv\ns_dcache_inv\ns_dcache_wb\ns_wakeup");
  CHECK(machine.wave().priority == 3);
}

TEST_CASE("traps") {
  OneWave machine(Target::gfx942);
  const Fault fault = machine.run_to_fault("s_trap 2");
  CHECK(fault.kind == FaultKind::trap);
  CHECK(fault.explanation.find("__builtin_trap") != std::string::npos);
}
