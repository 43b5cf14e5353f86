/* SPDX-License-Identifier: MIT */
/*
 * Taking the operand fields out of instruction words, one function per encoding. Named in the
 * encoding rows of an architecture; `operation`, `encoding`, `words` and the row's word_count are
 * set before.
 */
#ifndef GFX_FIELDS_H
#define GFX_FIELDS_H

#include "gfx/operation.h"

typedef bool gfx_fields_function(struct gfx_instruction *instruction);

gfx_fields_function gfx_fields_sop1, gfx_fields_sop2, gfx_fields_sopc, gfx_fields_sopk;
gfx_fields_function gfx_fields_sopp, gfx_fields_smem, gfx_fields_vop1, gfx_fields_vop2;
gfx_fields_function gfx_fields_vopc, gfx_fields_vop3, gfx_fields_vop3p, gfx_fields_ds;
gfx_fields_function gfx_fields_flat, gfx_fields_mubuf;

#endif /* GFX_FIELDS_H */
