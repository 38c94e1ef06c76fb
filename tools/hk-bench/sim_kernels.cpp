#include "sim_kernels.h"

#include <stdexcept>

#include "sim/assembler.h"
#include "sim/decode/decode_code.h"

namespace hk::bench {
namespace {

constexpr unsigned k_loop_instructions = 64;
constexpr double k_vector_bar = 15e6; // wave instructions a second
constexpr double k_matrix_bar = 14e9; // floating-point operations a second

// The kernels use no global memory.
class NoMemory final : public sim::MemoryMap {
 public:
  [[nodiscard]] sim::MappedRange find(std::uint64_t) const override { return {}; }
  [[nodiscard]] std::string describe(std::uint64_t, std::uint64_t) const override { return "no memory"; }
};

SimKernelText vector_kernel(const char* name, std::string block, unsigned instructions, double bar = k_vector_bar) {
  SimKernelText text;
  text.name = name;
  text.block = std::move(block);
  text.block_instructions = instructions;
  text.instructions_per_second = bar;
  return text;
}

SimKernelText matrix_kernel(const char* name, sim::Target target, const char* mnemonic, int result_registers,
                            int operand_registers, double flop) {
  const auto range = [](int first, int count) {
    return "v[" + std::to_string(first) + ":" + std::to_string(first + count - 1) + "]";
  };
  SimKernelText text;
  text.name = name;
  text.target = target;
  text.block = std::string(mnemonic) + " " + range(0, result_registers) + ", " + range(64, operand_registers) + ", " +
               range(80, operand_registers) + ", " + range(0, result_registers) + "\n" + mnemonic + " " +
               range(32, result_registers) + ", " + range(72, operand_registers) + ", " + range(88, operand_registers) +
               ", " + range(32, result_registers) + "\n";
  text.block_instructions = 2;
  text.flop_per_block = 2 * flop;
  text.flop_per_second = k_matrix_bar;
  return text;
}

SimKernelText memory_kernel(const char* name, sim::Target target, std::string block, unsigned instructions) {
  SimKernelText text = vector_kernel(name, std::move(block), instructions, 0);
  text.target = target;
  return text;
}

void add_vector_kernels(std::vector<SimKernelText>& kernels) {
  kernels.push_back(vector_kernel("v_fma_f32", "v_fma_f32 v0, v1, v2, v3\nv_fma_f32 v4, v5, v6, v7\n", 2));
  kernels.push_back(vector_kernel("v_mul_f32 by a scalar", "v_mul_f32 v0, s8, v2\nv_mul_f32 v4, s9, v6\n", 2));
  kernels.push_back(vector_kernel("v_pk_fma_f32", "v_pk_fma_f32 v[0:1], v[2:3], v[4:5], v[6:7]\n", 1));
  kernels.push_back(vector_kernel("v_max_f32, v_max3_f32", "v_max_f32 v0, v1, v2\nv_max3_f32 v3, v4, v5, v6\n", 2));
  kernels.push_back(vector_kernel("v_add_u32, v_lshl_add_u32, v_and_or_b32",
                                  "v_add_u32 v0, v1, v2\nv_lshl_add_u32 v3, v4, 2, v5\nv_and_or_b32 v6, v7, v8, v9\n"
                                  "v_lshlrev_b32 v10, 4, v11\n",
                                  4));
  kernels.push_back(
      vector_kernel("v_cmp_gt_f32, v_cndmask_b32", "v_cmp_gt_f32 vcc, v1, v2\nv_cndmask_b32 v0, v3, v4, vcc\n", 2));
  kernels.push_back(vector_kernel("v_cvt_f32_i32, v_cvt_i32_f32, v_cvt_f16_f32",
                                  "v_cvt_f32_i32 v0, v1\nv_cvt_i32_f32 v2, v3\nv_cvt_f16_f32 v4, v5\n", 3));
  SimKernelText bfloat = vector_kernel("v_cvt_pk_bf16_f32", "v_cvt_pk_bf16_f32 v0, v1, v2\n", 1);
  bfloat.target = sim::Target::gfx950;
  kernels.push_back(bfloat);
  kernels.push_back(vector_kernel("v_mov_b32 dpp", "v_mov_b32_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf\n", 1));
  SimKernelText partial = vector_kernel("v_fma_f32, half of EXEC", "v_fma_f32 v0, v1, v2, v3\n", 1);
  partial.exec_half = 0x55555555;
  kernels.push_back(partial);
  SimKernelText flushing = vector_kernel("v_fma_f32, subnormals flushed", "v_fma_f32 v0, v1, v2, v3\n", 1);
  flushing.flushes_subnormals = true;
  kernels.push_back(flushing);
  kernels.push_back(vector_kernel("mixed: softmax-like",
                                  "v_mul_f32 v0, s8, v1\nv_max_f32 v2, v0, v3\nv_sub_f32 v4, v0, v2\nv_exp_f32 v5, v4\n"
                                  "v_add_f32 v6, v5, v7\nv_pk_mul_f32 v[8:9], v[10:11], v[12:13]\n"
                                  "v_add_u32 v14, v15, v16\nv_perm_b32 v17, v18, v19, v20\n",
                                  8));
  kernels.push_back(vector_kernel("v_exp_f32", "v_exp_f32 v0, v1\n", 1, 0));
  kernels.push_back(vector_kernel("scalar: s_add_u32, s_lshl_b32, s_cmp_lt_u32",
                                  "s_add_u32 s8, s9, s10\ns_lshl_b32 s11, s12, 3\ns_cmp_lt_u32 s13, s14\n", 3, 0));
}

void add_matrix_kernels(std::vector<SimKernelText>& kernels) {
  constexpr auto k_942 = sim::Target::gfx942;
  constexpr auto k_950 = sim::Target::gfx950;
  kernels.push_back(matrix_kernel("v_mfma_f32_32x32x8_bf16", k_942, "v_mfma_f32_32x32x8_bf16", 16, 2, 16384));
  kernels.push_back(matrix_kernel("v_mfma_f32_16x16x16_bf16", k_942, "v_mfma_f32_16x16x16_bf16", 4, 2, 8192));
  kernels.push_back(matrix_kernel("v_mfma_f32_32x32x16_bf16", k_950, "v_mfma_f32_32x32x16_bf16", 16, 4, 32768));
  kernels.push_back(matrix_kernel("v_mfma_f32_16x16x32_bf16", k_950, "v_mfma_f32_16x16x32_bf16", 4, 4, 16384));
}

void add_memory_kernels(std::vector<SimKernelText>& kernels) {
  constexpr auto k_942 = sim::Target::gfx942;
  constexpr auto k_950 = sim::Target::gfx950;
  kernels.push_back(memory_kernel("ds_read_b128", k_942,
                                  "ds_read_b128 v[0:3], v128\nds_read_b128 v[4:7], v128 offset:1024\n"
                                  "ds_read_b128 v[8:11], v128 offset:2048\ns_waitcnt lgkmcnt(0)\n",
                                  4));
  kernels.push_back(memory_kernel("ds_read_b64_tr_b16", k_950,
                                  "ds_read_b64_tr_b16 v[0:1], v128\nds_read_b64_tr_b16 v[4:5], v128 offset:1024\n"
                                  "ds_read_b64_tr_b16 v[8:9], v128 offset:2048\ns_waitcnt lgkmcnt(0)\n",
                                  4));
  kernels.push_back(memory_kernel("ds_write_b128", k_942,
                                  "ds_write_b128 v128, v[0:3]\nds_write_b128 v128, v[4:7] offset:1024\n"
                                  "ds_write_b128 v128, v[8:11] offset:2048\ns_waitcnt lgkmcnt(0)\n",
                                  4));
}

std::string assembler_text(const SimKernelText& kernel, unsigned iterations) {
  std::string start = "v_lshlrev_b32 v128, 4, v0\n"; // before v0 is filled
  for (int i = 0; i < 128; ++i)
    start += "v_mov_b32 v" + std::to_string(i) + ", " + std::to_string(0x3f800000 + i * 65537) + "\n";
  const std::string repetitions = std::to_string(std::max(1U, k_loop_instructions / kernel.block_instructions));
  const std::string target = std::string("amdgcn-amd-amdhsa--") + target_name(kernel.target);
  return ".amdgcn_target \"" + target +
         "\"\n.amdhsa_code_object_version 5\n.text\n.globl bench\n.p2align 8\n.type bench,@function\nbench:\n" + start +
         "s_mov_b32 s8, 0x3f800000\ns_mov_b32 s9, 0x3f000000\ns_mov_b32 s16, " + std::to_string(iterations) +
         "\ns_mov_b32 exec_lo, " + std::to_string(kernel.exec_half) + "\ns_mov_b32 exec_hi, " +
         std::to_string(kernel.exec_half) + "\n.Lloop:\n.rept " + repetitions + "\n" + kernel.block +
         ".endr\ns_sub_u32 s16, s16, 1\ns_cmp_lg_u32 s16, 0\ns_cbranch_scc1 .Lloop\ns_endpgm\n.Lend:\n"
         ".size bench, .Lend-bench\n.rodata\n.p2align 6\n.amdhsa_kernel bench\n.amdhsa_next_free_vgpr 256\n"
         ".amdhsa_next_free_sgpr 96\n.amdhsa_accum_offset 256\n.amdhsa_group_segment_fixed_size 8192\n"
         ".amdhsa_float_denorm_mode_32 " +
         std::to_string(kernel.flushes_subnormals ? 0 : 3) +
         "\n.end_amdhsa_kernel\n.amdgpu_metadata\n---\namdhsa.version: [1, 2]\namdhsa.target: " + target +
         "\namdhsa.kernels:\n  - .name: bench\n    .symbol: bench.kd\n    .kernarg_segment_size: 0\n"
         "    .kernarg_segment_align: 8\n    .wavefront_size: 64\n    .max_flat_workgroup_size: 64\n"
         "    .sgpr_count: 96\n    .vgpr_count: 256\n    .agpr_count: 0\n    .group_segment_fixed_size: 8192\n"
         "    .private_segment_fixed_size: 0\n    .args: []\n...\n.end_amdgpu_metadata\n";
}

template <typename T>
T value_or_throw(Result<T> result, const std::string& name) {
  if (!result)
    throw std::runtime_error(name + ": " + result.error().message + " " + result.error().detail);
  return std::move(*result);
}

} // namespace

const std::vector<SimKernelText>& sim_kernels() {
  static const std::vector<SimKernelText> kernels = [] {
    std::vector<SimKernelText> list;
    add_vector_kernels(list);
    add_matrix_kernels(list);
    add_memory_kernels(list);
    return list;
  }();
  return kernels;
}

SimKernel::SimKernel(const SimKernelText& text, unsigned iterations) {
  const std::vector<std::byte> elf =
      value_or_throw(sim::testing::assemble_code_object(text.target, assembler_text(text, iterations)), text.name);
  m_object = value_or_throw(codeobj::parse_code_object(elf), text.name);
  m_program = value_or_throw(sim::decode_program(m_object), text.name);
  m_program.code_address = 0x6000'0000'0000;
}

sim::DispatchResult SimKernel::run(std::uint32_t workgroups, unsigned threads) const {
  static const NoMemory memory;
  sim::Dispatch dispatch;
  dispatch.program = &m_program;
  dispatch.kernel = &m_object.kernels.front();
  dispatch.memory = &memory;
  dispatch.grid_work_items = {workgroups * 64, 1, 1};
  dispatch.workgroup_size = {64, 1, 1};
  sim::DeviceModel device;
  device.target = m_program.target;
  device.lds_bytes = sim::lds_capacity(device.target);
  sim::DispatchOptions options;
  options.threads = threads;
  sim::DispatchResult result = value_or_throw(sim::run_dispatch(dispatch, device, options), "bench kernel");
  if (result.fault.any())
    throw std::runtime_error(result.fault.sentence());
  return result;
}

} // namespace hk::bench
