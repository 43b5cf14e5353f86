/* SPDX-License-Identifier: MIT */
/*
 * Instructions of gfx10 to gfx12 as those of gfx9, for architectures that have no tables of their own.
 *
 * These generations have the operations of gfx9 under other names and in other encodings. LLVM decodes the words, and its text is taken
 * apart. What is not understood to the last character is refused, so that no instruction is taken for another one.
 */
#ifndef GFX_ISA_TRANSLATE_H
#define GFX_ISA_TRANSLATE_H

#include "gfx/architecture/architecture.h"
#include "gfx/isa/uses.h"

#define GFX_TRANSLATED_WORDS 6 /* of the longest instruction */

/* An operation that was translated, with the registers that it uses: in waves of 32 lanes a mask has one word. */
struct gfx_translated {
	struct gfx_instruction instruction;
	struct gfx_uses uses;
	/* The upper half of the first register that it writes stays: the operation of gfx9 clears it. */
	bool keeps_high;
};

/* VOPD does two operations at once: both read their sources before one writes. */
#define GFX_TRANSLATION_PARTS 2

struct gfx_translation {
	struct gfx_translated parts[GFX_TRANSLATION_PARTS];
	uint32_t count;
};

/** Are an architecture's instructions translated? Those that have tables of their own are not. */
bool gfx_is_translated(const struct gfx_architecture *architecture);

/**
 * Translate an instruction.
 *
 * The result of an operation that is known by name, but not what it computes, is volatile: see struct gfx_uses.
 *
 * @lanes: of the wave, 32 or 64.
 * @text: the instruction, as LLVM prints it.
 * @word: its first word, @size: all its bytes.
 *
 * Return: false if there is no such operation here, or an operand is not understood.
 */
bool gfx_translate(const struct gfx_architecture *architecture, uint32_t lanes, const char *text,
		   uint32_t word, size_t size, struct gfx_translation *translation_ret);

/* ---- Names (translate-names.c) ---- */

enum gfx_later_kind {
	GFX_LATER_UNKNOWN,
	GFX_LATER_SAME,	   /* `row` is the operation */
	GFX_LATER_NOTHING, /* no register changes: waits, hints, caches */
	GFX_LATER_RESULT_UNKNOWN, /* its first operand is what it writes, and the value is not known here */
};

#define GFX_LATER_NAME 64

/* The meaning of a name of the later generations. */
struct gfx_later {
	enum gfx_later_kind kind;
	const struct gfx_operation *operation;
	enum gfx_encoding encoding;
};

/** Find out what a mnemonic, without a suffix for its encoding, means. */
struct gfx_later gfx_later_find(const struct gfx_architecture *architecture, const char *name);

#endif /* GFX_ISA_TRANSLATE_H */
