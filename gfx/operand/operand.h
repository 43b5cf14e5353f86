/* SPDX-License-Identifier: MIT */
/*
 * Symbolic operands: the 16-bit immediates of s_waitcnt, s_sendmsg, s_getreg and s_setreg (hwreg),
 * s_waitcnt_depctr (gfx12: s_wait_alu) and s_delay_alu, as text and back, for every generation.
 *
 * The text is LLVM's, which loses bits: keep the word, text is a view of it. Exact printing says
 * which bits the text does not show.
 */
#ifndef GFX_OPERAND_OPERAND_H
#define GFX_OPERAND_OPERAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum gfx_operand_kind {
	GFX_OPERAND_WAITCNT,
	GFX_OPERAND_SENDMSG,
	GFX_OPERAND_HWREG,
	GFX_OPERAND_DEPCTR,
	GFX_OPERAND_DELAY_ALU,
	GFX_OPERAND_KINDS,
};

/* What targets have in common as far as these operands go. In the order of their making. */
enum gfx_operand_profile {
	GFX_OPERAND_GFX6, /* and gfx7 */
	GFX_OPERAND_GFX8,
	GFX_OPERAND_GFX9,   /* and gfx90a */
	GFX_OPERAND_GFX940, /* and gfx950 */
	GFX_OPERAND_GFX10_1,
	GFX_OPERAND_GFX10_3,
	GFX_OPERAND_GFX11, /* and gfx11.5 */
	GFX_OPERAND_GFX12,
	GFX_OPERAND_GFX12_5, /* gfx1250 */
};

/* A processor as LLVM names it. There are more than architectures that the library knows. */
struct gfx_operand_target {
	const char *name;
	enum gfx_operand_profile profile;
};

/** All targets: an array of @count_ret. */
const struct gfx_operand_target *gfx_operand_targets(size_t *count_ret);

/** By name ("gfx942"); NULL if there is none. */
const struct gfx_operand_target *gfx_operand_target_by_name(const char *name);

/** "waitcnt", "sendmsg", "hwreg", "depctr", "delay_alu"; and back: false for any other name. */
const char *gfx_operand_kind_name(enum gfx_operand_kind kind);
bool gfx_operand_kind_by_name(const char *name, enum gfx_operand_kind *kind_ret);

/** Whether a target has the operand: depctr came with gfx10, delay_alu with gfx11. */
bool gfx_operand_exists(const struct gfx_operand_target *target, enum gfx_operand_kind kind);

/* Room for any text, its end included. */
#define GFX_OPERAND_TEXT 256

/**
 * Print a value as LLVM does.
 *
 * @target: one that has the operand.
 * @exact: append a comment with the value where the text does not show all of its bits.
 * @buffer: of @size bytes; always ended by 0 unless @size is 0, cut if it is too small.
 *
 * Return: the length of the whole text, its end not counted.
 */
size_t gfx_operand_print(const struct gfx_operand_target *target, enum gfx_operand_kind kind,
			 uint16_t value, bool exact, char *buffer, size_t size);

/** The bits of a value that its text does not show: reserved ones, and those LLVM does not look at. */
uint16_t gfx_operand_hidden_bits(const struct gfx_operand_target *target,
				 enum gfx_operand_kind kind, uint16_t value);

/* What the parser has to say. */
struct gfx_operand_report {
	size_t position; /* in the text, of what @text is about */
	char text[200];	 /* "" if there is nothing to say */
};

/**
 * Parse an operand, symbolic or a number. Numbers may be absolute expressions of integers, with the
 * operators and precedences of LLVM's assembler; there are no symbols.
 *
 * @text: the operand alone, without the mnemonic. Blanks and comments do not matter.
 * @follow_llvm: accept what LLVM does although it is most likely a mistake: numbers of more than 16
 *	bits for waitcnt and delay_alu, and floating-point ones, which are cut, and a field of
 *	delay_alu given twice, which is OR-ed. Otherwise these are errors.
 * @value_ret: set on success.
 * @report_ret: always set: the error, which names the field, its value and its limit; or on success
 *	a remark about what is accepted but doubtful, or "".
 *
 * Return: whether it is an operand of the target.
 */
bool gfx_operand_parse(const struct gfx_operand_target *target, enum gfx_operand_kind kind,
		       const char *text, bool follow_llvm, uint16_t *value_ret,
		       struct gfx_operand_report *report_ret);

#endif /* GFX_OPERAND_OPERAND_H */
