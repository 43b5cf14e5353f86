/* SPDX-License-Identifier: MIT */
/*
 * gfx906 and gfx908, and gfx900: what differs from gfx90a, whose tables are looked at for everything else. What gfx90a alone has is no
 * instruction of theirs, so that no program for them has it.
 */
#include "gfx/isa/rows.h"
#include "gfx/isa/tables.h"

/* clang-format off */

/* In the place of gfx90a's fused product of doubles. */
static const struct gfx_operation mul_legacy[] = {
	FLOAT(v_mul_legacy_f32, mul_legacy_f32, F32, F32, F32, NONE, LEGACY, 0),
};

/* The accumulation registers are the only ones for results of matrices. */
const struct gfx_encoding_row gfx908_encodings[GFX908_ENCODING_COUNT] = {
	PART(0x80000000, 0x00000000, 25, 0x3f, 4, 1, 1, GFX_VOP2, vop2, mul_legacy),
	PART(0xfc000000, 0xd0000000, 16, 0x3ff, 260, 1, 2, GFX_VOP3E, vop3, mul_legacy),
	PART(0xff800000, 0xd3800000, 16, 0x7f, GFX_MATRIX_LOW_FIRST, GFX_MATRIX_LOW_COUNT, 2,
	     GFX_MAI, mai_gfx908, gfx90a_matrix_low),
	PART(0xff800000, 0xd3800000, 16, 0x7f, GFX_MATRIX_HIGH_FIRST, GFX_MATRIX_HIGH_COUNT, 2,
	     GFX_MAI, mai_gfx908, gfx90a_matrix_high),
	/* Graphics: known, and not implemented. */
	ABSENT(0xfc000000, 0xc4000000, 0, 0, 0, 1, 2, GFX_EXP),
	ABSENT(0xfc000000, 0xd4000000, 16, 0x3, 0, 4, 1, GFX_VINTERP),
};

/* From opcode 32 on. */
static const struct gfx_operation vop3p_mad_mix[] = {
	VECTOR(v_mad_mix_f32, mad_f32, F32, MIX, MIX, MIX, 0),
	VECTOR(v_mad_mixlo_f16, mad_mixlo_f16, F16, MIX, MIX, MIX, KEEPS),
	VECTOR(v_mad_mixhi_f16, mad_mixlo_f16, F16, MIX, MIX, MIX, KEEPS | GFX_HIGH_HALF),
};

const struct gfx_encoding_row gfx900_encodings[GFX900_ENCODING_COUNT] = {
	PART(0xff800000, 0xd3800000, 16, 0x7f, 32, 3, 2, GFX_VOP3P, vop3p, vop3p_mad_mix),
};
