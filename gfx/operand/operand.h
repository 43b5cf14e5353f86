/* SPDX-License-Identifier: MIT */
/*
 * Symbolic operands: the 16-bit immediates of s_waitcnt, s_sendmsg, s_getreg and s_setreg (hwreg),
 * s_waitcnt_depctr (gfx12: s_wait_alu) and s_delay_alu, printed and parsed for every generation.
 *
 * The text is that of LLVM, which does not show all bits. Keep the value, therefore; printing can add it.
 *
 * The room `operand` knows these texts, and which profile of them a target has. It does not know instructions.
 */
#ifndef GFX_OPERAND_OPERAND_H
#define GFX_OPERAND_OPERAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gfx/architecture/architecture.h"

enum gfx_operand_kind {
	GFX_OPERAND_WAITCNT,
	GFX_OPERAND_SENDMSG,
	GFX_OPERAND_HWREG,
	GFX_OPERAND_DEPCTR,
	GFX_OPERAND_DELAY_ALU,
	GFX_OPERAND_KINDS,
};

/** All targets one by one, those of gfx/architecture/ last; NULL for an index that is too high. */
const struct gfx_operand_target *gfx_operand_target_at(size_t index);

/** A target by its name, "gfx942"; NULL if there is none. */
const struct gfx_operand_target *gfx_operand_target_by_name(const char *name);

/** The name of a kind: "waitcnt", "sendmsg", "hwreg", "depctr", "delay_alu"; and the kind of a name. */
const char *gfx_operand_kind_name(enum gfx_operand_kind kind);
bool gfx_operand_kind_by_name(const char *name, enum gfx_operand_kind *kind_ret);

/** Whether a target has the operand: depctr from gfx10 on, delay_alu from gfx11 on. */
bool gfx_operand_exists(const struct gfx_operand_target *target, enum gfx_operand_kind kind);

/* The size of a buffer for any text, including the NUL. */
#define GFX_OPERAND_TEXT 256

/**
 * Print a value as LLVM does.
 *
 * @target: must have the operand.
 * @exact: append a comment with the value if the text does not show all of its bits.
 * @buffer: of @size bytes. The text is truncated if it is too small and terminated unless @size is 0.
 *
 * Return: the length of the whole text without the NUL.
 */
size_t gfx_operand_print(const struct gfx_operand_target *target, enum gfx_operand_kind kind,
			 uint16_t value, bool exact, char *buffer, size_t size);

/** The bits of a value that its text does not show: reserved bits, and bits that LLVM ignores. */
uint16_t gfx_operand_hidden_bits(const struct gfx_operand_target *target,
				 enum gfx_operand_kind kind, uint16_t value);

/* An error or remark of the parser. */
struct gfx_operand_report {
	size_t position; /* offset in the parsed text */
	char text[200];	 /* "" if there is none */
};

/**
 * Parse an operand: symbolic, or a number. A number may be an expression of integers with the operators
 * and precedences of LLVM's assembler, but without symbols.
 *
 * @text: the operand without the mnemonic. Blanks and comments are ignored.
 * @follow_llvm: accept what LLVM accepts although it is probably a mistake: numbers of more than 16 bits
 *	and floating-point numbers for waitcnt and delay_alu, which are truncated, and a field of
 *	delay_alu that is given twice, whose values are OR-ed. Otherwise these are errors.
 * @value_ret: set on success.
 * @report_ret: always set. After an error it names the field, its value and its limit. On success it is a
 *	remark on something doubtful, or "".
 *
 * Return: false if it is not an operand of the target.
 */
bool gfx_operand_parse(const struct gfx_operand_target *target, enum gfx_operand_kind kind,
		       const char *text, bool follow_llvm, uint16_t *value_ret,
		       struct gfx_operand_report *report_ret);

#endif /* GFX_OPERAND_OPERAND_H */
