/* SPDX-License-Identifier: MIT */
/* gfx942: operations on local memory, and those that use its crossbar only. */
#include "gfx/alu/scalar.h"
#include "gfx/wave/memory-access.h"
#include "gfx/isa/tables.h"

/* clang-format off */

#define LOAD(operation, bytes, flag)                                                               \
	{                                                                                          \
		.name = #operation, .execute = gfx_execute_memory, .memory = GFX_MEMORY_LOAD,      \
		.size = (bytes), .flags = (flag)                                                   \
	}
#define STORE(operation, bytes, flag)                                                              \
	{                                                                                          \
		.name = #operation, .execute = gfx_execute_memory, .memory = GFX_MEMORY_STORE,     \
		.size = (bytes), .flags = (flag)                                                   \
	}
#define ATOMIC(operation, function, bytes, flag)                                                   \
	{                                                                                          \
		.name = #operation, .execute = gfx_execute_memory, .memory = GFX_MEMORY_ATOMIC,    \
		.atomic = gfx_atomic_##function, .size = (bytes), .flags = (flag)                  \
	}
#define OTHER(operation, function) {.name = #operation, .execute = (function)}
#define CROSS(operation)                                                                           \
	{.name = #operation, .execute = gfx_##operation, .flags = GFX_TWO_DATA}
#define COUNTER(operation)                                                                         \
	{.name = #operation, .execute = gfx_##operation, .flags = GFX_DS_FIELDS}
#define SYNC(operation)                                                                            \
	{.name = #operation, .execute = gfx_##operation, .flags = GFX_GLOBAL_SYNC}
#define PAIR GFX_PAIR
#define FAR_PAIR (GFX_PAIR | GFX_PAIR_64)
#define D16 GFX_D16
#define D16_HIGH (GFX_D16 | GFX_HIGH_HALF)
#define RTN GFX_RETURNS
#define TWO GFX_TWO_DATA

const struct gfx_operation gfx942_ds[GFX942_DS_COUNT] = {
	[0] = ATOMIC(ds_add_u32, add, 4, 0),
	[1] = ATOMIC(ds_sub_u32, sub, 4, 0),
	[2] = ATOMIC(ds_rsub_u32, rsub, 4, 0),
	[3] = ATOMIC(ds_inc_u32, inc, 4, 0),
	[4] = ATOMIC(ds_dec_u32, dec, 4, 0),
	[5] = ATOMIC(ds_min_i32, smin32, 4, 0),
	[6] = ATOMIC(ds_max_i32, smax32, 4, 0),
	[7] = ATOMIC(ds_min_u32, umin, 4, 0),
	[8] = ATOMIC(ds_max_u32, umax, 4, 0),
	[9] = ATOMIC(ds_and_b32, and, 4, 0),
	[10] = ATOMIC(ds_or_b32, or, 4, 0),
	[11] = ATOMIC(ds_xor_b32, xor, 4, 0),
	[12] = ATOMIC(ds_mskor_b32, mskor, 4, TWO),
	[13] = STORE(ds_write_b32, 4, 0),
	[14] = STORE(ds_write2_b32, 4, PAIR),
	[15] = STORE(ds_write2st64_b32, 4, FAR_PAIR),
	[16] = ATOMIC(ds_cmpst_b32, cmpst, 4, TWO),
	[17] = ATOMIC(ds_cmpst_f32, cmpst_f32, 4, TWO),
	[18] = ATOMIC(ds_min_f32, min_f32, 4, 0),
	[19] = ATOMIC(ds_max_f32, max_f32, 4, 0),
	[20] = {.name = "ds_nop", .execute = gfx_execute_nothing, .flags = GFX_NO_OPERANDS},
	[21] = ATOMIC(ds_add_f32, add_f32, 4, 0),
	[23] = ATOMIC(ds_pk_add_f16, pk_add_f16, 4, 0),
	[24] = ATOMIC(ds_pk_add_bf16, pk_add_bf16, 4, 0),
	[30] = STORE(ds_write_b8, 1, 0),
	[31] = STORE(ds_write_b16, 2, 0),
	[32] = ATOMIC(ds_add_rtn_u32, add, 4, RTN),
	[33] = ATOMIC(ds_sub_rtn_u32, sub, 4, RTN),
	[34] = ATOMIC(ds_rsub_rtn_u32, rsub, 4, RTN),
	[35] = ATOMIC(ds_inc_rtn_u32, inc, 4, RTN),
	[36] = ATOMIC(ds_dec_rtn_u32, dec, 4, RTN),
	[37] = ATOMIC(ds_min_rtn_i32, smin32, 4, RTN),
	[38] = ATOMIC(ds_max_rtn_i32, smax32, 4, RTN),
	[39] = ATOMIC(ds_min_rtn_u32, umin, 4, RTN),
	[40] = ATOMIC(ds_max_rtn_u32, umax, 4, RTN),
	[41] = ATOMIC(ds_and_rtn_b32, and, 4, RTN),
	[42] = ATOMIC(ds_or_rtn_b32, or, 4, RTN),
	[43] = ATOMIC(ds_xor_rtn_b32, xor, 4, RTN),
	[44] = ATOMIC(ds_mskor_rtn_b32, mskor, 4, RTN | TWO),
	[45] = ATOMIC(ds_wrxchg_rtn_b32, swap, 4, RTN),
	[48] = ATOMIC(ds_cmpst_rtn_b32, cmpst, 4, RTN | TWO),
	[49] = ATOMIC(ds_cmpst_rtn_f32, cmpst_f32, 4, RTN | TWO),
	[50] = ATOMIC(ds_min_rtn_f32, min_f32, 4, RTN),
	[51] = ATOMIC(ds_max_rtn_f32, max_f32, 4, RTN),
	[52] = ATOMIC(ds_wrap_rtn_b32, wrap, 4, RTN | TWO),
	[53] = ATOMIC(ds_add_rtn_f32, add_f32, 4, RTN),
	[54] = LOAD(ds_read_b32, 4, 0),
	[55] = LOAD(ds_read2_b32, 4, PAIR),
	[56] = LOAD(ds_read2st64_b32, 4, FAR_PAIR),
	[57] = LOAD(ds_read_i8, 1, GFX_SIGNED),
	[58] = LOAD(ds_read_u8, 1, 0),
	[59] = LOAD(ds_read_i16, 2, GFX_SIGNED),
	[60] = LOAD(ds_read_u16, 2, 0),
	[61] = OTHER(ds_swizzle_b32, gfx_ds_swizzle_b32),
	[62] = CROSS(ds_permute_b32),
	[63] = CROSS(ds_bpermute_b32),
	[64] = ATOMIC(ds_add_u64, add, 8, 0),
	[65] = ATOMIC(ds_sub_u64, sub, 8, 0),
	[66] = ATOMIC(ds_rsub_u64, rsub, 8, 0),
	[67] = ATOMIC(ds_inc_u64, inc, 8, 0),
	[68] = ATOMIC(ds_dec_u64, dec, 8, 0),
	[69] = ATOMIC(ds_min_i64, smin64, 8, 0),
	[70] = ATOMIC(ds_max_i64, smax64, 8, 0),
	[71] = ATOMIC(ds_min_u64, umin, 8, 0),
	[72] = ATOMIC(ds_max_u64, umax, 8, 0),
	[73] = ATOMIC(ds_and_b64, and, 8, 0),
	[74] = ATOMIC(ds_or_b64, or, 8, 0),
	[75] = ATOMIC(ds_xor_b64, xor, 8, 0),
	[76] = ATOMIC(ds_mskor_b64, mskor, 8, TWO),
	[77] = STORE(ds_write_b64, 8, 0),
	[78] = STORE(ds_write2_b64, 8, PAIR),
	[79] = STORE(ds_write2st64_b64, 8, FAR_PAIR),
	[80] = ATOMIC(ds_cmpst_b64, cmpst, 8, TWO),
	[81] = ATOMIC(ds_cmpst_f64, cmpst_f64, 8, TWO),
	[82] = ATOMIC(ds_min_f64, min_f64, 8, 0),
	[83] = ATOMIC(ds_max_f64, max_f64, 8, 0),
	[84] = STORE(ds_write_b8_d16_hi, 1, GFX_HIGH_HALF),
	[85] = STORE(ds_write_b16_d16_hi, 2, GFX_HIGH_HALF),
	[86] = LOAD(ds_read_u8_d16, 1, D16),
	[87] = LOAD(ds_read_u8_d16_hi, 1, D16_HIGH),
	[88] = LOAD(ds_read_i8_d16, 1, D16 | GFX_SIGNED),
	[89] = LOAD(ds_read_i8_d16_hi, 1, D16_HIGH | GFX_SIGNED),
	[90] = LOAD(ds_read_u16_d16, 2, D16),
	[91] = LOAD(ds_read_u16_d16_hi, 2, D16_HIGH),
	[92] = ATOMIC(ds_add_f64, add_f64, 8, 0),
	[96] = ATOMIC(ds_add_rtn_u64, add, 8, RTN),
	[97] = ATOMIC(ds_sub_rtn_u64, sub, 8, RTN),
	[98] = ATOMIC(ds_rsub_rtn_u64, rsub, 8, RTN),
	[99] = ATOMIC(ds_inc_rtn_u64, inc, 8, RTN),
	[100] = ATOMIC(ds_dec_rtn_u64, dec, 8, RTN),
	[101] = ATOMIC(ds_min_rtn_i64, smin64, 8, RTN),
	[102] = ATOMIC(ds_max_rtn_i64, smax64, 8, RTN),
	[103] = ATOMIC(ds_min_rtn_u64, umin, 8, RTN),
	[104] = ATOMIC(ds_max_rtn_u64, umax, 8, RTN),
	[105] = ATOMIC(ds_and_rtn_b64, and, 8, RTN),
	[106] = ATOMIC(ds_or_rtn_b64, or, 8, RTN),
	[107] = ATOMIC(ds_xor_rtn_b64, xor, 8, RTN),
	[108] = ATOMIC(ds_mskor_rtn_b64, mskor, 8, RTN | TWO),
	[109] = ATOMIC(ds_wrxchg_rtn_b64, swap, 8, RTN),
	[112] = ATOMIC(ds_cmpst_rtn_b64, cmpst, 8, RTN | TWO),
	[113] = ATOMIC(ds_cmpst_rtn_f64, cmpst_f64, 8, RTN | TWO),
	[114] = ATOMIC(ds_min_rtn_f64, min_f64, 8, RTN),
	[115] = ATOMIC(ds_max_rtn_f64, max_f64, 8, RTN),
	[118] = LOAD(ds_read_b64, 8, 0),
	[119] = LOAD(ds_read2_b64, 8, PAIR),
	[120] = LOAD(ds_read2st64_b64, 8, FAR_PAIR),
	[124] = ATOMIC(ds_add_rtn_f64, add_f64, 8, RTN),
	[153] = SYNC(ds_gws_init),
	[157] = SYNC(ds_gws_barrier),
	[183] = ATOMIC(ds_pk_add_rtn_f16, pk_add_f16, 4, RTN),
	[184] = ATOMIC(ds_pk_add_rtn_bf16, pk_add_bf16, 4, RTN),
	[189] = COUNTER(ds_consume),
	[190] = COUNTER(ds_append),
	[222] = STORE(ds_write_b96, 12, 0),
	[223] = STORE(ds_write_b128, 16, 0),
	[254] = LOAD(ds_read_b96, 12, 0),
	[255] = LOAD(ds_read_b128, 16, 0),
};
