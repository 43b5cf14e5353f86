/* SPDX-License-Identifier: MIT */
/* gfx942: scalar and vector memory operations. */
#include "gfx/isa/rows.h"
#include "gfx/isa/tables.h"

/* clang-format off */

const struct gfx_operation gfx942_smem[GFX942_SMEM_COUNT] = {
	[0] = SCALAR_LOAD("s_load_dword", 4),
	[1] = SCALAR_LOAD("s_load_dwordx2", 8),
	[2] = SCALAR_LOAD("s_load_dwordx4", 16),
	[3] = SCALAR_LOAD("s_load_dwordx8", 32),
	[4] = SCALAR_LOAD("s_load_dwordx16", 64),
	[8] = BUFFER_LOAD("s_buffer_load_dword", 4),
	[9] = BUFFER_LOAD("s_buffer_load_dwordx2", 8),
	[10] = BUFFER_LOAD("s_buffer_load_dwordx4", 16),
	[11] = BUFFER_LOAD("s_buffer_load_dwordx8", 32),
	[12] = BUFFER_LOAD("s_buffer_load_dwordx16", 64),
	[32] = BARE(s_dcache_inv, gfx_execute_nothing),
	[33] = BARE(s_dcache_wb, gfx_execute_nothing),
	[34] = BARE(s_dcache_inv_vol, gfx_execute_nothing),
	[35] = BARE(s_dcache_wb_vol, gfx_execute_nothing),
	[36] = OTHER("s_memtime", gfx_s_memtime),
	[37] = OTHER("s_memrealtime", gfx_s_memtime),
};

/* Segments and buffers share their opcodes. */
#define LOADS_AND_STORES(prefix)                                                                   \
	[16] = LOAD(prefix "_load_ubyte", 1, 0),                                                   \
	[17] = LOAD(prefix "_load_sbyte", 1, SIGNED),                                              \
	[18] = LOAD(prefix "_load_ushort", 2, 0),                                                  \
	[19] = LOAD(prefix "_load_sshort", 2, SIGNED),                                             \
	[20] = LOAD(prefix "_load_dword", 4, 0),                                                   \
	[21] = LOAD(prefix "_load_dwordx2", 8, 0),                                                 \
	[22] = LOAD(prefix "_load_dwordx3", 12, 0),                                                \
	[23] = LOAD(prefix "_load_dwordx4", 16, 0),                                                \
	[24] = STORE(prefix "_store_byte", 1, 0),                                                  \
	[25] = STORE(prefix "_store_byte_d16_hi", 1, HIGH),                                        \
	[26] = STORE(prefix "_store_short", 2, 0),                                                 \
	[27] = STORE(prefix "_store_short_d16_hi", 2, HIGH),                                       \
	[28] = STORE(prefix "_store_dword", 4, 0),                                                 \
	[29] = STORE(prefix "_store_dwordx2", 8, 0),                                               \
	[30] = STORE(prefix "_store_dwordx3", 12, 0),                                              \
	[31] = STORE(prefix "_store_dwordx4", 16, 0),                                              \
	[32] = LOAD(prefix "_load_ubyte_d16", 1, D16),                                             \
	[33] = LOAD(prefix "_load_ubyte_d16_hi", 1, D16_HIGH),                                     \
	[34] = LOAD(prefix "_load_sbyte_d16", 1, D16 | SIGNED),                                    \
	[35] = LOAD(prefix "_load_sbyte_d16_hi", 1, D16_HIGH | SIGNED),                            \
	[36] = LOAD(prefix "_load_short_d16", 2, D16),                                             \
	[37] = LOAD(prefix "_load_short_d16_hi", 2, D16_HIGH)

#define ATOMICS(prefix)                                                                            \
	[64] = ATOMIC(prefix "_atomic_swap", swap, 4, 0),                                          \
	[65] = ATOMIC(prefix "_atomic_cmpswap", cmpswap, 4, GFX_TWO_DATA),                         \
	[66] = ATOMIC(prefix "_atomic_add", add, 4, 0),                                            \
	[67] = ATOMIC(prefix "_atomic_sub", sub, 4, 0),                                            \
	[68] = ATOMIC(prefix "_atomic_smin", smin32, 4, 0),                                        \
	[69] = ATOMIC(prefix "_atomic_umin", umin, 4, 0),                                          \
	[70] = ATOMIC(prefix "_atomic_smax", smax32, 4, 0),                                        \
	[71] = ATOMIC(prefix "_atomic_umax", umax, 4, 0),                                          \
	[72] = ATOMIC(prefix "_atomic_and", and, 4, 0),                                            \
	[73] = ATOMIC(prefix "_atomic_or", or, 4, 0),                                              \
	[74] = ATOMIC(prefix "_atomic_xor", xor, 4, 0),                                            \
	[75] = ATOMIC(prefix "_atomic_inc", inc, 4, 0),                                            \
	[76] = ATOMIC(prefix "_atomic_dec", dec, 4, 0),                                            \
	[77] = ATOMIC(prefix "_atomic_add_f32", add_f32, 4, 0),                                    \
	[78] = ATOMIC(prefix "_atomic_pk_add_f16", pk_add_f16, 4, 0),                              \
	[79] = ATOMIC(prefix "_atomic_add_f64", add_f64, 8, 0),                                    \
	[80] = ATOMIC(prefix "_atomic_min_f64", min_f64, 8, 0),                                    \
	[81] = ATOMIC(prefix "_atomic_max_f64", max_f64, 8, 0),                                    \
	[96] = ATOMIC(prefix "_atomic_swap_x2", swap, 8, 0),                                       \
	[97] = ATOMIC(prefix "_atomic_cmpswap_x2", cmpswap, 8, GFX_TWO_DATA),                      \
	[98] = ATOMIC(prefix "_atomic_add_x2", add, 8, 0),                                         \
	[99] = ATOMIC(prefix "_atomic_sub_x2", sub, 8, 0),                                         \
	[100] = ATOMIC(prefix "_atomic_smin_x2", smin64, 8, 0),                                    \
	[101] = ATOMIC(prefix "_atomic_umin_x2", umin, 8, 0),                                      \
	[102] = ATOMIC(prefix "_atomic_smax_x2", smax64, 8, 0),                                    \
	[103] = ATOMIC(prefix "_atomic_umax_x2", umax, 8, 0),                                      \
	[104] = ATOMIC(prefix "_atomic_and_x2", and, 8, 0),                                        \
	[105] = ATOMIC(prefix "_atomic_or_x2", or, 8, 0),                                          \
	[106] = ATOMIC(prefix "_atomic_xor_x2", xor, 8, 0),                                        \
	[107] = ATOMIC(prefix "_atomic_inc_x2", inc, 8, 0),                                        \
	[108] = ATOMIC(prefix "_atomic_dec_x2", dec, 8, 0)

const struct gfx_operation gfx942_flat[GFX942_FLAT_COUNT] = {
	LOADS_AND_STORES("flat"),
	ATOMICS("flat"),
	[82] = ATOMIC("flat_atomic_pk_add_bf16", pk_add_bf16, 4, 0),
};

const struct gfx_operation gfx942_global[GFX942_FLAT_COUNT] = {
	LOADS_AND_STORES("global"),
	[42] = LOAD("global_load_lds_dword", 4, GFX_TO_LOCAL),
	ATOMICS("global"),
	[82] = ATOMIC("global_atomic_pk_add_bf16", pk_add_bf16, 4, 0),
};

const struct gfx_operation gfx942_scratch[GFX942_FLAT_COUNT] = {
	LOADS_AND_STORES("scratch"),
};

const struct gfx_operation gfx942_mtbuf[GFX942_MTBUF_COUNT] = {
	FORMATTED_OPERATIONS("tbuffer"),
	FORMATTED_HALVES_OPERATIONS("tbuffer_load_format_d16", "tbuffer_store_format_d16"),
};

const struct gfx_operation gfx942_mubuf[GFX942_MUBUF_COUNT] = {
	FORMATTED_OPERATIONS("buffer"),
	FORMATTED_HALVES_OPERATIONS("buffer_load_format_d16", "buffer_store_format_d16"),
	FORMATTED_UPPER_OPERATIONS("buffer_load_format_d16_hi_x", "buffer_store_format_d16_hi_x"),
	LOADS_AND_STORES("buffer"),
	[40] = OTHER("buffer_wbl2", gfx_execute_nothing),
	[41] = OTHER("buffer_inv", gfx_execute_nothing),
	[62] = BARE(buffer_wbinvl1, gfx_execute_nothing),
	[63] = BARE(buffer_wbinvl1_vol, gfx_execute_nothing),
	ATOMICS("buffer"),
};
