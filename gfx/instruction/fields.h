/* SPDX-License-Identifier: MIT */
/*
 * Extract the operand fields of instruction words: one function for each encoding, which the encoding rows of an
 * architecture name. The caller has set `operation`, `encoding`, `words` and `word_count`. False for reserved values.
 */
#ifndef GFX_INSTRUCTION_FIELDS_H
#define GFX_INSTRUCTION_FIELDS_H

#include "gfx/instruction/operation.h"

typedef bool gfx_fields_function(struct gfx_instruction *instruction);

gfx_fields_function gfx_fields_sop1, gfx_fields_sop2, gfx_fields_sopc, gfx_fields_sopk;
gfx_fields_function gfx_fields_sopp, gfx_fields_smem, gfx_fields_vop1, gfx_fields_vop2;
gfx_fields_function gfx_fields_vopc, gfx_fields_vop3, gfx_fields_vop3p, gfx_fields_ds;
gfx_fields_function gfx_fields_mai, gfx_fields_mai_gfx908, gfx_fields_bitop3, gfx_fields_swap;
gfx_fields_function gfx_fields_mimg, gfx_fields_dot16, gfx_fields_bytes, gfx_fields_to_byte;
gfx_fields_function gfx_fields_flat, gfx_fields_mubuf, gfx_fields_scratch_gfx90a;
gfx_fields_function gfx_fields_float_atomic_gfx90a;
/* From gfx10 on. */
gfx_fields_function gfx_fields_vopd, gfx_fields_smem_gfx10, gfx_fields_flat_gfx11;
gfx_fields_function gfx_fields_mubuf_gfx10, gfx_fields_mtbuf_gfx10, gfx_fields_mubuf_gfx11;
gfx_fields_function gfx_fields_mubuf_gfx12, gfx_fields_flat_gfx10, gfx_fields_flat_gfx12,
	gfx_fields_wave_matrix;

/* Helpers of these functions. */
static inline uint32_t gfx_bits(uint32_t word, uint32_t low, uint32_t count)
{
	return word >> low & ((1U << count) - 1);
}

static inline int32_t gfx_sign_extend(uint32_t value, uint32_t width)
{
	return (int32_t)(value << (32 - width)) >> (32 - width);
}

static inline uint16_t gfx_field(uint32_t word, uint32_t low, uint32_t count)
{
	return (uint16_t)gfx_bits(word, low, count);
}

/** From gfx10 on: 106 scalar registers, null, literals and DPP in long forms. */
static inline bool gfx_is_later(const struct gfx_instruction *instruction)
{
	return instruction->generation >= GFX_GENERATION_10;
}

/** A field that is the code of an operand. */
static inline uint16_t gfx_code(const struct gfx_instruction *instruction, uint32_t word,
				uint32_t low, uint32_t count)
{
	uint16_t code = gfx_field(word, low, count);

	if (instruction->generation < GFX_GENERATION_11)
		return code;
	return code == GFX_CODE_M0 ? GFX_CODE_NULL : code == GFX_CODE_NULL ? GFX_CODE_M0 : code;
}

/** Whether a code from 0 to 127 is that of a register. */
static inline bool gfx_is_register(const struct gfx_instruction *instruction, uint32_t code)
{
	return code != GFX_CODE_NULL || gfx_is_later(instruction);
}

/**
 * Align the code of a tuple of @count scalar registers. Tuples begin at a multiple of two or, if they are
 * longer than two, of four; hardware ignores the lower bits. False for codes that cannot begin a tuple,
 * such as m0 or the second half of vcc. Constants may stand for pairs.
 */
bool gfx_take_tuple(const struct gfx_instruction *instruction, uint16_t *code, uint32_t count);

/** Whether a code from 0 to 255 is a scalar source; the codes for DPP and SDWA words are not. */
bool gfx_scalar_source_known(const struct gfx_instruction *instruction, uint32_t code);

#endif /* GFX_INSTRUCTION_FIELDS_H */
