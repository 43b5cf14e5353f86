/* SPDX-License-Identifier: MIT */
/*
 * gfx10.3, and what gfx10.1 has in another way: its operations are those of gfx9 under their names and those of gfx11, mostly in runs that have moved. Rows are here for what
 * neither has, or has under another name.
 */
#include "gfx/isa/rows.h"
#include "gfx/isa/tables.h"

/* clang-format off */

/* From opcode 60 on. */
static const struct gfx_operation sop1_saveexec[] = {
	SCALAR(s_and_saveexec_b32, and_saveexec, B32, B32, NONE, 0),
	SCALAR(s_or_saveexec_b32, or_saveexec, B32, B32, NONE, 0),
	SCALAR(s_xor_saveexec_b32, xor_saveexec, B32, B32, NONE, 0),
	SCALAR(s_andn2_saveexec_b32, andn2_saveexec, B32, B32, NONE, 0),
	SCALAR(s_orn2_saveexec_b32, orn2_saveexec, B32, B32, NONE, 0),
	SCALAR(s_nand_saveexec_b32, nand_saveexec, B32, B32, NONE, 0),
	SCALAR(s_nor_saveexec_b32, nor_saveexec, B32, B32, NONE, 0),
	SCALAR(s_xnor_saveexec_b32, xnor_saveexec, B32, B32, NONE, 0),
	SCALAR(s_andn1_saveexec_b32, andn1_saveexec, B32, B32, NONE, 0),
	SCALAR(s_orn1_saveexec_b32, orn1_saveexec, B32, B32, NONE, 0),
	SCALAR(s_andn1_wrexec_b32, andn1_wrexec, B32, B32, NONE, 0),
	SCALAR(s_andn2_wrexec_b32, andn2_wrexec, B32, B32, NONE, 0),
};

/* From opcode 32 on. */
static const struct gfx_operation sopp_later[] = {
	CONTROL(s_inst_prefetch, gfx_execute_nothing),
	CONTROL(s_clause, gfx_execute_nothing),
	BARE(s_wait_idle, gfx_execute_nothing),
	CONTROL(s_waitcnt_depctr, gfx_execute_nothing),
	CONTROL(s_round_mode, gfx_s_round_mode),
	CONTROL(s_denorm_mode, gfx_s_denorm_mode),
	[8] = CONTROL(s_ttracedata_imm, gfx_execute_nothing),
};

static const struct gfx_operation sopp_setkill[] = {
	CONTROL(s_setkill, gfx_execute_nothing),
};

/* Operations that differ in number or name from gfx11, up to opcode 47. */
static const struct gfx_operation vop2_own[] = {
	[2] = FLOAT(v_dot2c_f32_f16, dot2_f32_f16, F32, B32, B32, F32, DOT, OLD | GFX_SELECTS_HALF | GFX_NO_MODE | GFX_NO_SUFFIX),
	[6] = FLOAT(v_fmac_legacy_f32, fma_legacy_f32, F32, F32, F32, F32, FUSED, OLD | NO_LANES),
	[7] = FLOAT(v_mul_legacy_f32, mul_legacy_f32, F32, F32, F32, NONE, LEGACY, 0),
	[13] = VECTOR(v_dot4c_i32_i8, dot4_i32_i8, B32, B32, B32, B32, OLD | GFX_SELECTS_HALF | CLAMPS | GFX_NO_SUFFIX),
	[22] = VECTOR(v_lshrrev_b32, lshrrev_b32, B32, B32, B32, NONE, 0),
	[24] = VECTOR(v_ashrrev_i32, ashrrev_i32, B32, B32, B32, NONE, 0),
	[26] = VECTOR(v_lshlrev_b32, lshlrev_b32, B32, B32, B32, NONE, 0),
	[40] = VECTOR(v_add_co_ci_u32, addc_co_u32, B32, B32, B32, MASK, CHAINS),
	[41] = VECTOR(v_sub_co_ci_u32, subb_co_u32, B32, B32, B32, MASK, CHAINS),
	[42] = VECTOR(v_subrev_co_ci_u32, subbrev_co_u32, B32, B32, B32, MASK, CHAINS),
	[47] = FLOAT(v_cvt_pkrtz_f16_f32, cvt_pkrtz_f16_f32, B32, F32, F32, NONE, TRUNCATION, 0),
};

#define FLOATS(...) FLOATS_UP_TO(tru, __VA_ARGS__)
/* The conditions of halves are in two runs. */
#define HALVES(lower, upper, prefix, flag)                                                         \
	[(lower) + 0] = COMPARE(f, f16, F16, prefix, flag, COMPARISON),                            \
	[(lower) + 1] = COMPARE(lt, f16, F16, prefix, flag, COMPARISON),                           \
	[(lower) + 2] = COMPARE(eq, f16, F16, prefix, flag, COMPARISON),                           \
	[(lower) + 3] = COMPARE(le, f16, F16, prefix, flag, COMPARISON),                           \
	[(lower) + 4] = COMPARE(gt, f16, F16, prefix, flag, COMPARISON),                           \
	[(lower) + 5] = COMPARE(lg, f16, F16, prefix, flag, COMPARISON),                           \
	[(lower) + 6] = COMPARE(ge, f16, F16, prefix, flag, COMPARISON),                           \
	[(lower) + 7] = COMPARE(o, f16, F16, prefix, flag, COMPARISON),                            \
	[(upper) + 0] = COMPARE(u, f16, F16, prefix, flag, COMPARISON),                            \
	[(upper) + 1] = COMPARE(nge, f16, F16, prefix, flag, COMPARISON),                          \
	[(upper) + 2] = COMPARE(nlg, f16, F16, prefix, flag, COMPARISON),                          \
	[(upper) + 3] = COMPARE(ngt, f16, F16, prefix, flag, COMPARISON),                          \
	[(upper) + 4] = COMPARE(nle, f16, F16, prefix, flag, COMPARISON),                          \
	[(upper) + 5] = COMPARE(neq, f16, F16, prefix, flag, COMPARISON),                          \
	[(upper) + 6] = COMPARE(nlt, f16, F16, prefix, flag, COMPARISON),                          \
	[(upper) + 7] = COMPARE(tru, f16, F16, prefix, flag, COMPARISON)

static const struct gfx_operation vopc[256] = {
	BOTH(FLOATS, 0, 16, f32, F32),
	BOTH(FLOATS, 32, 16, f64, F64),
	BOTH(INTEGERS, 128, 16, i32, B32),
	BOTH(CLASS, 136, 16, f32, F32),
	BOTH(MIDDLE_INTEGERS, 136, 16, i16, B16),
	BOTH(CLASS, 143, 16, f16, F16),
	BOTH(INTEGERS, 160, 16, i64, B64),
	BOTH(CLASS, 168, 16, f64, F64),
	BOTH(MIDDLE_INTEGERS, 168, 16, u16, B16),
	BOTH(INTEGERS, 192, 16, u32, B32),
	BOTH(INTEGERS, 224, 16, u64, B64),
	HALVES(200, 232, "v_cmp_", 0),
	HALVES(216, 248, "v_cmpx_", GFX_WRITES_EXEC),
};

static const struct gfx_operation vop3_legacy[] = {
	FLOAT(v_fma_legacy_f32, fma_legacy_f32, F32, F32, F32, F32, FUSED, 0),
};

static const struct gfx_operation smem_caches[] = {
	BARE(s_gl1_inv, gfx_execute_nothing),
	BARE(s_dcache_inv, gfx_execute_nothing),
};

/* From opcodes 62 and 94 on. */
#define FLOAT_ATOMICS(prefix)                                                                      \
	[0] = ATOMIC(prefix "_atomic_fcmpswap", cmpswap_f32, 4, TWO),                              \
	[1] = ATOMIC(prefix "_atomic_fmin", min_f32, 4, 0),                                        \
	[2] = ATOMIC(prefix "_atomic_fmax", max_f32, 4, 0),                                        \
	[32] = ATOMIC(prefix "_atomic_fcmpswap_x2", cmpswap_f64, 8, TWO),                          \
	[33] = ATOMIC(prefix "_atomic_fmin_x2", min_f64, 8, 0),                                    \
	[34] = ATOMIC(prefix "_atomic_fmax_x2", max_f64, 8, 0)

static const struct gfx_operation flat_floats[] = {FLOAT_ATOMICS("flat")};
static const struct gfx_operation global_floats[] = {FLOAT_ATOMICS("global")};
static const struct gfx_operation buffer_floats[] = {FLOAT_ATOMICS("buffer")};

static const struct gfx_operation global_csub = ATOMIC("global_atomic_csub", sub_clamp, 4, 0);
static const struct gfx_operation buffer_csub = ATOMIC("buffer_atomic_csub", sub_clamp, 4, 0);

static const struct gfx_operation buffer_caches[] = {
	BARE(buffer_gl0_inv, gfx_execute_nothing),
	BARE(buffer_gl1_inv, gfx_execute_nothing),
};

/* A run of opcodes, whose operations another table has from @at on. */
#define SOP1(first, n, table, at) PART(0xff800000, 0xbe800000, 8, 0xff, first, n, 1, GFX_SOP1, sop1, (table) + (at))
#define SOP2(first, n, table, at) PART(0xc0000000, 0x80000000, 23, 0x7f, first, n, 1, GFX_SOP2, sop2, (table) + (at))
#define SOPK(first, n, table, at) PART(0xf0000000, 0xb0000000, 23, 0x1f, first, n, 1, GFX_SOPK, sopk, (table) + (at))
#define SOPP(first, n, table, at) PART(0xff800000, 0xbf800000, 16, 0x7f, first, n, 1, GFX_SOPP, sopp, (table) + (at))
#define SMEM(first, n, table, at) PART(0xfc000000, 0xf4000000, 18, 0xff, first, n, 2, GFX_SMEM, smem_gfx10, (table) + (at))
#define VOP1(first, n, table, at)                                                                  \
	PART(0xfe000000, 0x7e000000, 9, 0xff, first, n, 1, GFX_VOP1, vop1, (table) + (at)),        \
	PART(0xfc000000, 0xd4000000, 16, 0x3ff, 384 + (first), n, 2, GFX_VOP3E, vop3, (table) + (at))
#define VOP2(first, n, table, at)                                                                  \
	PART(0x80000000, 0x00000000, 25, 0x3f, first, n, 1, GFX_VOP2, vop2, (table) + (at)),       \
	PART(0xfc000000, 0xd4000000, 16, 0x3ff, 256 + (first), n, 2, GFX_VOP3E, vop3, (table) + (at))
#define VOP3(first, n, table, at) PART(0xfc000000, 0xd4000000, 16, 0x3ff, first, n, 2, GFX_VOP3, vop3, (table) + (at))
/* Operations that have a long form only, by the opcodes of the others. */
#define GFX9_VOP3(first, n, opcode) VOP3(first, n, gfx942_vop3, (opcode) - 448)
#define GFX11_VOP3(first, n, opcode) VOP3(first, n, gfx11_vop3, (opcode) - GFX11_VOP3_FIRST)
#define VOP3P(first, n, table, at) PART(0xff800000, 0xcc000000, 16, 0x7f, first, n, 2, GFX_VOP3P, vop3p, (table) + (at))
#define DS(first, n, table, at) PART(0xfc000000, 0xd8000000, 18, 0xff, first, n, 2, GFX_DS, ds, (table) + (at))
#define FLAT(first, n, table, at) PART(0xfc00c000, 0xdc000000, 18, 0x7f, first, n, 2, GFX_FLAT, flat_gfx10, (table) + (at))
#define SCRATCH(first, n, table, at) PART(0xfc00c000, 0xdc004000, 18, 0x7f, first, n, 2, GFX_SCRATCH, flat_gfx10, (table) + (at))
#define GLOBAL(first, n, table, at) PART(0xfc00c000, 0xdc008000, 18, 0x7f, first, n, 2, GFX_GLOBAL, flat_gfx10, (table) + (at))
#define BUFFER(first, n, table, at) PART(0xfc000000, 0xe0000000, 18, 0xff, first, n, 2, GFX_MUBUF, mubuf_gfx10, (table) + (at))
/* Loads and stores of segments and buffers; the last two of each have changed places. */
#define LOADS_AND_STORES(kind, table)                                                              \
	kind(8, 6, table, 16), kind(14, 1, table, 23), kind(15, 1, table, 22),                     \
	kind(24, 6, table, 24), kind(30, 1, table, 31), kind(31, 1, table, 30), kind(32, 6, table, 32)
#define ATOMICS(kind, table, floats)                                                               \
	kind(48, 4, table, 64), kind(53, 9, table, 68), kind(62, 3, floats, 0),                    \
	kind(80, 4, table, 96), kind(85, 9, table, 100), kind(94, 3, floats, 32)

/* gfx10.1 has products and sums in place of some fused ones, and a name more for one product. */
static const struct gfx_operation mac_legacy[] = {
	VECTOR(v_mac_legacy_f32, mad_legacy_f32, F32, F32, F32, F32, OLD),
};

static const struct gfx_operation vop3_mul_lo[] = {
	VECTOR(v_mul_lo_i32, mul_lo_u32, B32, B32, B32, NONE, NO_LANES),
};

const struct gfx_encoding_row gfx1010_encodings[GFX1010_ENCODING_COUNT] = {
	VOP2(6, 1, mac_legacy, 0),
	VOP2(31, GFX90A_VOP2_MAD_COUNT, gfx90a_vop2_mad, 0),
	VOP3(320, GFX90A_VOP3_MAD_COUNT, gfx90a_vop3_mad, 0),
	VOP3(363, 1, vop3_mul_lo, 0),
	ABSENT(0xfc000000, 0xd4000000, 16, 0x3ff, 288, 2, 2, GFX_VOP3E), /* v_madmk and v_madak */
};

const struct gfx_encoding_row gfx1030_encodings[GFX1030_ENCODING_COUNT] = {
	SOP1(3, 31, gfx942_sop1, 0),
	SOP1(36, 18, gfx942_sop1, 32),
	SOP1(55, 5, gfx942_sop1, 51),
	SOP1(60, 12, sop1_saveexec, 0),
	ABSENT(0xff800000, 0xbe800000, 8, 0xff, 0, 256, 1, GFX_SOP1),
	PART(0xff800000, 0xbf000000, 16, 0x7f, 0, 16, 1, GFX_SOPC, sopc, gfx942_sopc),
	PART(0xff800000, 0xbf000000, 16, 0x7f, 18, 2, 1, GFX_SOPC, sopc, gfx942_sopc + 18),
	ABSENT(0xff800000, 0xbf000000, 16, 0x7f, 0, 128, 1, GFX_SOPC),
	SOPP(0, 11, gfx942_sopp, 0),
	SOPP(11, 1, sopp_setkill, 0),
	SOPP(12, 15, gfx942_sopp, 12),
	SOPP(32, 9, sopp_later, 0),
	ABSENT(0xff800000, 0xbf800000, 16, 0x7f, 0, 128, 1, GFX_SOPP),
	SOPK(0, 17, gfx11_sopk, 0),
	SOPK(18, 2, gfx11_sopk, 17),
	SOPK(21, 2, gfx11_sopk, 19),
	SOPK(23, 4, gfx11_sopk, 24),
	ABSENT(0xf0000000, 0xb0000000, 23, 0x1f, 0, 32, 1, GFX_SOPK),
	SOP2(0, 12, gfx942_sop2, 0),
	SOP2(14, 29, gfx942_sop2, 12),
	SOP2(44, 1, gfx942_sop2, 42),
	SOP2(46, 7, gfx942_sop2, 46),
	SOP2(53, 2, gfx942_sop2, 44),
	ABSENT(0xc0000000, 0x80000000, 23, 0x7f, 0, 128, 1, GFX_SOP2),
	VOP1(0, 12, gfx11_vop1, 0),
	VOP1(12, 2, gfx942_vop1, 12),
	VOP1(14, 14, gfx11_vop1, 14),
	VOP1(32, 25, gfx11_vop1, 32),
	VOP1(57, 3, gfx942_vop1, 45),
	VOP1(60, 5, gfx11_vop1, 60),
	VOP1(65, 1, gfx942_vop1, 53),
	VOP1(66, 36, gfx11_vop1, 66),
	ABSENT(0xfe000000, 0x7e000000, 9, 0xff, 0, 256, 1, GFX_VOP1),
	ENCODING(0xfe000000, 0x7c000000, 17, 0xff, 0, 256, 1, GFX_VOPC, vopc, vopc),
	VOP2(0, 2, gfx11_vop2, 0),
	VOP2(2, 1, vop2_own, 2),
	VOP2(3, 3, gfx11_vop2, 3),
	VOP2(6, 2, vop2_own, 6),
	VOP2(8, 5, gfx11_vop2, 8),
	VOP2(13, 1, vop2_own, 13),
	VOP2(15, 6, gfx11_vop2, 15),
	VOP2(22, 5, vop2_own, 22),
	VOP2(27, 4, gfx11_vop2, 27),
	VOP2(37, 3, gfx11_vop2, 37),
	VOP2(40, 3, vop2_own, 40),
	VOP2(43, 3, gfx11_vop2, 43),
	VOP2(47, 1, vop2_own, 47),
	VOP2(50, 11, gfx11_vop2, 50),
	ABSENT(0x80000000, 0x00000000, 25, 0x3f, 0, 64, 1, GFX_VOP2),
	ENCODING(0xfc000000, 0xd4000000, 16, 0x3ff, 0, 256, 2, GFX_VOP3E, vop3, vopc),
	VOP3(320, 1, vop3_legacy, 0),
	GFX9_VOP3(322, 14, 450),
	GFX9_VOP3(337, 16, 464),
	GFX9_VOP3(356, 5, 640),
	GFX9_VOP3(361, 2, 645),
	GFX9_VOP3(364, 1, 647),
	GFX9_VOP3(365, 4, 480),
	GFX9_VOP3(369, 3, 484),
	GFX9_VOP3(372, 1, 658),
	GFX9_VOP3(373, 1, 487),
	GFX9_VOP3(374, 2, 488),
	GFX11_VOP3(376, 1, 576),
	GFX9_VOP3(767, 3, 655),
	GFX11_VOP3(771, 3, 771),
	GFX11_VOP3(775, 2, 825),
	GFX11_VOP3(777, 6, 777),
	GFX11_VOP3(783, 2, 768),
	GFX11_VOP3(785, 1, 785),
	GFX9_VOP3(786, 2, 665),
	GFX11_VOP3(788, 1, 824),
	GFX11_VOP3(793, 1, 770),
	GFX11_VOP3(832, 1, 577),
	GFX11_VOP3(836, 4, 580),
	GFX11_VOP3(843, 1, 584),
	GFX11_VOP3(849, 9, 585),
	GFX11_VOP3(862, 2, 595),
	GFX11_VOP3(864, 2, 864),
	GFX11_VOP3(866, 5, 796),
	GFX9_VOP3(872, 2, 660),
	GFX11_VOP3(874, 2, 803),
	GFX11_VOP3(877, 1, 597),
	GFX11_VOP3(879, 1, 598),
	GFX11_VOP3(881, 3, 599),
	GFX11_VOP3(885, 1, 602),
	GFX11_VOP3(886, 1, 805),
	GFX11_VOP3(887, 2, 603),
	GFX11_VOP3(895, 1, 806),
	ABSENT(0xfc000000, 0xd4000000, 16, 0x3ff, 0, 1024, 2, GFX_VOP3),
	VOP3P(0, 20, gfx11_vop3p, 0),
	VOP3P(20, 6, gfx942_vop3p, 38),
	VOP3P(32, 3, gfx11_vop3p, 32),
	ABSENT(0xff800000, 0xcc000000, 16, 0x7f, 0, 128, 2, GFX_VOP3P),
	SMEM(0, 13, gfx942_smem, 0),
	SMEM(31, 2, smem_caches, 0),
	SMEM(36, 2, gfx942_smem, 36),
	ABSENT(0xfc000000, 0xf4000000, 18, 0xff, 0, 256, 2, GFX_SMEM),
	DS(0, 22, gfx942_ds, 0),
	DS(25, 5, gfx11_ds, 25),
	DS(30, 23, gfx942_ds, 30),
	DS(53, 1, gfx942_ds, 61),
	DS(54, 7, gfx942_ds, 54),
	DS(61, 2, gfx11_ds, 61),
	DS(64, 20, gfx942_ds, 64),
	DS(85, 1, gfx942_ds, 53),
	DS(96, 25, gfx942_ds, 96),
	DS(126, 1, gfx942_ds, 126),
	DS(160, 8, gfx942_ds, 84),
	DS(176, 1, gfx942_ds, 29),
	DS(177, 1, gfx942_ds, 182),
	DS(178, 2, gfx11_ds, 178),
	DS(222, 2, gfx942_ds, 222),
	DS(254, 2, gfx942_ds, 254),
	ABSENT(0xfc000000, 0xd8000000, 18, 0xff, 0, 256, 2, GFX_DS),
	LOADS_AND_STORES(FLAT, gfx942_flat),
	ATOMICS(FLAT, gfx942_flat, flat_floats),
	LOADS_AND_STORES(SCRATCH, gfx942_scratch),
	LOADS_AND_STORES(GLOBAL, gfx942_global),
	ATOMICS(GLOBAL, gfx942_global, global_floats),
	GLOBAL(52, 1, &global_csub, 0),
	ABSENT(0xfc00c000, 0xdc000000, 18, 0x7f, 0, 128, 2, GFX_FLAT),
	ABSENT(0xfc00c000, 0xdc004000, 18, 0x7f, 0, 128, 2, GFX_SCRATCH),
	ABSENT(0xfc00c000, 0xdc008000, 18, 0x7f, 0, 128, 2, GFX_GLOBAL),
	LOADS_AND_STORES(BUFFER, gfx942_mubuf),
	ATOMICS(BUFFER, gfx942_mubuf, buffer_floats),
	BUFFER(52, 1, &buffer_csub, 0),
	BUFFER(113, 2, buffer_caches, 0),
	BUFFER(0, 8, gfx942_mubuf, 0),
	BUFFER(38, 2, gfx942_mubuf, 38),
	BUFFER(128, 8, gfx942_mubuf, 8),
	PART(0xfc000000, 0xe8000000, 16, 0x7, 0, 8, 2, GFX_MUBUF, mtbuf_gfx10, gfx942_mtbuf),
	/* The others are known, and not implemented: graphics and images. */
	ABSENT(0xfc000000, 0xe0000000, 18, 0xff, 0, 256, 2, GFX_MUBUF),
	ABSENT(0xfc000000, 0xf0000000, 18, 0x7f, 0, 128, 2, GFX_MIMG),
	ABSENT(0xfc000000, 0xf8000000, 20, 0xf, 0, 16, 2, GFX_EXP),
	ABSENT(0xfc000000, 0xc8000000, 16, 0x3, 0, 4, 1, GFX_VINTERP),
};
