/* SPDX-License-Identifier: MIT */
/*
 * Taking the operand fields out of instruction words, one function per encoding. Named in the
 * encoding rows of an architecture; `operation`, `encoding`, `words` and the row's word_count are
 * set before.
 */
#ifndef GFX_INSTRUCTION_FIELDS_H
#define GFX_INSTRUCTION_FIELDS_H

#include "gfx/instruction/operation.h"

typedef bool gfx_fields_function(struct gfx_instruction *instruction);

gfx_fields_function gfx_fields_sop1, gfx_fields_sop2, gfx_fields_sopc, gfx_fields_sopk;
gfx_fields_function gfx_fields_sopp, gfx_fields_smem, gfx_fields_vop1, gfx_fields_vop2;
gfx_fields_function gfx_fields_vopc, gfx_fields_vop3, gfx_fields_vop3p, gfx_fields_ds;
gfx_fields_function gfx_fields_flat, gfx_fields_mubuf, gfx_fields_scratch_gfx90a;
gfx_fields_function gfx_fields_float_atomic_gfx90a;

/* What the functions share. */
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

/**
 * A tuple of @count scalar registers begins with a multiple of two or, if it is longer, of four; the
 * bits of its code below that do not count. Only vcc, exec and their like must be right, and m0 has
 * no neighbour. Constants may stand for pairs.
 */
bool gfx_take_tuple(uint16_t *code, uint32_t count);

/** Scalar sources reach from 0 to 255, without the two codes that stand for an extension word. */
bool gfx_scalar_source_known(uint32_t code);

#endif /* GFX_INSTRUCTION_FIELDS_H */
