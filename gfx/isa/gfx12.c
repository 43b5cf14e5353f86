/* SPDX-License-Identifier: MIT */
/* gfx12: what differs from gfx1150 and gfx11, whose tables are looked at for everything else. Vector memory has a form of its own, of three words. */
#include "gfx/isa/rows.h"
#include "gfx/isa/tables.h"

/* clang-format off */

/* ---- Scalar ---- */

static const struct gfx_operation sop2[] = {
	[0] = SCALAR(s_add_co_u32, add_u32, B32, B32, B32, 0),
	[1] = SCALAR(s_sub_co_u32, sub_u32, B32, B32, B32, 0),
	[2] = SCALAR(s_add_co_i32, add_i32, B32, B32, B32, 0),
	[3] = SCALAR(s_sub_co_i32, sub_i32, B32, B32, B32, 0),
	[4] = SCALAR(s_add_co_ci_u32, addc_u32, B32, B32, B32, 0),
	[5] = SCALAR(s_sub_co_ci_u32, subb_u32, B32, B32, B32, 0),
	[66] = SCALAR_FLOAT(s_min_num_f32, min_f32, F32, F32, F32, NONE, OPERANDS, OWN),
	[67] = SCALAR_FLOAT(s_max_num_f32, max_f32, F32, F32, F32, NONE, OPERANDS, OWN),
	[75] = SCALAR_FLOAT(s_min_num_f16, min_f16, F16, F16, F16, NONE, OPERANDS, 0),
	[76] = SCALAR_FLOAT(s_max_num_f16, max_f16, F16, F16, F16, NONE, OPERANDS, 0),
	[79] = SCALAR_FLOAT(s_minimum_f32, minimum_f32, F32, F32, F32, NONE, OPERANDS, OWN),
	[80] = SCALAR_FLOAT(s_maximum_f32, maximum_f32, F32, F32, F32, NONE, OPERANDS, OWN),
	[81] = SCALAR_FLOAT(s_minimum_f16, minimum_f16, F16, F16, F16, NONE, OPERANDS, 0),
	[82] = SCALAR_FLOAT(s_maximum_f16, maximum_f16, F16, F16, F16, NONE, OPERANDS, 0),
	[83] = SCALAR(s_add_nc_u64, add_nc_u64, B64, B64, B64, 0),
	[84] = SCALAR(s_sub_nc_u64, sub_nc_u64, B64, B64, B64, 0),
	[85] = SCALAR(s_mul_u64, mul_u64, B64, B64, B64, 0),
};

/* Barriers with a name, which only the first two of these operate on else, are not implemented. */
static const struct gfx_operation sop1[] = {
	[78] = {.name = "s_barrier_signal", .execute = gfx_s_barrier_signal, .src = {GFX_B32}},
	[79] = {.name = "s_barrier_signal_isfirst", .execute = gfx_s_barrier_signal, .src = {GFX_B32}, .flags = NZ},
	[88] = {.name = "s_sleep_var", .execute = gfx_execute_nothing, .src = {GFX_B32}},
};

static const struct gfx_operation sopp[] = {
	[4] = GONE,
	[8] = CONTROL(s_wait_alu, gfx_execute_nothing),
	[20] = CONTROL(s_barrier_wait, gfx_s_barrier_wait),
	[39] = GONE, [40] = GONE, [41] = GONE, [42] = GONE, [61] = GONE,
	[64] = CONTROL(s_wait_loadcnt, gfx_execute_nothing),
	[65] = CONTROL(s_wait_storecnt, gfx_execute_nothing),
	[66] = CONTROL(s_wait_samplecnt, gfx_execute_nothing),
	[67] = CONTROL(s_wait_bvhcnt, gfx_execute_nothing),
	[68] = CONTROL(s_wait_expcnt, gfx_execute_nothing),
	[70] = CONTROL(s_wait_dscnt, gfx_execute_nothing),
	[71] = CONTROL(s_wait_kmcnt, gfx_execute_nothing),
	[72] = CONTROL(s_wait_loadcnt_dscnt, gfx_execute_nothing),
	[73] = CONTROL(s_wait_storecnt_dscnt, gfx_execute_nothing),
};

static const struct gfx_operation sopk_add[] = {
	SCALAR(s_addk_co_i32, addk_i32, B32, K16, NONE, OLD),
};

#define PREFETCH(operation, flag) {.name = #operation, .execute = gfx_execute_nothing, .flags = (flag)}

/* The loads of whole words are gfx11's, those from buffers at other opcodes. */
static const struct gfx_operation smem[] = {
	[5] = SCALAR_LOAD("s_load_b96", 12),
	[8] = SCALAR_LOAD_AS("s_load_i8", 1, SIGNED),
	[9] = SCALAR_LOAD("s_load_u8", 1),
	[10] = SCALAR_LOAD_AS("s_load_i16", 2, SIGNED),
	[11] = SCALAR_LOAD("s_load_u16", 2),
	[21] = BUFFER_LOAD("s_buffer_load_b96", 12),
	[24] = BUFFER_LOAD_AS("s_buffer_load_i8", 1, SIGNED),
	[25] = BUFFER_LOAD("s_buffer_load_u8", 1),
	[26] = BUFFER_LOAD_AS("s_buffer_load_i16", 2, SIGNED),
	[27] = BUFFER_LOAD("s_buffer_load_u16", 2),
	[33] = BARE(s_dcache_inv, gfx_execute_nothing),
	[36] = PREFETCH(s_prefetch_inst, 0),
	[37] = PREFETCH(s_prefetch_inst_pc_rel, GFX_NO_BASE),
	[38] = PREFETCH(s_prefetch_data, 0),
	[39] = PREFETCH(s_buffer_prefetch_data, GFX_RESOURCE),
	[40] = PREFETCH(s_prefetch_data_pc_rel, GFX_NO_BASE),
};

/* ---- Vector ---- */

static const struct gfx_operation vop2[] = {
	[2] = FLOAT(v_add_f64, add_f64, F64, F64, F64, NONE, SUM, 0),
	[6] = FLOAT(v_mul_f64, mul_f64, F64, F64, F64, NONE, PRODUCT, 0),
	[13] = FLOAT(v_min_num_f64, min_f64, F64, F64, F64, NONE, OPERANDS, OWN),
	[14] = FLOAT(v_max_num_f64, max_f64, F64, F64, F64, NONE, OPERANDS, OWN),
	[15] = GONE, [16] = GONE,
	[21] = FLOAT(v_min_num_f32, min_f32, F32, F32, F32, NONE, OPERANDS, OWN),
	[22] = FLOAT(v_max_num_f32, max_f32, F32, F32, F32, NONE, OPERANDS, OWN),
	[31] = VECTOR(v_lshlrev_b64, lshlrev_b64, B64, B32, B64, NONE, 0),
	[48] = FLOAT(v_min_num_f16, min_f16, F16, F16, F16, NONE, OPERANDS, KEEPS),
	[49] = FLOAT(v_max_num_f16, max_f16, F16, F16, F16, NONE, OPERANDS, KEEPS),
	[57] = GONE, [58] = GONE,
};

/* Never and always are not there. */
static const struct gfx_operation vopc[GFX11_VOPC_COUNT] = {
	BOTH(MIDDLE_FLOATS, 0, 128, f16, F16),
	BOTH(MIDDLE_FLOATS, 16, 128, f32, F32),
	BOTH(MIDDLE_FLOATS, 32, 128, f64, F64),
	BOTH(MIDDLE_INTEGERS, 48, 128, i16, B16),
	BOTH(MIDDLE_INTEGERS, 56, 128, u16, B16),
	BOTH(MIDDLE_INTEGERS, 64, 128, i32, B32),
	BOTH(MIDDLE_INTEGERS, 72, 128, u32, B32),
	BOTH(MIDDLE_INTEGERS, 80, 128, i64, B64),
	BOTH(MIDDLE_INTEGERS, 88, 128, u64, B64),
	BOTH(CLASS, 125, 128, f16, F16),
	BOTH(CLASS, 126, 128, f32, F32),
	BOTH(CLASS, 127, 128, f64, F64),
};

#define OP(opcode) ((opcode) - GFX11_VOP3_FIRST)
/* One value, in scalar registers. */
#define ONE_VALUE(operation, function, type, exceptions)                                           \
	SCALAR_FLOAT(operation, function, type, type, NONE, NONE, exceptions, GFX_SCALAR_DST | GFX_NO_LANES)

static const struct gfx_operation vop3[] = {
	[OP(537)] = GONE, [OP(540)] = GONE, [OP(543)] = GONE,
	[OP(553)] = FLOAT(v_min3_num_f32, min3_f32, F32, F32, F32, F32, OPERANDS, OWN),
	[OP(554)] = FLOAT(v_max3_num_f32, max3_f32, F32, F32, F32, F32, OPERANDS, OWN),
	[OP(555)] = FLOAT(v_min3_num_f16, min3_f16, F16, F16, F16, F16, OPERANDS, KEEPS),
	[OP(556)] = FLOAT(v_max3_num_f16, max3_f16, F16, F16, F16, F16, OPERANDS, KEEPS),
	[OP(557)] = FLOAT(v_minimum3_f32, minimum3_f32, F32, F32, F32, F32, OPERANDS, OWN),
	[OP(558)] = FLOAT(v_maximum3_f32, maximum3_f32, F32, F32, F32, F32, OPERANDS, OWN),
	[OP(559)] = FLOAT(v_minimum3_f16, minimum3_f16, F16, F16, F16, F16, OPERANDS, KEEPS),
	[OP(560)] = FLOAT(v_maximum3_f16, maximum3_f16, F16, F16, F16, F16, OPERANDS, KEEPS),
	[OP(561)] = FLOAT(v_med3_num_f32, med3_f32, F32, F32, F32, F32, OPERANDS, OWN),
	[OP(562)] = FLOAT(v_med3_num_f16, med3_f16, F16, F16, F16, F16, OPERANDS, KEEPS),
	[OP(585)] = GONE, [OP(588)] = GONE, [OP(591)] = GONE,
	[OP(606)] = GONE, [OP(607)] = GONE, [OP(608)] = GONE, [OP(609)] = GONE,
	[OP(616)] = FLOAT(v_minmax_num_f32, minmax_f32, F32, F32, F32, F32, OPERANDS, OWN),
	[OP(617)] = FLOAT(v_maxmin_num_f32, maxmin_f32, F32, F32, F32, F32, OPERANDS, OWN),
	[OP(618)] = FLOAT(v_minmax_num_f16, minmax_f16, F16, F16, F16, F16, OPERANDS, KEEPS),
	[OP(619)] = FLOAT(v_maxmin_num_f16, maxmin_f16, F16, F16, F16, F16, OPERANDS, KEEPS),
	[OP(620)] = FLOAT(v_minimummaximum_f32, minimummaximum_f32, F32, F32, F32, F32, OPERANDS, OWN),
	[OP(621)] = FLOAT(v_maximumminimum_f32, maximumminimum_f32, F32, F32, F32, F32, OPERANDS, OWN),
	[OP(622)] = FLOAT(v_minimummaximum_f16, minimummaximum_f16, F16, F16, F16, F16, OPERANDS, KEEPS),
	[OP(623)] = FLOAT(v_maximumminimum_f16, maximumminimum_f16, F16, F16, F16, F16, OPERANDS, KEEPS),
	[OP(640)] = ONE_VALUE(v_s_exp_f32, exp_f32, F32, EXPONENTIAL),
	[OP(641)] = ONE_VALUE(v_s_exp_f16, exp_f16, F16, EXPONENTIAL),
	[OP(642)] = ONE_VALUE(v_s_log_f32, log_f32, F32, LOGARITHM),
	[OP(643)] = ONE_VALUE(v_s_log_f16, log_f16, F16, LOGARITHM),
	[OP(644)] = ONE_VALUE(v_s_rcp_f32, rcp_f32, F32, RECIPROCAL),
	[OP(645)] = ONE_VALUE(v_s_rcp_f16, rcp_f16, F16, RECIPROCAL),
	[OP(646)] = ONE_VALUE(v_s_rsq_f32, rsq_f32, F32, RECIPROCAL_ROOT),
	[OP(647)] = ONE_VALUE(v_s_rsq_f16, rsq_f16, F16, RECIPROCAL_ROOT),
	[OP(648)] = ONE_VALUE(v_s_sqrt_f32, sqrt_f32, F32, ROOT),
	[OP(649)] = ONE_VALUE(v_s_sqrt_f16, sqrt_f16, F16, ROOT),
	[OP(766)] = VECTOR(v_mad_co_u64_u32, mad_u64_u32, B64, B32, B32, B64, GFX_CARRY_OUT),
	[OP(767)] = VECTOR(v_mad_co_i64_i32, mad_i64_i32, B64, B32, B32, B64, GFX_CARRY_OUT),
	[OP(783)] = {.name = "v_permlane16_var_b32", .execute = gfx_v_permlane16_b32, .dst = GFX_B32, .src = {GFX_B32, GFX_B32}, .flags = GFX_LANE_SELECT | GFX_SELECTS_HALF | RAW},
	[OP(784)] = {.name = "v_permlanex16_var_b32", .execute = gfx_v_permlanex16_b32, .dst = GFX_B32, .src = {GFX_B32, GFX_B32}, .flags = GFX_LANE_SELECT | GFX_SELECTS_HALF | RAW},
	[OP(807)] = GONE, [OP(808)] = GONE, [OP(809)] = GONE, [OP(810)] = GONE, [OP(828)] = GONE,
	[OP(833)] = FLOAT(v_minimum_f64, minimum_f64, F64, F64, F64, NONE, OPERANDS, OWN),
	[OP(834)] = FLOAT(v_maximum_f64, maximum_f64, F64, F64, F64, NONE, OPERANDS, OWN),
	[OP(869)] = FLOAT(v_minimum_f32, minimum_f32, F32, F32, F32, NONE, OPERANDS, OWN),
	[OP(870)] = FLOAT(v_maximum_f32, maximum_f32, F32, F32, F32, NONE, OPERANDS, OWN),
	[OP(873)] = TO_BYTES(open_fp8, open_bf8),
	[OP(871)] = FLOAT(v_minimum_f16, minimum_f16, F16, F16, F16, NONE, OPERANDS, KEEPS),
	[OP(872)] = FLOAT(v_maximum_f16, maximum_f16, F16, F16, F16, NONE, OPERANDS, KEEPS),
};

/* From opcode 875 on. */
static const struct gfx_operation to_byte[] = {
	TO_BYTE(open_fp8, open_bf8),
};

/* From opcode 108 on. */
static const struct gfx_operation vop1_bytes[] = {
	FROM_BYTES(open_fp8, open_bf8),
};

static const struct gfx_operation vop3p[] = {
	[36] = VECTOR(v_dot4_f32_fp8_bf8, dot4_f32_fp8_bf8, F32, B32, B32, F32, 0),
	[37] = VECTOR(v_dot4_f32_bf8_fp8, dot4_f32_bf8_fp8, F32, B32, B32, F32, 0),
	[38] = VECTOR(v_dot4_f32_fp8_fp8, dot4_f32_fp8_fp8, F32, B32, B32, F32, 0),
	[39] = VECTOR(v_dot4_f32_bf8_bf8, dot4_f32_bf8_bf8, F32, B32, B32, F32, 0),
	[17] = GONE, [18] = GONE,
	[27] = FLOAT(v_pk_min_num_f16, pk_min_f16, V2F16, V2F16, V2F16, NONE, OPERANDS, 0),
	[28] = FLOAT(v_pk_max_num_f16, pk_max_f16, V2F16, V2F16, V2F16, NONE, OPERANDS, 0),
	[29] = FLOAT(v_pk_minimum_f16, pk_minimum_f16, V2F16, V2F16, V2F16, NONE, OPERANDS, 0),
	[30] = FLOAT(v_pk_maximum_f16, pk_maximum_f16, V2F16, V2F16, V2F16, NONE, OPERANDS, 0),
};

#define SPARSE .sparse = true

/* The first ones are those of gfx11. */
static const struct gfx_operation matrices[] = {
	WAVE_MATRICES,
	[6] = WAVE_MATRIX(v_wmma_f32_16x16x16_fp8_fp8, 16, OPEN_FP8, OPEN_FP8, F32, FUSED),
	[7] = WAVE_MATRIX(v_wmma_f32_16x16x16_fp8_bf8, 16, OPEN_FP8, OPEN_BF8, F32, FUSED),
	[8] = WAVE_MATRIX(v_wmma_f32_16x16x16_bf8_fp8, 16, OPEN_BF8, OPEN_FP8, F32, FUSED),
	[9] = WAVE_MATRIX(v_wmma_f32_16x16x16_bf8_bf8, 16, OPEN_BF8, OPEN_BF8, F32, FUSED),
	[10] = WAVE_MATRIX(v_wmma_i32_16x16x32_iu4, 32, I4, I4, F32, INTEGER),
	[16] = WAVE_MATRIX(v_swmmac_f32_16x16x32_f16, 32, F16, F16, F32, FUSED, SPARSE),
	[17] = WAVE_MATRIX(v_swmmac_f32_16x16x32_bf16, 32, BF16, BF16, F32, FUSED, SPARSE),
	[18] = WAVE_MATRIX(v_swmmac_f16_16x16x32_f16, 32, F16, F16, F16, FUSED, SPARSE),
	[19] = WAVE_MATRIX(v_swmmac_bf16_16x16x32_bf16, 32, BF16, BF16, BF16, FUSED, SPARSE),
	[20] = WAVE_MATRIX(v_swmmac_i32_16x16x32_iu8, 32, I8, I8, F32, INTEGER, SPARSE),
	[21] = WAVE_MATRIX(v_swmmac_i32_16x16x32_iu4, 32, I4, I4, F32, INTEGER, SPARSE),
	[22] = WAVE_MATRIX(v_swmmac_i32_16x16x64_iu4, 64, I4, I4, F32, INTEGER, SPARSE),
	[23] = WAVE_MATRIX(v_swmmac_f32_16x16x32_fp8_fp8, 32, OPEN_FP8, OPEN_FP8, F32, FUSED, SPARSE),
	[24] = WAVE_MATRIX(v_swmmac_f32_16x16x32_fp8_bf8, 32, OPEN_FP8, OPEN_BF8, F32, FUSED, SPARSE),
	[25] = WAVE_MATRIX(v_swmmac_f32_16x16x32_bf8_fp8, 32, OPEN_BF8, OPEN_FP8, F32, FUSED, SPARSE),
	[26] = WAVE_MATRIX(v_swmmac_f32_16x16x32_bf8_bf8, 32, OPEN_BF8, OPEN_BF8, F32, FUSED, SPARSE),
};

static const struct gfx_operation dual[GFX11_DUAL_COUNT] = {
	DUAL_OPERATIONS,
	[10] = DUAL(v_dual_max_num_f32, max_f32, F32, F32, NONE, GFX_OWN_NAN),
	[11] = DUAL(v_dual_min_num_f32, min_f32, F32, F32, NONE, GFX_OWN_NAN),
};

/* ---- Memory ---- */

static const struct gfx_operation ds[] = {
	[17] = GONE, [49] = GONE, [81] = GONE, [113] = GONE,
	[18] = ATOMIC("ds_min_num_f32", min_f32, 4, 0),
	[19] = ATOMIC("ds_max_num_f32", max_f32, 4, 0),
	[25] = GONE, [29] = GONE,
	[50] = ATOMIC("ds_min_num_rtn_f32", min_f32, 4, RTN),
	[51] = ATOMIC("ds_max_num_rtn_f32", max_f32, 4, RTN),
	[52] = GONE,
	[82] = ATOMIC("ds_min_num_f64", min_f64, 8, 0),
	[83] = ATOMIC("ds_max_num_f64", max_f64, 8, 0),
	[114] = ATOMIC("ds_min_num_rtn_f64", min_f64, 8, RTN),
	[115] = ATOMIC("ds_max_num_rtn_f64", max_f64, 8, RTN),
	[152] = ATOMIC("ds_cond_sub_u32", cond_sub, 4, 0),
	[153] = ATOMIC("ds_sub_clamp_u32", sub_clamp, 4, 0),
	[154] = ATOMIC("ds_pk_add_f16", pk_add_f16, 4, 0),
	[155] = ATOMIC("ds_pk_add_bf16", pk_add_bf16, 4, 0),
	[168] = ATOMIC("ds_cond_sub_rtn_u32", cond_sub, 4, RTN),
	[169] = ATOMIC("ds_sub_clamp_rtn_u32", sub_clamp, 4, RTN),
	[170] = ATOMIC("ds_pk_add_rtn_f16", pk_add_f16, 4, RTN),
	[171] = ATOMIC("ds_pk_add_rtn_bf16", pk_add_bf16, 4, RTN),
};

#define NEW_ATOMICS(prefix)                                                                        \
	[55] = ATOMIC(prefix "_atomic_sub_clamp_u32", sub_clamp, 4, 0),                            \
	[80] = ATOMIC(prefix "_atomic_cond_sub_u32", cond_sub, 4, 0),                              \
	[81] = ATOMIC(prefix "_atomic_min_num_f32", min_f32, 4, 0),                                \
	[82] = ATOMIC(prefix "_atomic_max_num_f32", max_f32, 4, 0),                                \
	[86] = ATOMIC(prefix "_atomic_add_f32", add_f32, 4, 0),                                    \
	[89] = ATOMIC(prefix "_atomic_pk_add_f16", pk_add_f16, 4, 0),                              \
	[90] = ATOMIC(prefix "_atomic_pk_add_bf16", pk_add_bf16, 4, 0)

static const struct gfx_operation flat[] = {
	NEW_ATOMICS("flat"),
};

#define TRANSPOSED(operation, bytes)                                                               \
	{                                                                                          \
		.name = operation, .execute = gfx_execute_transposed, .memory = GFX_MEMORY_LOAD,   \
		.size = (bytes), .flags = GFX_LANE_SELECT                                          \
	}

static const struct gfx_operation global[] = {
	NEW_ATOMICS("global"),
	[43] = BARE(global_inv, gfx_execute_nothing),
	[44] = BARE(global_wb, gfx_execute_nothing),
	[79] = BARE(global_wbinv, gfx_execute_nothing),
	[87] = TRANSPOSED("global_load_tr_b128", 16),
	[88] = TRANSPOSED("global_load_tr_b64", 8),
};

static const struct gfx_operation buffer[] = {
	FORMATTED_OPERATIONS("buffer"),
	FORMATTED_HALVES_OPERATIONS("buffer_load_d16_format", "buffer_store_d16_format"),
	NEW_ATOMICS("buffer"),
	/* Caches are invalidated by operations of all memory. */
	[43] = GONE,
	[44] = GONE,
};

/* The opcodes of segments that gfx11 has, too: those up to atomics on floats, which have other names here. */
#define SHARED_FIRST 16
#define SHARED_COUNT 62

const struct gfx_encoding_row gfx12_encodings[GFX12_ENCODING_COUNT] = {
	OVERLAY(0xff800000, 0xbe800000, 8, 0xff, 0, 128, 1, GFX_SOP1, sop1, sop1),
	OVERLAY(0xff800000, 0xbf800000, 16, 0x7f, 0, 128, 1, GFX_SOPP, sopp, sopp),
	ABSENT(0xf0000000, 0xb0000000, 23, 0x1f, 3, 12, 1, GFX_SOPK), /* s_cmpk_* */
	PART(0xf0000000, 0xb0000000, 23, 0x1f, 15, 1, 1, GFX_SOPK, sopk, sopk_add),
	ABSENT(0xf0000000, 0xb0000000, 23, 0x1f, 22, 6, 1, GFX_SOPK), /* loops and s_waitcnt_* */
	OVERLAY(0xc0000000, 0x80000000, 23, 0x7f, 0, 96, 1, GFX_SOP2, sop2, sop2),
	ENCODING(0xfe000000, 0x7c000000, 17, 0xff, 0, 256, 1, GFX_VOPC, vopc, vopc),
	PART(0xfe000000, 0x7e000000, 9, 0xff, 108, 4, 1, GFX_VOP1, vop1, vop1_bytes),
	PART(0xfc000000, 0xd4000000, 16, 0x3ff, 492, 4, 2, GFX_VOP3E, bytes, vop1_bytes),
	OVERLAY(0x80000000, 0x00000000, 25, 0x3f, 0, 62, 1, GFX_VOP2, vop2, vop2),
	ENCODING(0xfc000000, 0xc8000000, 22, 0xf, 0, 16, 2, GFX_VOPD, vopd, dual),
	OVERLAY(0xff800000, 0xcc000000, 16, 0x7f, 0, 64, 2, GFX_VOP3P, vop3p, vop3p),
	ENCODING(0xff800000, 0xcc000000, 16, 0x7f, 64, 64, 2, GFX_MAI, wave_matrix, matrices),
	ENCODING(0xfc000000, 0xd4000000, 16, 0x3ff, 0, 256, 2, GFX_VOP3E, vop3, vopc),
	OVERLAY(0xfc000000, 0xd4000000, 16, 0x3ff, 256, 64, 2, GFX_VOP3E, vop3, vop2),
	PART(0xfc000000, 0xd4000000, 16, 0x3ff, 875, 2, 2, GFX_VOP3, to_byte, to_byte),
	OVERLAY(0xfc000000, 0xd4000000, 16, 0x3ff, GFX11_VOP3_FIRST, GFX11_VOP3_COUNT, 2, GFX_VOP3, vop3, vop3),
	PART(0xfc000000, 0xf4000000, 13, 0x3f, 0, 5, 2, GFX_SMEM, smem_gfx10, gfx11_smem),
	PART(0xfc000000, 0xf4000000, 13, 0x3f, 16, 5, 2, GFX_SMEM, smem_gfx10, gfx11_smem + 8),
	ENCODING(0xfc000000, 0xf4000000, 13, 0x3f, 0, 64, 2, GFX_SMEM, smem_gfx10, smem),
	OVERLAY(0xfc000000, 0xd8000000, 18, 0xff, 0, 256, 2, GFX_DS, ds, ds),
	OVERLAY(0xff000000, 0xec000000, 14, 0xff, 0, 256, 3, GFX_FLAT, flat_gfx12, flat),
	PART(0xff000000, 0xec000000, 14, 0xff, SHARED_FIRST, SHARED_COUNT, 3, GFX_FLAT, flat_gfx12, gfx11_flat + SHARED_FIRST),
	PART(0xff000000, 0xed000000, 14, 0xff, SHARED_FIRST, SHARED_COUNT, 3, GFX_SCRATCH, flat_gfx12, gfx11_scratch + SHARED_FIRST),
	ABSENT(0xff000000, 0xed000000, 14, 0xff, 0, 256, 3, GFX_SCRATCH),
	OVERLAY(0xff000000, 0xee000000, 14, 0xff, 0, 256, 3, GFX_GLOBAL, flat_gfx12, global),
	PART(0xff000000, 0xee000000, 14, 0xff, SHARED_FIRST, SHARED_COUNT, 3, GFX_GLOBAL, flat_gfx12, gfx11_global + SHARED_FIRST),
	OVERLAY(0xfc000000, 0xc4000000, 14, 0xff, 0, 128, 3, GFX_MUBUF, mubuf_gfx12, buffer),
	PART(0xfc000000, 0xc4000000, 14, 0xff, SHARED_FIRST, SHARED_COUNT, 3, GFX_MUBUF, mubuf_gfx12, gfx11_mubuf + SHARED_FIRST),
	PART(0xfc000000, 0xc4000000, 14, 0xff, 128, GFX11_MTBUF_COUNT, 3, GFX_MUBUF, mubuf_gfx12, gfx11_mtbuf),
	ABSENT(0xfc000000, 0xc4000000, 14, 0xff, 0, 256, 3, GFX_MUBUF),
	/* The encodings above have what gfx11 has here. */
	ABSENT(0xfc000000, 0xdc000000, 18, 0x7f, 0, 128, 2, GFX_FLAT),
	ABSENT(0xfc000000, 0xe0000000, 18, 0xff, 0, 256, 2, GFX_MUBUF),
	ABSENT(0xfc000000, 0xe8000000, 15, 0xf, 0, 16, 2, GFX_MUBUF),
	ABSENT(0xfc000000, 0xf0000000, 18, 0xff, 0, 256, 2, GFX_MIMG),
	/* Known, and not implemented. */
	ABSENT(0xfc000000, 0xd0000000, 14, 0xff, 0, 256, 3, GFX_MIMG),
	ABSENT(0xfc000000, 0xe4000000, 14, 0xff, 0, 256, 3, GFX_MIMG),
};
