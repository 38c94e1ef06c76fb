// Kernel descriptors with every field that a directive can set, for test_kernel_descriptor.cpp.
.text
.globl every_field
.p2align 8
.type every_field,@function
every_field:
  s_endpgm
.fill 63, 4, 0xbf800000
  s_endpgm
.globl defaults
.p2align 8
.type defaults,@function
defaults:
  s_endpgm

.rodata
.p2align 6
.amdhsa_kernel every_field
  .amdhsa_group_segment_fixed_size 4096
  .amdhsa_private_segment_fixed_size 48
  .amdhsa_kernarg_size 96
  .amdhsa_user_sgpr_count 15
  .amdhsa_user_sgpr_dispatch_ptr 1
  .amdhsa_user_sgpr_queue_ptr 1
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_user_sgpr_dispatch_id 1
  .amdhsa_user_sgpr_private_segment_size 1
  .amdhsa_user_sgpr_kernarg_preload_length 5
  .amdhsa_user_sgpr_kernarg_preload_offset 2
  .amdhsa_enable_private_segment 1
  .amdhsa_system_sgpr_workgroup_id_x 1
  .amdhsa_system_sgpr_workgroup_id_y 1
  .amdhsa_system_sgpr_workgroup_id_z 1
  .amdhsa_system_sgpr_workgroup_info 1
  .amdhsa_system_vgpr_workitem_id 2
  .amdhsa_next_free_vgpr 300
  .amdhsa_next_free_sgpr 60
  .amdhsa_accum_offset 252
  .amdhsa_reserve_vcc 1
  .amdhsa_float_round_mode_32 1
  .amdhsa_float_round_mode_16_64 2
  .amdhsa_float_denorm_mode_32 1
  .amdhsa_float_denorm_mode_16_64 2
  .amdhsa_dx10_clamp 1
  .amdhsa_ieee_mode 0
  .amdhsa_fp16_overflow 1
  .amdhsa_tg_split 1
  .amdhsa_uses_dynamic_stack 1
  .amdhsa_exception_fp_ieee_invalid_op 1
  .amdhsa_exception_fp_denorm_src 0
  .amdhsa_exception_fp_ieee_div_zero 1
  .amdhsa_exception_fp_ieee_overflow 0
  .amdhsa_exception_fp_ieee_underflow 0
  .amdhsa_exception_fp_ieee_inexact 0
  .amdhsa_exception_int_div_zero 1
.end_amdhsa_kernel
.p2align 6
.amdhsa_kernel defaults
  .amdhsa_next_free_vgpr 1
  .amdhsa_next_free_sgpr 1
  .amdhsa_accum_offset 4
.end_amdhsa_kernel

.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: every_field
    .symbol: every_field.kd
    .kernarg_segment_size: 96
    .kernarg_segment_align: 16
    .group_segment_fixed_size: 4096
    .private_segment_fixed_size: 48
    .wavefront_size: 64
    .sgpr_count: 66
    .vgpr_count: 300
    .agpr_count: 48
    .sgpr_spill_count: 7
    .vgpr_spill_count: 9
    .max_flat_workgroup_size: 512
    .reqd_workgroup_size: [64, 4, 2]
    .uses_dynamic_stack: true
    .args:
      - { .name: first, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global }
      - { .offset: 16, .size: 4, .value_kind: by_value }
  - .name: defaults
    .symbol: defaults.kd
    .kernarg_segment_size: 0
    .kernarg_segment_align: 4
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 7
    .vgpr_count: 1
    .max_flat_workgroup_size: 256
...
.end_amdgpu_metadata
