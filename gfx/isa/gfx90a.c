/* SPDX-License-Identifier: MIT */
/*
 * gfx90a: what differs from gfx942, whose tables are looked at for everything else. A run of
 * opcodes without operations says that gfx90a has none there.
 */
#include "gfx/isa/rows.h"
#include "gfx/isa/tables.h"
#include "gfx/wave/memory-access.h"

/* clang-format off */

const struct gfx_operation gfx90a_vop2_mad[GFX90A_VOP2_MAD_COUNT] = {
	VECTOR(v_mac_f32, mad_f32, F32, F32, F32, F32, GFX_READS_DST),
	VECTOR(v_madmk_f32, mad_f32, F32, F32, F32, F32, GFX_LITERAL_K | GFX_NO_SUFFIX),
	VECTOR(v_madak_f32, mad_f32, F32, F32, F32, F32, GFX_LITERAL_K_ADD | GFX_NO_SUFFIX),
};

const struct gfx_operation gfx90a_vop3_mad[GFX90A_VOP3_MAD_COUNT] = {
	VECTOR(v_mad_legacy_f32, mad_legacy_f32, F32, F32, F32, F32, 0),
	VECTOR(v_mad_f32, mad_f32, F32, F32, F32, F32, 0),
};

static const struct gfx_operation buffer_invl2[] = {
	{.name = "buffer_invl2", .execute = gfx_execute_nothing, .flags = GFX_NO_OPERANDS},
};

/* gfx942 has no images. Opcodes of seven bits: none is larger. */
static const struct gfx_operation images[] = {
	[0] = {.name = "image_load", .execute = gfx_image_load},
	[8] = {.name = "image_store", .execute = gfx_image_store},
	[32] = {.name = "image_sample", .execute = gfx_image_sample, .flags = GFX_RESOURCE},
};

const struct gfx_encoding_row gfx90a_encodings[GFX90A_ENCODING_COUNT] = {
	ABSENT(0xfe000000, 0x7e000000, 9, 0xff, 56, 1, 1, GFX_VOP1), /* v_mov_b64 */
	ABSENT(0xfe000000, 0x7e000000, 9, 0xff, 84, 4, 1, GFX_VOP1), /* numbers of eight bits */
	ABSENT(0xfc000000, 0xd0000000, 16, 0x3ff, 404, 4, 2, GFX_VOP3E),
	ABSENT(0xfc000000, 0xd0000000, 16, 0x3ff, 674, 4, 2, GFX_VOP3),
	PART(0x80000000, 0x00000000, 25, 0x3f, 22, 3, 1, GFX_VOP2, vop2, gfx90a_vop2_mad),
	PART(0xff800000, 0xd3800000, 16, 0x7f, GFX_MATRIX_LOW_FIRST, GFX_MATRIX_LOW_COUNT, 2,
	     GFX_MAI, mai, gfx90a_matrix_low),
	PART(0xff800000, 0xd3800000, 16, 0x7f, GFX_MATRIX_HIGH_FIRST, GFX_MATRIX_HIGH_COUNT, 2,
	     GFX_MAI, mai, gfx90a_matrix_high),
	PART(0xfc000000, 0xd0000000, 16, 0x3ff, 278, 3, 2, GFX_VOP3E, vop3, gfx90a_vop2_mad),
	ABSENT(0xfc000000, 0xd0000000, 16, 0x3ff, 376, 1, 2, GFX_VOP3E), /* v_mov_b64 */
	PART(0xfc000000, 0xd0000000, 16, 0x3ff, 448, 2, 2, GFX_VOP3, vop3, gfx90a_vop3_mad),
	ABSENT(0xfc000000, 0xd0000000, 16, 0x3ff, 520, 1, 2, GFX_VOP3), /* v_lshl_add_u64 */
	ABSENT(0xfc000000, 0xd8000000, 17, 0xff, 23, 2, 2, GFX_DS), /* packed additions */
	ABSENT(0xfc000000, 0xd8000000, 17, 0xff, 183, 2, 2, GFX_DS),
	ABSENT(0xfc00c000, 0xdc000000, 18, 0x7f, 77, 2, 2, GFX_FLAT), /* additions of singles */
	PART(0xfc00c000, 0xdc000000, 18, 0x7f, 79, 3, 2, GFX_FLAT, float_atomic_gfx90a,
	     gfx942_flat + 79),
	ABSENT(0xfc00c000, 0xdc008000, 18, 0x7f, 42, 1, 2, GFX_GLOBAL), /* loads to local memory */
	PART(0xfc00c000, 0xdc008000, 18, 0x7f, 77, 5, 2, GFX_GLOBAL, float_atomic_gfx90a,
	     gfx942_global + 77),
	PART(0xfc000000, 0xe0000000, 18, 0x7f, 77, 5, 2, GFX_MUBUF, float_atomic_gfx90a,
	     gfx942_mubuf + 77),
	ABSENT(0xfc00c000, 0xdc000000, 18, 0x7f, 82, 1, 2, GFX_FLAT),
	ABSENT(0xfc00c000, 0xdc008000, 18, 0x7f, 82, 1, 2, GFX_GLOBAL),
	PART(0xfc00c000, 0xdc004000, 18, 0x7f, 0, 128, 2, GFX_SCRATCH, scratch_gfx90a,
	     gfx942_scratch),
	PART(0xfc000000, 0xe0000000, 18, 0x7f, 41, 1, 2, GFX_MUBUF, mubuf, buffer_invl2),
	PART(0xfc000001, 0xf0000000, 18, 0x7f, 0, 33, 2, GFX_MIMG, mimg, images),
	/* The others are known, and not implemented. */
	ABSENT(0xfc000000, 0xf0000000, 18, 0x7f, 0, 128, 2, GFX_MIMG),
};
