/* SPDX-License-Identifier: MIT */
/* Decode instruction words by the tables of an architecture. */
#ifndef GFX_ISA_DECODE_H
#define GFX_ISA_DECODE_H

#include "gfx/architecture/architecture.h"
#include "gfx/instruction/instruction.h"

enum gfx_decode_status {
	GFX_DECODE_OK,
	GFX_DECODE_TRUNCATED,	     /* the instruction has more words; word_count says how many */
	GFX_DECODE_UNKNOWN_ENCODING, /* the architecture has no such encoding */
	/* The encoding's table has no such operation, or knows it by name alone: `operation` has it then. word_count is right. */
	GFX_DECODE_UNKNOWN_OPERATION,
	GFX_DECODE_UNKNOWN_OPERAND, /* a field has a reserved value */
};

/**
 * Decode one instruction.
 *
 * @words: @word_count words from the instruction's address on. No instruction that is known has more than GFX_INSTRUCTION_WORDS; an
 *         image operation, of which the length alone is, may have five.
 * @instruction_ret: its word_count is set for all but GFX_DECODE_UNKNOWN_ENCODING.
 *
 * Return: GFX_DECODE_OK, or why it is no known instruction. GFX_DECODE_UNKNOWN_ENCODING also if there are no tables for
 * @architecture.
 */
enum gfx_decode_status gfx_decode(const struct gfx_architecture *architecture,
				  const uint32_t *words, size_t word_count,
				  struct gfx_instruction *instruction_ret);

/** The same of @size bytes of code, as they are in memory. Return: whether it is a known instruction. */
bool gfx_decode_bytes(const struct gfx_architecture *architecture, const uint8_t *code, size_t size,
		      struct gfx_instruction *instruction_ret);

#define GFX_NAME_SIZE 40

/** The mnemonic with LLVM's suffix for the encoding: _e32, _e64, _dpp, _sdwa. */
void gfx_instruction_name(const struct gfx_instruction *instruction, char name_ret[GFX_NAME_SIZE]);

/** Whether it reads the pc, changes it, or ends the wave. */
bool gfx_instruction_depends_on_position(const struct gfx_instruction *instruction);
/** The same by its mnemonic, of an instruction that has no row in the tables here. */
bool gfx_name_depends_on_position(const char *name);

#endif /* GFX_ISA_DECODE_H */
