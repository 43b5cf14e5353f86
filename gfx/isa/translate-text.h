/* SPDX-License-Identifier: MIT */
/* The text of an instruction, taken apart (translate-text.c). */
#ifndef GFX_ISA_TRANSLATE_TEXT_H
#define GFX_ISA_TRANSLATE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GFX_TEXT_OPERANDS 8
#define GFX_TEXT_SIZE 256

/* One operand: a register, or a constant. */
struct gfx_text_operand {
	uint16_t code; /* enum gfx_operand_code */
	uint8_t words; /* registers; 0: a constant */
	bool null, off;
	bool negative, absolute;
	bool upper; /* the upper half of a register */
	uint32_t literal;
};

struct gfx_text_modifiers {
	bool clamp, returns, offen, idxen;
	uint8_t omod;
	uint32_t offset[2];
	int32_t distance;
	bool changes_sources; /* lanes or halves other than the operation's own: what they are is not looked at */
};

/* One operation of an instruction, taken apart. */
struct gfx_text {
	char room[GFX_TEXT_SIZE];
	char *name;
	struct gfx_text_operand operands[GFX_TEXT_OPERANDS];
	uint32_t count;
	struct gfx_text_modifiers modifiers;
	bool extended; /* the name says DPP or SDWA */
};

/**
 * Take the name of an operation apart from what stands behind it.
 *
 * @length: of @text; false if it is too long, or nothing.
 * @rest_ret: its operands, for gfx_text_operands(); in @parsed.
 */
bool gfx_text_name(const char *text, size_t length, struct gfx_text *parsed, char **rest_ret);

/** Read operands and modifiers; false if one is not understood. */
bool gfx_text_operands(char *rest, struct gfx_text *parsed);

/** Does a text begin with another one? */
bool gfx_text_starts(const char *text, const char *with);

#endif /* GFX_ISA_TRANSLATE_TEXT_H */
