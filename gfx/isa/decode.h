/* SPDX-License-Identifier: MIT */
/* From instruction words to a decoded instruction, through the tables of the architecture. */
#ifndef GFX_ISA_DECODE_H
#define GFX_ISA_DECODE_H

#include "gfx/architecture/architecture.h"
#include "gfx/instruction/instruction.h"

enum gfx_decode_status {
	GFX_DECODE_OK,
	GFX_DECODE_TRUNCATED,	      /* more words are needed: word_count says how many */
	GFX_DECODE_UNKNOWN_ENCODING,  /* the bits belong to no encoding of this architecture */
	GFX_DECODE_UNKNOWN_OPERATION, /* the encoding is known, the operation is not in the table */
	GFX_DECODE_UNKNOWN_OPERAND,   /* a field holds a value that is reserved */
};

/**
 * Decode one instruction.
 *
 * @words: @word_count words (1 or 2 suffice) from its address on.
 * @instruction_ret: filled in; its word_count is right for GFX_DECODE_TRUNCATED too.
 *
 * Return: GFX_DECODE_OK, or why there is nothing to execute. GFX_DECODE_UNKNOWN_ENCODING also when
 * there are no tables for @architecture.
 */
enum gfx_decode_status gfx_decode(const struct gfx_architecture *architecture,
				  const uint32_t *words, size_t word_count,
				  struct gfx_instruction *instruction_ret);

#define GFX_NAME_SIZE 40

/** The mnemonic with LLVM's suffix for the form (_e32, _e64, _dpp, _sdwa), into @name_ret. */
void gfx_instruction_name(const struct gfx_instruction *instruction, char name_ret[GFX_NAME_SIZE]);

#endif /* GFX_ISA_DECODE_H */
