/* SPDX-License-Identifier: MIT */
/* gfx11: scalar and vector memory operations, and those on local memory. */
#include "gfx/isa/rows.h"
#include "gfx/isa/tables.h"

/* clang-format off */

const struct gfx_operation gfx11_smem[GFX11_SMEM_COUNT] = {
	[0] = SCALAR_LOAD("s_load_b32", 4),
	[1] = SCALAR_LOAD("s_load_b64", 8),
	[2] = SCALAR_LOAD("s_load_b128", 16),
	[3] = SCALAR_LOAD("s_load_b256", 32),
	[4] = SCALAR_LOAD("s_load_b512", 64),
	[8] = BUFFER_LOAD("s_buffer_load_b32", 4),
	[9] = BUFFER_LOAD("s_buffer_load_b64", 8),
	[10] = BUFFER_LOAD("s_buffer_load_b128", 16),
	[11] = BUFFER_LOAD("s_buffer_load_b256", 32),
	[12] = BUFFER_LOAD("s_buffer_load_b512", 64),
	[32] = BARE(s_gl1_inv, gfx_execute_nothing),
	[33] = BARE(s_dcache_inv, gfx_execute_nothing),
};

/* Segments and buffers share their opcodes. */
#define LOADS_AND_STORES(prefix)\
	[16] = LOAD(prefix "_load_u8", 1, 0),                                                             \
	[17] = LOAD(prefix "_load_i8", 1, SIGNED),                                                        \
	[18] = LOAD(prefix "_load_u16", 2, 0),                                                            \
	[19] = LOAD(prefix "_load_i16", 2, SIGNED),                                                       \
	[20] = LOAD(prefix "_load_b32", 4, 0),                                                            \
	[21] = LOAD(prefix "_load_b64", 8, 0),                                                            \
	[22] = LOAD(prefix "_load_b96", 12, 0),                                                           \
	[23] = LOAD(prefix "_load_b128", 16, 0),                                                          \
	[24] = STORE(prefix "_store_b8", 1, 0),                                                           \
	[25] = STORE(prefix "_store_b16", 2, 0),                                                          \
	[26] = STORE(prefix "_store_b32", 4, 0),                                                          \
	[27] = STORE(prefix "_store_b64", 8, 0),                                                          \
	[28] = STORE(prefix "_store_b96", 12, 0),                                                         \
	[29] = STORE(prefix "_store_b128", 16, 0),                                                        \
	[30] = LOAD(prefix "_load_d16_u8", 1, D16),                                                       \
	[31] = LOAD(prefix "_load_d16_i8", 1, D16 | SIGNED),                                              \
	[32] = LOAD(prefix "_load_d16_b16", 2, D16),                                                      \
	[33] = LOAD(prefix "_load_d16_hi_u8", 1, D16_HIGH),                                               \
	[34] = LOAD(prefix "_load_d16_hi_i8", 1, D16_HIGH | SIGNED),                                      \
	[35] = LOAD(prefix "_load_d16_hi_b16", 2, D16_HIGH),                                              \
	[36] = STORE(prefix "_store_d16_hi_b8", 1, HIGH),                                                 \
	[37] = STORE(prefix "_store_d16_hi_b16", 2, HIGH)

#define ATOMICS(prefix)\
	[51] = ATOMIC(prefix "_atomic_swap_b32", swap, 4, 0),                                             \
	[52] = ATOMIC(prefix "_atomic_cmpswap_b32", cmpswap, 4, GFX_TWO_DATA),                            \
	[53] = ATOMIC(prefix "_atomic_add_u32", add, 4, 0),                                               \
	[54] = ATOMIC(prefix "_atomic_sub_u32", sub, 4, 0),                                               \
	[56] = ATOMIC(prefix "_atomic_min_i32", smin32, 4, 0),                                            \
	[57] = ATOMIC(prefix "_atomic_min_u32", umin, 4, 0),                                              \
	[58] = ATOMIC(prefix "_atomic_max_i32", smax32, 4, 0),                                            \
	[59] = ATOMIC(prefix "_atomic_max_u32", umax, 4, 0),                                              \
	[60] = ATOMIC(prefix "_atomic_and_b32", and, 4, 0),                                               \
	[61] = ATOMIC(prefix "_atomic_or_b32", or, 4, 0),                                                 \
	[62] = ATOMIC(prefix "_atomic_xor_b32", xor, 4, 0),                                               \
	[63] = ATOMIC(prefix "_atomic_inc_u32", inc, 4, 0),                                               \
	[64] = ATOMIC(prefix "_atomic_dec_u32", dec, 4, 0),                                               \
	[65] = ATOMIC(prefix "_atomic_swap_b64", swap, 8, 0),                                             \
	[66] = ATOMIC(prefix "_atomic_cmpswap_b64", cmpswap, 8, GFX_TWO_DATA),                            \
	[67] = ATOMIC(prefix "_atomic_add_u64", add, 8, 0),                                               \
	[68] = ATOMIC(prefix "_atomic_sub_u64", sub, 8, 0),                                               \
	[69] = ATOMIC(prefix "_atomic_min_i64", smin64, 8, 0),                                            \
	[70] = ATOMIC(prefix "_atomic_min_u64", umin, 8, 0),                                              \
	[71] = ATOMIC(prefix "_atomic_max_i64", smax64, 8, 0),                                            \
	[72] = ATOMIC(prefix "_atomic_max_u64", umax, 8, 0),                                              \
	[73] = ATOMIC(prefix "_atomic_and_b64", and, 8, 0),                                               \
	[74] = ATOMIC(prefix "_atomic_or_b64", or, 8, 0),                                                 \
	[75] = ATOMIC(prefix "_atomic_xor_b64", xor, 8, 0),                                               \
	[76] = ATOMIC(prefix "_atomic_inc_u64", inc, 8, 0),                                               \
	[77] = ATOMIC(prefix "_atomic_dec_u64", dec, 8, 0),                                               \
	[80] = ATOMIC(prefix "_atomic_cmpswap_f32", cmpswap_f32, 4, GFX_TWO_DATA),                        \
	[81] = ATOMIC(prefix "_atomic_min_f32", min_f32, 4, 0),                                           \
	[82] = ATOMIC(prefix "_atomic_max_f32", max_f32, 4, 0),                                           \
	[86] = ATOMIC(prefix "_atomic_add_f32", add_f32, 4, 0)

const struct gfx_operation gfx11_flat[GFX11_FLAT_COUNT] = {
	LOADS_AND_STORES("flat"),
	ATOMICS("flat"),
};

const struct gfx_operation gfx11_global[GFX11_FLAT_COUNT] = {
	LOADS_AND_STORES("global"),
	ATOMICS("global"),
	[55] = ATOMIC("global_atomic_csub_u32", sub_clamp, 4, 0),
};

const struct gfx_operation gfx11_scratch[GFX11_FLAT_COUNT] = {
	LOADS_AND_STORES("scratch"),
};

const struct gfx_operation gfx11_mtbuf[GFX11_MTBUF_COUNT] = {
	FORMATTED_OPERATIONS("tbuffer"),
	FORMATTED_HALVES_OPERATIONS("tbuffer_load_d16_format", "tbuffer_store_d16_format"),
};

const struct gfx_operation gfx11_mubuf[GFX11_MUBUF_COUNT] = {
	FORMATTED_OPERATIONS("buffer"),
	FORMATTED_HALVES_OPERATIONS("buffer_load_d16_format", "buffer_store_d16_format"),
	FORMATTED_UPPER_OPERATIONS("buffer_load_d16_hi_format_x", "buffer_store_d16_hi_format_x"),
	LOADS_AND_STORES("buffer"),
	ATOMICS("buffer"),
	[55] = ATOMIC("buffer_atomic_csub_u32", sub_clamp, 4, 0),
	[43] = BARE(buffer_gl0_inv, gfx_execute_nothing),
	[44] = BARE(buffer_gl1_inv, gfx_execute_nothing),
};

const struct gfx_operation gfx11_ds[GFX11_DS_COUNT] = {
	[0] = ATOMIC("ds_add_u32", add, 4, 0),
	[1] = ATOMIC("ds_sub_u32", sub, 4, 0),
	[2] = ATOMIC("ds_rsub_u32", rsub, 4, 0),
	[3] = ATOMIC("ds_inc_u32", inc, 4, 0),
	[4] = ATOMIC("ds_dec_u32", dec, 4, 0),
	[5] = ATOMIC("ds_min_i32", smin32, 4, 0),
	[6] = ATOMIC("ds_max_i32", smax32, 4, 0),
	[7] = ATOMIC("ds_min_u32", umin, 4, 0),
	[8] = ATOMIC("ds_max_u32", umax, 4, 0),
	[9] = ATOMIC("ds_and_b32", and, 4, 0),
	[10] = ATOMIC("ds_or_b32", or, 4, 0),
	[11] = ATOMIC("ds_xor_b32", xor, 4, 0),
	[12] = ATOMIC("ds_mskor_b32", mskor, 4, TWO),
	[13] = STORE("ds_store_b32", 4, 0),
	[14] = STORE("ds_store_2addr_b32", 4, PAIR),
	[15] = STORE("ds_store_2addr_stride64_b32", 4, FAR_PAIR),
	[16] = ATOMIC("ds_cmpstore_b32", cmpswap, 4, TWO),
	[17] = ATOMIC("ds_cmpstore_f32", cmpswap_f32, 4, TWO),
	[18] = ATOMIC("ds_min_f32", min_f32, 4, 0),
	[19] = ATOMIC("ds_max_f32", max_f32, 4, 0),
	[20] = {.name = "ds_nop", .execute = gfx_execute_nothing, .flags = GFX_NO_OPERANDS},
	[21] = ATOMIC("ds_add_f32", add_f32, 4, 0),
	[25] = SYNC(ds_gws_init),
	[29] = SYNC(ds_gws_barrier),
	[30] = STORE("ds_store_b8", 1, 0),
	[31] = STORE("ds_store_b16", 2, 0),
	[32] = ATOMIC("ds_add_rtn_u32", add, 4, RTN),
	[33] = ATOMIC("ds_sub_rtn_u32", sub, 4, RTN),
	[34] = ATOMIC("ds_rsub_rtn_u32", rsub, 4, RTN),
	[35] = ATOMIC("ds_inc_rtn_u32", inc, 4, RTN),
	[36] = ATOMIC("ds_dec_rtn_u32", dec, 4, RTN),
	[37] = ATOMIC("ds_min_rtn_i32", smin32, 4, RTN),
	[38] = ATOMIC("ds_max_rtn_i32", smax32, 4, RTN),
	[39] = ATOMIC("ds_min_rtn_u32", umin, 4, RTN),
	[40] = ATOMIC("ds_max_rtn_u32", umax, 4, RTN),
	[41] = ATOMIC("ds_and_rtn_b32", and, 4, RTN),
	[42] = ATOMIC("ds_or_rtn_b32", or, 4, RTN),
	[43] = ATOMIC("ds_xor_rtn_b32", xor, 4, RTN),
	[44] = ATOMIC("ds_mskor_rtn_b32", mskor, 4, RTN | TWO),
	[45] = ATOMIC("ds_storexchg_rtn_b32", swap, 4, RTN),
	[46] = ATOMIC("ds_storexchg_2addr_rtn_b32", swap, 4, RTN | TWO | PAIR),
	[47] = ATOMIC("ds_storexchg_2addr_stride64_rtn_b32", swap, 4, RTN | TWO | FAR_PAIR),
	[48] = ATOMIC("ds_cmpstore_rtn_b32", cmpswap, 4, RTN | TWO),
	[49] = ATOMIC("ds_cmpstore_rtn_f32", cmpswap_f32, 4, RTN | TWO),
	[50] = ATOMIC("ds_min_rtn_f32", min_f32, 4, RTN),
	[51] = ATOMIC("ds_max_rtn_f32", max_f32, 4, RTN),
	[52] = ATOMIC("ds_wrap_rtn_b32", wrap, 4, RTN | TWO),
	[53] = OTHER("ds_swizzle_b32", gfx_ds_swizzle_b32),
	[54] = LOAD("ds_load_b32", 4, 0),
	[55] = LOAD("ds_load_2addr_b32", 4, PAIR),
	[56] = LOAD("ds_load_2addr_stride64_b32", 4, FAR_PAIR),
	[57] = LOAD("ds_load_i8", 1, GFX_SIGNED),
	[58] = LOAD("ds_load_u8", 1, 0),
	[59] = LOAD("ds_load_i16", 2, GFX_SIGNED),
	[60] = LOAD("ds_load_u16", 2, 0),
	[61] = COUNTER(ds_consume),
	[62] = COUNTER(ds_append),
	[64] = ATOMIC("ds_add_u64", add, 8, 0),
	[65] = ATOMIC("ds_sub_u64", sub, 8, 0),
	[66] = ATOMIC("ds_rsub_u64", rsub, 8, 0),
	[67] = ATOMIC("ds_inc_u64", inc, 8, 0),
	[68] = ATOMIC("ds_dec_u64", dec, 8, 0),
	[69] = ATOMIC("ds_min_i64", smin64, 8, 0),
	[70] = ATOMIC("ds_max_i64", smax64, 8, 0),
	[71] = ATOMIC("ds_min_u64", umin, 8, 0),
	[72] = ATOMIC("ds_max_u64", umax, 8, 0),
	[73] = ATOMIC("ds_and_b64", and, 8, 0),
	[74] = ATOMIC("ds_or_b64", or, 8, 0),
	[75] = ATOMIC("ds_xor_b64", xor, 8, 0),
	[76] = ATOMIC("ds_mskor_b64", mskor, 8, TWO),
	[77] = STORE("ds_store_b64", 8, 0),
	[78] = STORE("ds_store_2addr_b64", 8, PAIR),
	[79] = STORE("ds_store_2addr_stride64_b64", 8, FAR_PAIR),
	[80] = ATOMIC("ds_cmpstore_b64", cmpswap, 8, TWO),
	[81] = ATOMIC("ds_cmpstore_f64", cmpswap_f64, 8, TWO),
	[82] = ATOMIC("ds_min_f64", min_f64, 8, 0),
	[83] = ATOMIC("ds_max_f64", max_f64, 8, 0),
	[96] = ATOMIC("ds_add_rtn_u64", add, 8, RTN),
	[97] = ATOMIC("ds_sub_rtn_u64", sub, 8, RTN),
	[98] = ATOMIC("ds_rsub_rtn_u64", rsub, 8, RTN),
	[99] = ATOMIC("ds_inc_rtn_u64", inc, 8, RTN),
	[100] = ATOMIC("ds_dec_rtn_u64", dec, 8, RTN),
	[101] = ATOMIC("ds_min_rtn_i64", smin64, 8, RTN),
	[102] = ATOMIC("ds_max_rtn_i64", smax64, 8, RTN),
	[103] = ATOMIC("ds_min_rtn_u64", umin, 8, RTN),
	[104] = ATOMIC("ds_max_rtn_u64", umax, 8, RTN),
	[105] = ATOMIC("ds_and_rtn_b64", and, 8, RTN),
	[106] = ATOMIC("ds_or_rtn_b64", or, 8, RTN),
	[107] = ATOMIC("ds_xor_rtn_b64", xor, 8, RTN),
	[108] = ATOMIC("ds_mskor_rtn_b64", mskor, 8, RTN | TWO),
	[109] = ATOMIC("ds_storexchg_rtn_b64", swap, 8, RTN),
	[110] = ATOMIC("ds_storexchg_2addr_rtn_b64", swap, 8, RTN | TWO | PAIR),
	[111] = ATOMIC("ds_storexchg_2addr_stride64_rtn_b64", swap, 8, RTN | TWO | FAR_PAIR),
	[112] = ATOMIC("ds_cmpstore_rtn_b64", cmpswap, 8, RTN | TWO),
	[113] = ATOMIC("ds_cmpstore_rtn_f64", cmpswap_f64, 8, RTN | TWO),
	[114] = ATOMIC("ds_min_rtn_f64", min_f64, 8, RTN),
	[115] = ATOMIC("ds_max_rtn_f64", max_f64, 8, RTN),
	[118] = LOAD("ds_load_b64", 8, 0),
	[119] = LOAD("ds_load_2addr_b64", 8, PAIR),
	[120] = LOAD("ds_load_2addr_stride64_b64", 8, FAR_PAIR),
	[121] = ATOMIC("ds_add_rtn_f32", add_f32, 4, RTN),
	[126] = ATOMIC("ds_condxchg32_rtn_b64", condxchg, 8, RTN),
	[160] = STORE("ds_store_b8_d16_hi", 1, GFX_HIGH_HALF),
	[161] = STORE("ds_store_b16_d16_hi", 2, GFX_HIGH_HALF),
	[162] = LOAD("ds_load_u8_d16", 1, D16),
	[163] = LOAD("ds_load_u8_d16_hi", 1, D16_HIGH),
	[164] = LOAD("ds_load_i8_d16", 1, D16 | GFX_SIGNED),
	[165] = LOAD("ds_load_i8_d16_hi", 1, D16_HIGH | GFX_SIGNED),
	[166] = LOAD("ds_load_u16_d16", 2, D16),
	[167] = LOAD("ds_load_u16_d16_hi", 2, D16_HIGH),
	[176] = STORE("ds_store_addtid_b32", 4, GFX_DS_FIELDS),
	[177] = LOAD("ds_load_addtid_b32", 4, GFX_DS_FIELDS),
	[178] = CROSS(ds_permute_b32),
	[179] = CROSS(ds_bpermute_b32),
	[222] = STORE("ds_store_b96", 12, 0),
	[223] = STORE("ds_store_b128", 16, 0),
	[254] = LOAD("ds_load_b96", 12, 0),
	[255] = LOAD("ds_load_b128", 16, 0),
};
