; One line for every vector operation in every encoding that the assembler knows, v_cmpx aside.
v_accvgpr_mov_b32_e32 a0, a1
v_accvgpr_read_b32_e64 v0, a1
v_accvgpr_write_b32_e64 a0, v1
v_add3_u32_e64 v0, v1, v1, v1
v_add_co_u32_dpp v0, vcc, v1, v2 row_shr:1 row_mask:0xf bank_mask:0xf
v_add_co_u32_e32 v0, v1, v1
v_add_co_u32_e64 v0, vcc, v1, v2
v_add_co_u32_sdwa v0, vcc, v1, v2 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_add_f16_dpp v0, v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_add_f16_e32 v0, v1, v1
v_add_f16_e64 v0, v1, v1
v_add_f16_sdwa v0, v1, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_add_f32_dpp v0, v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_add_f32_e32 v0, v1, v1
v_add_f32_e64 v0, v1, v1
v_add_f32_sdwa v0, v1, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_add_f64_e64 v[0:1], v[2:3], v[2:3]
v_add_i16_e64 v0, v1, v1
v_add_i32_e64 v0, v1, v1
v_add_lshl_u32_e64 v0, v1, v1, v1
v_add_u16_dpp v0, v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_add_u16_e32 v0, v1, v1
v_add_u16_e64 v0, v1, v1
v_add_u16_sdwa v0, v1, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_add_u32_dpp v0, v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_add_u32_e32 v0, v1, v1
v_add_u32_e64 v0, v1, v1
v_add_u32_sdwa v0, v1, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_addc_co_u32_dpp v0, vcc, v1, v2, vcc row_shr:1 row_mask:0xf bank_mask:0xf
v_addc_co_u32_e32 v0, vcc, v1, v2, vcc
v_addc_co_u32_e64 v0, vcc, v1, v2, vcc
v_addc_co_u32_sdwa v0, vcc, v1, v2, vcc dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_alignbit_b32_e64 v0, v1, v1, v1
v_alignbyte_b32_e64 v0, v1, v1, v1
v_and_b32_dpp v0, v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_and_b32_e32 v0, v1, v1
v_and_b32_e64 v0, v1, v1
v_and_b32_sdwa v0, v1, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_and_or_b32_e64 v0, v1, v1, v1
v_ashrrev_i16_dpp v0, v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_ashrrev_i16_e32 v0, v1, v1
v_ashrrev_i16_e64 v0, v1, v1
v_ashrrev_i16_sdwa v0, v1, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_ashrrev_i32_dpp v0, v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_ashrrev_i32_e32 v0, v1, v1
v_ashrrev_i32_e64 v0, v1, v1
v_ashrrev_i32_sdwa v0, v1, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_ashrrev_i64_e64 v[0:1], v1, v[2:3]
v_bcnt_u32_b32_e64 v0, v1, v1
v_bfe_i32_e64 v0, v1, v1, v1
v_bfe_u32_e64 v0, v1, v1, v1
v_bfi_b32_e64 v0, v1, v1, v1
v_bfm_b32_e64 v0, v1, v1
v_bfrev_b32_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_bfrev_b32_e32 v0, v1
v_bfrev_b32_e64 v0, v1
v_bfrev_b32_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_ceil_f16_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_ceil_f16_e32 v0, v1
v_ceil_f16_e64 v0, v1
v_ceil_f16_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_ceil_f32_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_ceil_f32_e32 v0, v1
v_ceil_f32_e64 v0, v1
v_ceil_f32_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_ceil_f64_dpp v[0:1], v1 row_newbcast:1 row_mask:0xf bank_mask:0xf
v_ceil_f64_e32 v[0:1], v[2:3]
v_ceil_f64_e64 v[0:1], v[2:3]
v_clrexcp
v_cmp_class_f16_e32 v0, v1
v_cmp_class_f16_e64 vcc, v1, v1
v_cmp_class_f16_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_class_f32_e32 v0, v1
v_cmp_class_f32_e64 vcc, v1, v1
v_cmp_class_f32_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_class_f64_e32 v[0:1], v1
v_cmp_class_f64_e64 vcc, v[2:3], v1
v_cmp_eq_f16_e32 v0, v1
v_cmp_eq_f16_e64 vcc, v1, v1
v_cmp_eq_f16_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_eq_f32_e32 v0, v1
v_cmp_eq_f32_e64 vcc, v1, v1
v_cmp_eq_f32_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_eq_f64_e32 v[0:1], v[2:3]
v_cmp_eq_f64_e64 vcc, v[2:3], v[2:3]
v_cmp_eq_i16_e32 v0, v1
v_cmp_eq_i16_e64 vcc, v1, v1
v_cmp_eq_i16_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_eq_i32_e32 v0, v1
v_cmp_eq_i32_e64 vcc, v1, v1
v_cmp_eq_i32_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_eq_i64_e32 v[0:1], v[2:3]
v_cmp_eq_i64_e64 vcc, v[2:3], v[2:3]
v_cmp_eq_u16_e32 v0, v1
v_cmp_eq_u16_e64 vcc, v1, v1
v_cmp_eq_u16_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_eq_u32_e32 v0, v1
v_cmp_eq_u32_e64 vcc, v1, v1
v_cmp_eq_u32_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_eq_u64_e32 v[0:1], v[2:3]
v_cmp_eq_u64_e64 vcc, v[2:3], v[2:3]
v_cmp_f_f16_e32 v0, v1
v_cmp_f_f16_e64 vcc, v1, v1
v_cmp_f_f16_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_f_f32_e32 v0, v1
v_cmp_f_f32_e64 vcc, v1, v1
v_cmp_f_f32_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_f_f64_e32 v[0:1], v[2:3]
v_cmp_f_f64_e64 vcc, v[2:3], v[2:3]
v_cmp_f_i16_e32 v0, v1
v_cmp_f_i16_e64 vcc, v1, v1
v_cmp_f_i16_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_f_i32_e32 v0, v1
v_cmp_f_i32_e64 vcc, v1, v1
v_cmp_f_i32_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_f_i64_e32 v[0:1], v[2:3]
v_cmp_f_i64_e64 vcc, v[2:3], v[2:3]
v_cmp_f_u16_e32 v0, v1
v_cmp_f_u16_e64 vcc, v1, v1
v_cmp_f_u16_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_f_u32_e32 v0, v1
v_cmp_f_u32_e64 vcc, v1, v1
v_cmp_f_u32_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_f_u64_e32 v[0:1], v[2:3]
v_cmp_f_u64_e64 vcc, v[2:3], v[2:3]
v_cmp_ge_f16_e32 v0, v1
v_cmp_ge_f16_e64 vcc, v1, v1
v_cmp_ge_f16_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_ge_f32_e32 v0, v1
v_cmp_ge_f32_e64 vcc, v1, v1
v_cmp_ge_f32_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_ge_f64_e32 v[0:1], v[2:3]
v_cmp_ge_f64_e64 vcc, v[2:3], v[2:3]
v_cmp_ge_i16_e32 v0, v1
v_cmp_ge_i16_e64 vcc, v1, v1
v_cmp_ge_i16_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_ge_i32_e32 v0, v1
v_cmp_ge_i32_e64 vcc, v1, v1
v_cmp_ge_i32_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_ge_i64_e32 v[0:1], v[2:3]
v_cmp_ge_i64_e64 vcc, v[2:3], v[2:3]
v_cmp_ge_u16_e32 v0, v1
v_cmp_ge_u16_e64 vcc, v1, v1
v_cmp_ge_u16_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_ge_u32_e32 v0, v1
v_cmp_ge_u32_e64 vcc, v1, v1
v_cmp_ge_u32_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_ge_u64_e32 v[0:1], v[2:3]
v_cmp_ge_u64_e64 vcc, v[2:3], v[2:3]
v_cmp_gt_f16_e32 v0, v1
v_cmp_gt_f16_e64 vcc, v1, v1
v_cmp_gt_f16_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_gt_f32_e32 v0, v1
v_cmp_gt_f32_e64 vcc, v1, v1
v_cmp_gt_f32_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_gt_f64_e32 v[0:1], v[2:3]
v_cmp_gt_f64_e64 vcc, v[2:3], v[2:3]
v_cmp_gt_i16_e32 v0, v1
v_cmp_gt_i16_e64 vcc, v1, v1
v_cmp_gt_i16_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_gt_i32_e32 v0, v1
v_cmp_gt_i32_e64 vcc, v1, v1
v_cmp_gt_i32_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_gt_i64_e32 v[0:1], v[2:3]
v_cmp_gt_i64_e64 vcc, v[2:3], v[2:3]
v_cmp_gt_u16_e32 v0, v1
v_cmp_gt_u16_e64 vcc, v1, v1
v_cmp_gt_u16_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_gt_u32_e32 v0, v1
v_cmp_gt_u32_e64 vcc, v1, v1
v_cmp_gt_u32_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_gt_u64_e32 v[0:1], v[2:3]
v_cmp_gt_u64_e64 vcc, v[2:3], v[2:3]
v_cmp_le_f16_e32 v0, v1
v_cmp_le_f16_e64 vcc, v1, v1
v_cmp_le_f16_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_le_f32_e32 v0, v1
v_cmp_le_f32_e64 vcc, v1, v1
v_cmp_le_f32_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_le_f64_e32 v[0:1], v[2:3]
v_cmp_le_f64_e64 vcc, v[2:3], v[2:3]
v_cmp_le_i16_e32 v0, v1
v_cmp_le_i16_e64 vcc, v1, v1
v_cmp_le_i16_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_le_i32_e32 v0, v1
v_cmp_le_i32_e64 vcc, v1, v1
v_cmp_le_i32_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_le_i64_e32 v[0:1], v[2:3]
v_cmp_le_i64_e64 vcc, v[2:3], v[2:3]
v_cmp_le_u16_e32 v0, v1
v_cmp_le_u16_e64 vcc, v1, v1
v_cmp_le_u16_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_le_u32_e32 v0, v1
v_cmp_le_u32_e64 vcc, v1, v1
v_cmp_le_u32_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_le_u64_e32 v[0:1], v[2:3]
v_cmp_le_u64_e64 vcc, v[2:3], v[2:3]
v_cmp_lg_f16_e32 v0, v1
v_cmp_lg_f16_e64 vcc, v1, v1
v_cmp_lg_f16_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_lg_f32_e32 v0, v1
v_cmp_lg_f32_e64 vcc, v1, v1
v_cmp_lg_f32_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_lg_f64_e32 v[0:1], v[2:3]
v_cmp_lg_f64_e64 vcc, v[2:3], v[2:3]
v_cmp_lt_f16_e32 v0, v1
v_cmp_lt_f16_e64 vcc, v1, v1
v_cmp_lt_f16_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_lt_f32_e32 v0, v1
v_cmp_lt_f32_e64 vcc, v1, v1
v_cmp_lt_f32_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_lt_f64_e32 v[0:1], v[2:3]
v_cmp_lt_f64_e64 vcc, v[2:3], v[2:3]
v_cmp_lt_i16_e32 v0, v1
v_cmp_lt_i16_e64 vcc, v1, v1
v_cmp_lt_i16_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_lt_i32_e32 v0, v1
v_cmp_lt_i32_e64 vcc, v1, v1
v_cmp_lt_i32_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_lt_i64_e32 v[0:1], v[2:3]
v_cmp_lt_i64_e64 vcc, v[2:3], v[2:3]
v_cmp_lt_u16_e32 v0, v1
v_cmp_lt_u16_e64 vcc, v1, v1
v_cmp_lt_u16_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_lt_u32_e32 v0, v1
v_cmp_lt_u32_e64 vcc, v1, v1
v_cmp_lt_u32_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_lt_u64_e32 v[0:1], v[2:3]
v_cmp_lt_u64_e64 vcc, v[2:3], v[2:3]
v_cmp_ne_i16_e32 v0, v1
v_cmp_ne_i16_e64 vcc, v1, v1
v_cmp_ne_i16_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_ne_i32_e32 v0, v1
v_cmp_ne_i32_e64 vcc, v1, v1
v_cmp_ne_i32_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_ne_i64_e32 v[0:1], v[2:3]
v_cmp_ne_i64_e64 vcc, v[2:3], v[2:3]
v_cmp_ne_u16_e32 v0, v1
v_cmp_ne_u16_e64 vcc, v1, v1
v_cmp_ne_u16_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_ne_u32_e32 v0, v1
v_cmp_ne_u32_e64 vcc, v1, v1
v_cmp_ne_u32_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_ne_u64_e32 v[0:1], v[2:3]
v_cmp_ne_u64_e64 vcc, v[2:3], v[2:3]
v_cmp_neq_f16_e32 v0, v1
v_cmp_neq_f16_e64 vcc, v1, v1
v_cmp_neq_f16_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_neq_f32_e32 v0, v1
v_cmp_neq_f32_e64 vcc, v1, v1
v_cmp_neq_f32_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_neq_f64_e32 v[0:1], v[2:3]
v_cmp_neq_f64_e64 vcc, v[2:3], v[2:3]
v_cmp_nge_f16_e32 v0, v1
v_cmp_nge_f16_e64 vcc, v1, v1
v_cmp_nge_f16_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_nge_f32_e32 v0, v1
v_cmp_nge_f32_e64 vcc, v1, v1
v_cmp_nge_f32_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_nge_f64_e32 v[0:1], v[2:3]
v_cmp_nge_f64_e64 vcc, v[2:3], v[2:3]
v_cmp_ngt_f16_e32 v0, v1
v_cmp_ngt_f16_e64 vcc, v1, v1
v_cmp_ngt_f16_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_ngt_f32_e32 v0, v1
v_cmp_ngt_f32_e64 vcc, v1, v1
v_cmp_ngt_f32_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_ngt_f64_e32 v[0:1], v[2:3]
v_cmp_ngt_f64_e64 vcc, v[2:3], v[2:3]
v_cmp_nle_f16_e32 v0, v1
v_cmp_nle_f16_e64 vcc, v1, v1
v_cmp_nle_f16_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_nle_f32_e32 v0, v1
v_cmp_nle_f32_e64 vcc, v1, v1
v_cmp_nle_f32_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_nle_f64_e32 v[0:1], v[2:3]
v_cmp_nle_f64_e64 vcc, v[2:3], v[2:3]
v_cmp_nlg_f16_e32 v0, v1
v_cmp_nlg_f16_e64 vcc, v1, v1
v_cmp_nlg_f16_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_nlg_f32_e32 v0, v1
v_cmp_nlg_f32_e64 vcc, v1, v1
v_cmp_nlg_f32_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_nlg_f64_e32 v[0:1], v[2:3]
v_cmp_nlg_f64_e64 vcc, v[2:3], v[2:3]
v_cmp_nlt_f16_e32 v0, v1
v_cmp_nlt_f16_e64 vcc, v1, v1
v_cmp_nlt_f16_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_nlt_f32_e32 v0, v1
v_cmp_nlt_f32_e64 vcc, v1, v1
v_cmp_nlt_f32_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_nlt_f64_e32 v[0:1], v[2:3]
v_cmp_nlt_f64_e64 vcc, v[2:3], v[2:3]
v_cmp_o_f16_e32 v0, v1
v_cmp_o_f16_e64 vcc, v1, v1
v_cmp_o_f16_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_o_f32_e32 v0, v1
v_cmp_o_f32_e64 vcc, v1, v1
v_cmp_o_f32_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_o_f64_e32 v[0:1], v[2:3]
v_cmp_o_f64_e64 vcc, v[2:3], v[2:3]
v_cmp_t_i16_e32 v0, v1
v_cmp_t_i16_e64 vcc, v1, v1
v_cmp_t_i16_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_t_i32_e32 v0, v1
v_cmp_t_i32_e64 vcc, v1, v1
v_cmp_t_i32_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_t_i64_e32 v[0:1], v[2:3]
v_cmp_t_i64_e64 vcc, v[2:3], v[2:3]
v_cmp_t_u16_e32 v0, v1
v_cmp_t_u16_e64 vcc, v1, v1
v_cmp_t_u16_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_t_u32_e32 v0, v1
v_cmp_t_u32_e64 vcc, v1, v1
v_cmp_t_u32_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_t_u64_e32 v[0:1], v[2:3]
v_cmp_t_u64_e64 vcc, v[2:3], v[2:3]
v_cmp_tru_f16_e32 v0, v1
v_cmp_tru_f16_e64 vcc, v1, v1
v_cmp_tru_f16_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_tru_f32_e32 v0, v1
v_cmp_tru_f32_e64 vcc, v1, v1
v_cmp_tru_f32_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_tru_f64_e32 v[0:1], v[2:3]
v_cmp_tru_f64_e64 vcc, v[2:3], v[2:3]
v_cmp_u_f16_e32 v0, v1
v_cmp_u_f16_e64 vcc, v1, v1
v_cmp_u_f16_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_u_f32_e32 v0, v1
v_cmp_u_f32_e64 vcc, v1, v1
v_cmp_u_f32_sdwa vcc, v1, v1 src0_sel:BYTE_2 src1_sel:WORD_1
v_cmp_u_f64_e32 v[0:1], v[2:3]
v_cmp_u_f64_e64 vcc, v[2:3], v[2:3]
v_cndmask_b32_dpp v0, v1, v2, vcc row_shr:1 row_mask:0xf bank_mask:0xf
v_cndmask_b32_e32 v0, v1, v1
v_cndmask_b32_e64 v0, v1, v2, vcc
v_cndmask_b32_sdwa v0, v1, v2, vcc dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_cos_f16_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_cos_f16_e32 v0, v1
v_cos_f16_e64 v0, v1
v_cos_f16_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_cos_f32_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_cos_f32_e32 v0, v1
v_cos_f32_e64 v0, v1
v_cos_f32_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_cubeid_f32_e64 v0, v1, v1, v1
v_cubema_f32_e64 v0, v1, v1, v1
v_cubesc_f32_e64 v0, v1, v1, v1
v_cubetc_f32_e64 v0, v1, v1, v1
v_cvt_f16_f32_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_cvt_f16_f32_e32 v0, v1
v_cvt_f16_f32_e64 v0, v1
v_cvt_f16_f32_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_cvt_f16_i16_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_cvt_f16_i16_e32 v0, v1
v_cvt_f16_i16_e64 v0, v1
v_cvt_f16_i16_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_cvt_f16_u16_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_cvt_f16_u16_e32 v0, v1
v_cvt_f16_u16_e64 v0, v1
v_cvt_f16_u16_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_cvt_f32_bf8_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_cvt_f32_bf8_e32 v0, v1
v_cvt_f32_bf8_e64 v0, v1
v_cvt_f32_bf8_sdwa v0, v1 src0_sel:BYTE_2
v_cvt_f32_f16_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_cvt_f32_f16_e32 v0, v1
v_cvt_f32_f16_e64 v0, v1
v_cvt_f32_f16_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_cvt_f32_f64_dpp v0, v1 row_newbcast:1 row_mask:0xf bank_mask:0xf
v_cvt_f32_f64_e32 v0, v[2:3]
v_cvt_f32_f64_e64 v0, v[2:3]
v_cvt_f32_fp8_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_cvt_f32_fp8_e32 v0, v1
v_cvt_f32_fp8_e64 v0, v1
v_cvt_f32_fp8_sdwa v0, v1 src0_sel:BYTE_2
v_cvt_f32_i32_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_cvt_f32_i32_e32 v0, v1
v_cvt_f32_i32_e64 v0, v1
v_cvt_f32_i32_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_cvt_f32_u32_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_cvt_f32_u32_e32 v0, v1
v_cvt_f32_u32_e64 v0, v1
v_cvt_f32_u32_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_cvt_f32_ubyte0_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_cvt_f32_ubyte0_e32 v0, v1
v_cvt_f32_ubyte0_e64 v0, v1
v_cvt_f32_ubyte0_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_cvt_f32_ubyte1_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_cvt_f32_ubyte1_e32 v0, v1
v_cvt_f32_ubyte1_e64 v0, v1
v_cvt_f32_ubyte1_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_cvt_f32_ubyte2_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_cvt_f32_ubyte2_e32 v0, v1
v_cvt_f32_ubyte2_e64 v0, v1
v_cvt_f32_ubyte2_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_cvt_f32_ubyte3_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_cvt_f32_ubyte3_e32 v0, v1
v_cvt_f32_ubyte3_e64 v0, v1
v_cvt_f32_ubyte3_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_cvt_f64_f32_dpp v[0:1], v1 row_newbcast:1 row_mask:0xf bank_mask:0xf
v_cvt_f64_f32_e32 v[0:1], v1
v_cvt_f64_f32_e64 v[0:1], v1
v_cvt_f64_i32_dpp v[0:1], v1 row_newbcast:1 row_mask:0xf bank_mask:0xf
v_cvt_f64_i32_e32 v[0:1], v1
v_cvt_f64_i32_e64 v[0:1], v1
v_cvt_f64_u32_dpp v[0:1], v1 row_newbcast:1 row_mask:0xf bank_mask:0xf
v_cvt_f64_u32_e32 v[0:1], v1
v_cvt_f64_u32_e64 v[0:1], v1
v_cvt_flr_i32_f32_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_cvt_flr_i32_f32_e32 v0, v1
v_cvt_flr_i32_f32_e64 v0, v1
v_cvt_flr_i32_f32_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_cvt_i16_f16_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_cvt_i16_f16_e32 v0, v1
v_cvt_i16_f16_e64 v0, v1
v_cvt_i16_f16_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_cvt_i32_f32_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_cvt_i32_f32_e32 v0, v1
v_cvt_i32_f32_e64 v0, v1
v_cvt_i32_f32_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_cvt_i32_f64_dpp v0, v1 row_newbcast:1 row_mask:0xf bank_mask:0xf
v_cvt_i32_f64_e32 v0, v[2:3]
v_cvt_i32_f64_e64 v0, v[2:3]
v_cvt_norm_i16_f16_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_cvt_norm_i16_f16_e32 v0, v1
v_cvt_norm_i16_f16_e64 v0, v1
v_cvt_norm_i16_f16_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_cvt_norm_u16_f16_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_cvt_norm_u16_f16_e32 v0, v1
v_cvt_norm_u16_f16_e64 v0, v1
v_cvt_norm_u16_f16_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_cvt_off_f32_i4_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_cvt_off_f32_i4_e32 v0, v1
v_cvt_off_f32_i4_e64 v0, v1
v_cvt_off_f32_i4_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_cvt_pk_bf8_f32_e64 v0, v1, v1
v_cvt_pk_f32_bf8_dpp v[0:1], v1 row_newbcast:1 row_mask:0xf bank_mask:0xf
v_cvt_pk_f32_bf8_e32 v[0:1], v1
v_cvt_pk_f32_bf8_e64 v[0:1], v1
v_cvt_pk_f32_bf8_sdwa v[0:1], v1 src0_sel:BYTE_2
v_cvt_pk_f32_fp8_dpp v[0:1], v1 row_newbcast:1 row_mask:0xf bank_mask:0xf
v_cvt_pk_f32_fp8_e32 v[0:1], v1
v_cvt_pk_f32_fp8_e64 v[0:1], v1
v_cvt_pk_f32_fp8_sdwa v[0:1], v1 src0_sel:BYTE_2
v_cvt_pk_fp8_f32_e64 v0, v1, v1
v_cvt_pk_i16_i32_e64 v0, v1, v1
v_cvt_pk_u16_u32_e64 v0, v1, v1
v_cvt_pk_u8_f32_e64 v0, v1, v1, v1
v_cvt_pkaccum_u8_f32_e64 v0, v1, v1
v_cvt_pknorm_i16_f16_e64 v0, v1, v1
v_cvt_pknorm_i16_f32_e64 v0, v1, v1
v_cvt_pknorm_u16_f16_e64 v0, v1, v1
v_cvt_pknorm_u16_f32_e64 v0, v1, v1
v_cvt_pkrtz_f16_f32_e64 v0, v1, v1
v_cvt_rpi_i32_f32_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_cvt_rpi_i32_f32_e32 v0, v1
v_cvt_rpi_i32_f32_e64 v0, v1
v_cvt_rpi_i32_f32_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_cvt_sr_bf8_f32_e64 v0, v1, v1
v_cvt_sr_fp8_f32_e64 v0, v1, v1
v_cvt_u16_f16_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_cvt_u16_f16_e32 v0, v1
v_cvt_u16_f16_e64 v0, v1
v_cvt_u16_f16_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_cvt_u32_f32_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_cvt_u32_f32_e32 v0, v1
v_cvt_u32_f32_e64 v0, v1
v_cvt_u32_f32_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_cvt_u32_f64_dpp v0, v1 row_newbcast:1 row_mask:0xf bank_mask:0xf
v_cvt_u32_f64_e32 v0, v[2:3]
v_cvt_u32_f64_e64 v0, v[2:3]
v_div_fixup_f16_e64 v0, v1, v1, v1
v_div_fixup_f32_e64 v0, v1, v1, v1
v_div_fixup_f64_e64 v[0:1], v[2:3], v[2:3], v[2:3]
v_div_fixup_legacy_f16_e64 v0, v1, v1, v1
v_div_fmas_f32_e64 v0, v1, v1, v1
v_div_fmas_f64_e64 v[0:1], v[2:3], v[2:3], v[2:3]
v_div_scale_f32_e64 v0, vcc, v1, v2, v3
v_div_scale_f64_e64 v[0:1], vcc, v[2:3], v[4:5], v[6:7]
v_dot2_f32_f16_e64 v0, v1, v1, v1
v_dot2_i32_i16_e64 v0, v1, v1, v1
v_dot2_u32_u16_e64 v0, v1, v1, v1
v_dot2c_f32_f16_dpp v0, v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_dot2c_f32_f16_e32 v0, v1, v1
v_dot2c_f32_f16_e64 v0, v1, v1
v_dot2c_i32_i16_dpp v0, v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_dot2c_i32_i16_e32 v0, v1, v1
v_dot2c_i32_i16_e64 v0, v1, v1
v_dot4_i32_i8_e64 v0, v1, v1, v1
v_dot4_u32_u8_e64 v0, v1, v1, v1
v_dot4c_i32_i8_dpp v0, v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_dot4c_i32_i8_e32 v0, v1, v1
v_dot4c_i32_i8_e64 v0, v1, v1
v_dot8_i32_i4_e64 v0, v1, v1, v1
v_dot8_u32_u4_e64 v0, v1, v1, v1
v_dot8c_i32_i4_dpp v0, v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_dot8c_i32_i4_e32 v0, v1, v1
v_dot8c_i32_i4_e64 v0, v1, v1
v_exp_f16_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_exp_f16_e32 v0, v1
v_exp_f16_e64 v0, v1
v_exp_f16_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_exp_f32_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_exp_f32_e32 v0, v1
v_exp_f32_e64 v0, v1
v_exp_f32_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_exp_legacy_f32_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_exp_legacy_f32_e32 v0, v1
v_exp_legacy_f32_e64 v0, v1
v_exp_legacy_f32_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_ffbh_i32_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_ffbh_i32_e32 v0, v1
v_ffbh_i32_e64 v0, v1
v_ffbh_i32_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_ffbh_u32_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_ffbh_u32_e32 v0, v1
v_ffbh_u32_e64 v0, v1
v_ffbh_u32_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_ffbl_b32_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_ffbl_b32_e32 v0, v1
v_ffbl_b32_e64 v0, v1
v_ffbl_b32_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_floor_f16_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_floor_f16_e32 v0, v1
v_floor_f16_e64 v0, v1
v_floor_f16_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_floor_f32_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_floor_f32_e32 v0, v1
v_floor_f32_e64 v0, v1
v_floor_f32_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_floor_f64_dpp v[0:1], v1 row_newbcast:1 row_mask:0xf bank_mask:0xf
v_floor_f64_e32 v[0:1], v[2:3]
v_floor_f64_e64 v[0:1], v[2:3]
v_fma_f16_e64 v0, v1, v1, v1
v_fma_f32_e64 v0, v1, v1, v1
v_fma_f64_e64 v[0:1], v[2:3], v[2:3], v[2:3]
v_fma_legacy_f16_e64 v0, v1, v1, v1
v_fma_mix_f32_e64 v0, v1, v1, v1
v_fma_mixhi_f16_e64 v0, v1, v1, v1
v_fma_mixlo_f16_e64 v0, v1, v1, v1
v_fmaak_f32_e32 v0, v1, v2, 0x4000
v_fmac_f32_dpp v0, v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_fmac_f32_e32 v0, v1, v1
v_fmac_f32_e64 v0, v1, v1
v_fmac_f64_dpp v[0:1], v1, v1 row_newbcast:1 row_mask:0xf bank_mask:0xf
v_fmac_f64_e32 v[0:1], v[2:3], v[2:3]
v_fmac_f64_e64 v[0:1], v[2:3], v[2:3]
v_fmamk_f32_e32 v0, v1, 0x4000, v2
v_fract_f16_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_fract_f16_e32 v0, v1
v_fract_f16_e64 v0, v1
v_fract_f16_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_fract_f32_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_fract_f32_e32 v0, v1
v_fract_f32_e64 v0, v1
v_fract_f32_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_fract_f64_dpp v[0:1], v1 row_newbcast:1 row_mask:0xf bank_mask:0xf
v_fract_f64_e32 v[0:1], v[2:3]
v_fract_f64_e64 v[0:1], v[2:3]
v_frexp_exp_i16_f16_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_frexp_exp_i16_f16_e32 v0, v1
v_frexp_exp_i16_f16_e64 v0, v1
v_frexp_exp_i16_f16_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_frexp_exp_i32_f32_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_frexp_exp_i32_f32_e32 v0, v1
v_frexp_exp_i32_f32_e64 v0, v1
v_frexp_exp_i32_f32_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_frexp_exp_i32_f64_dpp v0, v1 row_newbcast:1 row_mask:0xf bank_mask:0xf
v_frexp_exp_i32_f64_e32 v0, v[2:3]
v_frexp_exp_i32_f64_e64 v0, v[2:3]
v_frexp_mant_f16_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_frexp_mant_f16_e32 v0, v1
v_frexp_mant_f16_e64 v0, v1
v_frexp_mant_f16_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_frexp_mant_f32_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_frexp_mant_f32_e32 v0, v1
v_frexp_mant_f32_e64 v0, v1
v_frexp_mant_f32_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_frexp_mant_f64_dpp v[0:1], v1 row_newbcast:1 row_mask:0xf bank_mask:0xf
v_frexp_mant_f64_e32 v[0:1], v[2:3]
v_frexp_mant_f64_e64 v[0:1], v[2:3]
v_ldexp_f16_dpp v0, v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_ldexp_f16_e32 v0, v1, v1
v_ldexp_f16_e64 v0, v1, v1
v_ldexp_f16_sdwa v0, v1, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_ldexp_f32_e64 v0, v1, v1
v_ldexp_f64_e64 v[0:1], v[2:3], v1
v_lerp_u8_e64 v0, v1, v1, v1
v_log_f16_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_log_f16_e32 v0, v1
v_log_f16_e64 v0, v1
v_log_f16_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_log_f32_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_log_f32_e32 v0, v1
v_log_f32_e64 v0, v1
v_log_f32_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_log_legacy_f32_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_log_legacy_f32_e32 v0, v1
v_log_legacy_f32_e64 v0, v1
v_log_legacy_f32_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_lshl_add_u32_e64 v0, v1, v1, v1
v_lshl_add_u64_e64 v[0:1], v[2:3], v1, v[2:3]
v_lshl_or_b32_e64 v0, v1, v1, v1
v_lshlrev_b16_dpp v0, v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_lshlrev_b16_e32 v0, v1, v1
v_lshlrev_b16_e64 v0, v1, v1
v_lshlrev_b16_sdwa v0, v1, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_lshlrev_b32_dpp v0, v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_lshlrev_b32_e32 v0, v1, v1
v_lshlrev_b32_e64 v0, v1, v1
v_lshlrev_b32_sdwa v0, v1, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_lshlrev_b64_e64 v[0:1], v1, v[2:3]
v_lshrrev_b16_dpp v0, v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_lshrrev_b16_e32 v0, v1, v1
v_lshrrev_b16_e64 v0, v1, v1
v_lshrrev_b16_sdwa v0, v1, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_lshrrev_b32_dpp v0, v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_lshrrev_b32_e32 v0, v1, v1
v_lshrrev_b32_e64 v0, v1, v1
v_lshrrev_b32_sdwa v0, v1, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_lshrrev_b64_e64 v[0:1], v1, v[2:3]
v_mac_f16_dpp v0, v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_mac_f16_e32 v0, v1, v1
v_mac_f16_e64 v0, v1, v1
v_mad_f16_e64 v0, v1, v1, v1
v_mad_i16_e64 v0, v1, v1, v1
v_mad_i32_i16_e64 v0, v1, v1, v1
v_mad_i32_i24_e64 v0, v1, v1, v1
v_mad_i64_i32_e64 v[0:1], vcc, v1, v2, vcc
v_mad_legacy_f16_e64 v0, v1, v1, v1
v_mad_legacy_i16_e64 v0, v1, v1, v1
v_mad_legacy_u16_e64 v0, v1, v1, v1
v_mad_u16_e64 v0, v1, v1, v1
v_mad_u32_u16_e64 v0, v1, v1, v1
v_mad_u32_u24_e64 v0, v1, v1, v1
v_mad_u64_u32_e64 v[0:1], vcc, v1, v2, vcc
v_madak_f16_e32 v0, v1, v2, 0x4000
v_madmk_f16_e32 v0, v1, 0x4000, v2
v_max3_f16_e64 v0, v1, v1, v1
v_max3_f32_e64 v0, v1, v1, v1
v_max3_i16_e64 v0, v1, v1, v1
v_max3_i32_e64 v0, v1, v1, v1
v_max3_u16_e64 v0, v1, v1, v1
v_max3_u32_e64 v0, v1, v1, v1
v_max_f16_dpp v0, v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_max_f16_e32 v0, v1, v1
v_max_f16_e64 v0, v1, v1
v_max_f16_sdwa v0, v1, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_max_f32_dpp v0, v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_max_f32_e32 v0, v1, v1
v_max_f32_e64 v0, v1, v1
v_max_f32_sdwa v0, v1, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_max_f64_e64 v[0:1], v[2:3], v[2:3]
v_max_i16_dpp v0, v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_max_i16_e32 v0, v1, v1
v_max_i16_e64 v0, v1, v1
v_max_i16_sdwa v0, v1, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_max_i32_dpp v0, v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_max_i32_e32 v0, v1, v1
v_max_i32_e64 v0, v1, v1
v_max_i32_sdwa v0, v1, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_max_u16_dpp v0, v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_max_u16_e32 v0, v1, v1
v_max_u16_e64 v0, v1, v1
v_max_u16_sdwa v0, v1, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_max_u32_dpp v0, v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_max_u32_e32 v0, v1, v1
v_max_u32_e64 v0, v1, v1
v_max_u32_sdwa v0, v1, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_mbcnt_hi_u32_b32_e64 v0, v1, v1
v_mbcnt_lo_u32_b32_e64 v0, v1, v1
v_med3_f16_e64 v0, v1, v1, v1
v_med3_f32_e64 v0, v1, v1, v1
v_med3_i16_e64 v0, v1, v1, v1
v_med3_i32_e64 v0, v1, v1, v1
v_med3_u16_e64 v0, v1, v1, v1
v_med3_u32_e64 v0, v1, v1, v1
v_min3_f16_e64 v0, v1, v1, v1
v_min3_f32_e64 v0, v1, v1, v1
v_min3_i16_e64 v0, v1, v1, v1
v_min3_i32_e64 v0, v1, v1, v1
v_min3_u16_e64 v0, v1, v1, v1
v_min3_u32_e64 v0, v1, v1, v1
v_min_f16_dpp v0, v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_min_f16_e32 v0, v1, v1
v_min_f16_e64 v0, v1, v1
v_min_f16_sdwa v0, v1, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_min_f32_dpp v0, v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_min_f32_e32 v0, v1, v1
v_min_f32_e64 v0, v1, v1
v_min_f32_sdwa v0, v1, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_min_f64_e64 v[0:1], v[2:3], v[2:3]
v_min_i16_dpp v0, v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_min_i16_e32 v0, v1, v1
v_min_i16_e64 v0, v1, v1
v_min_i16_sdwa v0, v1, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_min_i32_dpp v0, v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_min_i32_e32 v0, v1, v1
v_min_i32_e64 v0, v1, v1
v_min_i32_sdwa v0, v1, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_min_u16_dpp v0, v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_min_u16_e32 v0, v1, v1
v_min_u16_e64 v0, v1, v1
v_min_u16_sdwa v0, v1, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_min_u32_dpp v0, v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_min_u32_e32 v0, v1, v1
v_min_u32_e64 v0, v1, v1
v_min_u32_sdwa v0, v1, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_mov_b32_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_mov_b32_e32 v0, v1
v_mov_b32_e64 v0, v1
v_mov_b32_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_mov_b64_dpp v[0:1], v[2:3] row_newbcast:1 row_mask:0xf bank_mask:0xf
v_mov_b64_e32 v[0:1], v[2:3]
v_mov_b64_e64 v[0:1], v[2:3]
v_mqsad_pk_u16_u8_e64 v[0:1], v[2:3], v1, v[2:3]
v_mqsad_u32_u8_e64 v[100:103], v[2:3], v1, v[4:7]
v_msad_u8_e64 v0, v1, v1, v1
v_mul_f16_dpp v0, v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_mul_f16_e32 v0, v1, v1
v_mul_f16_e64 v0, v1, v1
v_mul_f16_sdwa v0, v1, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_mul_f32_dpp v0, v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_mul_f32_e32 v0, v1, v1
v_mul_f32_e64 v0, v1, v1
v_mul_f32_sdwa v0, v1, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_mul_f64_e64 v[0:1], v[2:3], v[2:3]
v_mul_hi_i32_e64 v0, v1, v1
v_mul_hi_i32_i24_dpp v0, v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_mul_hi_i32_i24_e32 v0, v1, v1
v_mul_hi_i32_i24_e64 v0, v1, v1
v_mul_hi_i32_i24_sdwa v0, v1, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_mul_hi_u32_e64 v0, v1, v1
v_mul_hi_u32_u24_dpp v0, v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_mul_hi_u32_u24_e32 v0, v1, v1
v_mul_hi_u32_u24_e64 v0, v1, v1
v_mul_hi_u32_u24_sdwa v0, v1, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_mul_i32_i24_dpp v0, v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_mul_i32_i24_e32 v0, v1, v1
v_mul_i32_i24_e64 v0, v1, v1
v_mul_i32_i24_sdwa v0, v1, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_mul_legacy_f32_e64 v0, v1, v1
v_mul_lo_i32_e64 v0, v1, v1
v_mul_lo_u16_dpp v0, v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_mul_lo_u16_e32 v0, v1, v1
v_mul_lo_u16_e64 v0, v1, v1
v_mul_lo_u16_sdwa v0, v1, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_mul_lo_u32_e64 v0, v1, v1
v_mul_u32_u24_dpp v0, v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_mul_u32_u24_e32 v0, v1, v1
v_mul_u32_u24_e64 v0, v1, v1
v_mul_u32_u24_sdwa v0, v1, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_nop
v_not_b32_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_not_b32_e32 v0, v1
v_not_b32_e64 v0, v1
v_not_b32_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_or3_b32_e64 v0, v1, v1, v1
v_or_b32_dpp v0, v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_or_b32_e32 v0, v1, v1
v_or_b32_e64 v0, v1, v1
v_or_b32_sdwa v0, v1, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_pack_b32_f16_e64 v0, v1, v1
v_perm_b32_e64 v0, v1, v1, v1
v_pk_add_f16_e64 v0, v1, v1
v_pk_add_f32_e64 v[0:1], v[2:3], v[2:3]
v_pk_add_i16_e64 v0, v1, v1
v_pk_add_u16_e64 v0, v1, v1
v_pk_ashrrev_i16_e64 v0, v1, v1
v_pk_fma_f16_e64 v0, v1, v1, v1
v_pk_fma_f32_e64 v[0:1], v[2:3], v[2:3], v[2:3]
v_pk_fmac_f16_dpp v0, v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_pk_fmac_f16_e32 v0, v1, v1
v_pk_fmac_f16_e64 v0, v1, v1
v_pk_fmac_f16_sdwa v0, v1, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_pk_lshlrev_b16_e64 v0, v1, v1
v_pk_lshrrev_b16_e64 v0, v1, v1
v_pk_mad_i16_e64 v0, v1, v1, v1
v_pk_mad_u16_e64 v0, v1, v1, v1
v_pk_max_f16_e64 v0, v1, v1
v_pk_max_i16_e64 v0, v1, v1
v_pk_max_u16_e64 v0, v1, v1
v_pk_min_f16_e64 v0, v1, v1
v_pk_min_i16_e64 v0, v1, v1
v_pk_min_u16_e64 v0, v1, v1
v_pk_mov_b32_e64 v[0:1], v[2:3], v[2:3]
v_pk_mul_f16_e64 v0, v1, v1
v_pk_mul_f32_e64 v[0:1], v[2:3], v[2:3]
v_pk_mul_lo_u16_e64 v0, v1, v1
v_pk_sub_i16_e64 v0, v1, v1
v_pk_sub_u16_e64 v0, v1, v1
v_qsad_pk_u16_u8_e64 v[0:1], v[2:3], v1, v[2:3]
v_rcp_f16_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_rcp_f16_e32 v0, v1
v_rcp_f16_e64 v0, v1
v_rcp_f16_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_rcp_f32_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_rcp_f32_e32 v0, v1
v_rcp_f32_e64 v0, v1
v_rcp_f32_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_rcp_f64_dpp v[0:1], v1 row_newbcast:1 row_mask:0xf bank_mask:0xf
v_rcp_f64_e32 v[0:1], v[2:3]
v_rcp_f64_e64 v[0:1], v[2:3]
v_rcp_iflag_f32_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_rcp_iflag_f32_e32 v0, v1
v_rcp_iflag_f32_e64 v0, v1
v_rcp_iflag_f32_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_readfirstlane_b32_e32 s2, v1
v_readlane_b32_e32 s2, v1, s4
v_rndne_f16_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_rndne_f16_e32 v0, v1
v_rndne_f16_e64 v0, v1
v_rndne_f16_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_rndne_f32_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_rndne_f32_e32 v0, v1
v_rndne_f32_e64 v0, v1
v_rndne_f32_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_rndne_f64_dpp v[0:1], v1 row_newbcast:1 row_mask:0xf bank_mask:0xf
v_rndne_f64_e32 v[0:1], v[2:3]
v_rndne_f64_e64 v[0:1], v[2:3]
v_rsq_f16_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_rsq_f16_e32 v0, v1
v_rsq_f16_e64 v0, v1
v_rsq_f16_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_rsq_f32_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_rsq_f32_e32 v0, v1
v_rsq_f32_e64 v0, v1
v_rsq_f32_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_rsq_f64_dpp v[0:1], v1 row_newbcast:1 row_mask:0xf bank_mask:0xf
v_rsq_f64_e32 v[0:1], v[2:3]
v_rsq_f64_e64 v[0:1], v[2:3]
v_sad_hi_u8_e64 v0, v1, v1, v1
v_sad_u16_e64 v0, v1, v1, v1
v_sad_u32_e64 v0, v1, v1, v1
v_sad_u8_e64 v0, v1, v1, v1
v_sat_pk_u8_i16_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_sat_pk_u8_i16_e32 v0, v1
v_sat_pk_u8_i16_e64 v0, v1
v_sat_pk_u8_i16_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_sin_f16_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_sin_f16_e32 v0, v1
v_sin_f16_e64 v0, v1
v_sin_f16_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_sin_f32_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_sin_f32_e32 v0, v1
v_sin_f32_e64 v0, v1
v_sin_f32_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_sqrt_f16_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_sqrt_f16_e32 v0, v1
v_sqrt_f16_e64 v0, v1
v_sqrt_f16_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_sqrt_f32_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_sqrt_f32_e32 v0, v1
v_sqrt_f32_e64 v0, v1
v_sqrt_f32_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_sqrt_f64_dpp v[0:1], v1 row_newbcast:1 row_mask:0xf bank_mask:0xf
v_sqrt_f64_e32 v[0:1], v[2:3]
v_sqrt_f64_e64 v[0:1], v[2:3]
v_sub_co_u32_dpp v0, vcc, v1, v2 row_shr:1 row_mask:0xf bank_mask:0xf
v_sub_co_u32_e32 v0, v1, v1
v_sub_co_u32_e64 v0, vcc, v1, v2
v_sub_co_u32_sdwa v0, vcc, v1, v2 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_sub_f16_dpp v0, v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_sub_f16_e32 v0, v1, v1
v_sub_f16_e64 v0, v1, v1
v_sub_f16_sdwa v0, v1, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_sub_f32_dpp v0, v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_sub_f32_e32 v0, v1, v1
v_sub_f32_e64 v0, v1, v1
v_sub_f32_sdwa v0, v1, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_sub_i16_e64 v0, v1, v1
v_sub_i32_e64 v0, v1, v1
v_sub_u16_dpp v0, v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_sub_u16_e32 v0, v1, v1
v_sub_u16_e64 v0, v1, v1
v_sub_u16_sdwa v0, v1, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_sub_u32_dpp v0, v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_sub_u32_e32 v0, v1, v1
v_sub_u32_e64 v0, v1, v1
v_sub_u32_sdwa v0, v1, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_subb_co_u32_dpp v0, vcc, v1, v2, vcc row_shr:1 row_mask:0xf bank_mask:0xf
v_subb_co_u32_e32 v0, vcc, v1, v2, vcc
v_subb_co_u32_e64 v0, vcc, v1, v2, vcc
v_subb_co_u32_sdwa v0, vcc, v1, v2, vcc dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_subbrev_co_u32_dpp v0, vcc, v1, v2, vcc row_shr:1 row_mask:0xf bank_mask:0xf
v_subbrev_co_u32_e32 v0, vcc, v1, v2, vcc
v_subbrev_co_u32_e64 v0, vcc, v1, v2, vcc
v_subbrev_co_u32_sdwa v0, vcc, v1, v2, vcc dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_subrev_co_u32_dpp v0, vcc, v1, v2 row_shr:1 row_mask:0xf bank_mask:0xf
v_subrev_co_u32_e32 v0, v1, v1
v_subrev_co_u32_e64 v0, vcc, v1, v2
v_subrev_co_u32_sdwa v0, vcc, v1, v2 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_subrev_f16_dpp v0, v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_subrev_f16_e32 v0, v1, v1
v_subrev_f16_e64 v0, v1, v1
v_subrev_f16_sdwa v0, v1, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_subrev_f32_dpp v0, v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_subrev_f32_e32 v0, v1, v1
v_subrev_f32_e64 v0, v1, v1
v_subrev_f32_sdwa v0, v1, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_subrev_u16_dpp v0, v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_subrev_u16_e32 v0, v1, v1
v_subrev_u16_e64 v0, v1, v1
v_subrev_u16_sdwa v0, v1, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_subrev_u32_dpp v0, v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_subrev_u32_e32 v0, v1, v1
v_subrev_u32_e64 v0, v1, v1
v_subrev_u32_sdwa v0, v1, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_swap_b32_e32 v0, v1
v_trig_preop_f64_e64 v[0:1], v[2:3], v1
v_trunc_f16_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_trunc_f16_e32 v0, v1
v_trunc_f16_e64 v0, v1
v_trunc_f16_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_trunc_f32_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_trunc_f32_e32 v0, v1
v_trunc_f32_e64 v0, v1
v_trunc_f32_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_trunc_f64_dpp v[0:1], v1 row_newbcast:1 row_mask:0xf bank_mask:0xf
v_trunc_f64_e32 v[0:1], v[2:3]
v_trunc_f64_e64 v[0:1], v[2:3]
v_writelane_b32_e32 v0, s4, s4
v_xad_u32_e64 v0, v1, v1, v1
v_xnor_b32_dpp v0, v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_xnor_b32_e32 v0, v1, v1
v_xnor_b32_e64 v0, v1, v1
v_xnor_b32_sdwa v0, v1, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_xor_b32_dpp v0, v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_xor_b32_e32 v0, v1, v1
v_xor_b32_e64 v0, v1, v1
v_xor_b32_sdwa v0, v1, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
; gfx950
v_ashr_pk_i8_i32_e64 v0, v1, v1, v1
v_ashr_pk_u8_i32_e64 v0, v1, v1, v1
v_bitop3_b16_e64 v0, v1, v1, v1
v_bitop3_b32_e64 v0, v1, v1, v1
v_cvt_f32_bf16_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_cvt_f32_bf16_e32 v0, v1
v_cvt_f32_bf16_e64 v0, v1
v_cvt_f32_bf16_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
v_cvt_pk_bf16_f32_e64 v0, v1, v1
v_cvt_pk_f16_f32_e64 v0, v1, v1
v_cvt_scalef32_2xpk16_bf6_f32_e64 v[100:105], v[16:31], v[16:31], v1
v_cvt_scalef32_2xpk16_fp6_f32_e64 v[100:105], v[16:31], v[16:31], v1
v_cvt_scalef32_f16_bf8_e64 v0, v1, v1
v_cvt_scalef32_f16_fp8_e64 v0, v1, v1
v_cvt_scalef32_f32_bf8_e64 v0, v1, v1
v_cvt_scalef32_f32_fp8_e64 v0, v1, v1
v_cvt_scalef32_pk32_bf16_bf6_e64 v[100:115], v[80:85], v1
v_cvt_scalef32_pk32_bf16_fp6_e64 v[100:115], v[80:85], v1
v_cvt_scalef32_pk32_bf6_bf16_e64 v[100:105], v[16:31], v1
v_cvt_scalef32_pk32_bf6_f16_e64 v[100:105], v[16:31], v1
v_cvt_scalef32_pk32_f16_bf6_e64 v[100:115], v[80:85], v1
v_cvt_scalef32_pk32_f16_fp6_e64 v[100:115], v[80:85], v1
v_cvt_scalef32_pk32_f32_bf6_e64 v[100:131], v[80:85], v1
v_cvt_scalef32_pk32_f32_fp6_e64 v[100:131], v[80:85], v1
v_cvt_scalef32_pk32_fp6_bf16_e64 v[100:105], v[16:31], v1
v_cvt_scalef32_pk32_fp6_f16_e64 v[100:105], v[16:31], v1
v_cvt_scalef32_pk_bf16_bf8_e64 v0, v1, v1
v_cvt_scalef32_pk_bf16_fp4_e64 v0, v1, v1
v_cvt_scalef32_pk_bf16_fp8_e64 v0, v1, v1
v_cvt_scalef32_pk_bf8_bf16_e64 v0, v1, v1
v_cvt_scalef32_pk_bf8_f16_e64 v0, v1, v1
v_cvt_scalef32_pk_bf8_f32_e64 v0, v1, v1, v1
v_cvt_scalef32_pk_f16_bf8_e64 v0, v1, v1
v_cvt_scalef32_pk_f16_fp4_e64 v0, v1, v1
v_cvt_scalef32_pk_f16_fp8_e64 v0, v1, v1
v_cvt_scalef32_pk_f32_bf8_e64 v[0:1], v1, v1
v_cvt_scalef32_pk_f32_fp4_e64 v[0:1], v1, v1
v_cvt_scalef32_pk_f32_fp8_e64 v[0:1], v1, v1
v_cvt_scalef32_pk_fp4_bf16_e64 v0, v1, v1
v_cvt_scalef32_pk_fp4_f16_e64 v0, v1, v1
v_cvt_scalef32_pk_fp4_f32_e64 v0, v1, v1, v1
v_cvt_scalef32_pk_fp8_bf16_e64 v0, v1, v1
v_cvt_scalef32_pk_fp8_f16_e64 v0, v1, v1
v_cvt_scalef32_pk_fp8_f32_e64 v0, v1, v1, v1
v_cvt_scalef32_sr_bf8_bf16_e64 v0, v1, v1, v1
v_cvt_scalef32_sr_bf8_f16_e64 v0, v1, v1, v1
v_cvt_scalef32_sr_bf8_f32_e64 v0, v1, v1, v1
v_cvt_scalef32_sr_fp8_bf16_e64 v0, v1, v1, v1
v_cvt_scalef32_sr_fp8_f16_e64 v0, v1, v1, v1
v_cvt_scalef32_sr_fp8_f32_e64 v0, v1, v1, v1
v_cvt_scalef32_sr_pk32_bf6_bf16_e64 v[100:105], v[16:31], v1, v1
v_cvt_scalef32_sr_pk32_bf6_f16_e64 v[100:105], v[16:31], v1, v1
v_cvt_scalef32_sr_pk32_bf6_f32_e64 v[100:105], v[32:63], v1, v1
v_cvt_scalef32_sr_pk32_fp6_bf16_e64 v[100:105], v[16:31], v1, v1
v_cvt_scalef32_sr_pk32_fp6_f16_e64 v[100:105], v[16:31], v1, v1
v_cvt_scalef32_sr_pk32_fp6_f32_e64 v[100:105], v[32:63], v1, v1
v_cvt_scalef32_sr_pk_fp4_bf16_e64 v0, v1, v1, v1
v_cvt_scalef32_sr_pk_fp4_f16_e64 v0, v1, v1, v1
v_cvt_scalef32_sr_pk_fp4_f32_e64 v0, v[2:3], v1, v1
v_cvt_sr_bf16_f32_e64 v0, v1, v1
v_cvt_sr_f16_f32_e64 v0, v1, v1
v_dot2_f32_bf16_e64 v0, v1, v1, v1
v_dot2c_f32_bf16_dpp v0, v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_dot2c_f32_bf16_e32 v0, v1, v1
v_dot2c_f32_bf16_e64 v0, v1, v1
v_maximum3_f32_e64 v0, v1, v1, v1
v_minimum3_f32_e64 v0, v1, v1, v1
v_permlane16_swap_b32_e32 v0, v1
v_permlane16_swap_b32_e64 v0, v1
v_permlane32_swap_b32_e32 v0, v1
v_permlane32_swap_b32_e64 v0, v1
v_pk_maximum3_f16_e64 v0, v1, v1, v1
v_pk_minimum3_f16_e64 v0, v1, v1, v1
v_prng_b32_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
v_prng_b32_e32 v0, v1
v_prng_b32_e64 v0, v1
v_prng_b32_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
