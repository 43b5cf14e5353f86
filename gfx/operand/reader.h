/* SPDX-License-Identifier: MIT */
/* Tokens and absolute expressions of the assembler's language. Private to gfx/operand*.c. */
#ifndef GFX_OPERAND_READER_H
#define GFX_OPERAND_READER_H

#include "gfx/operand/operand.h"

enum gfx_operand_token_kind {
	GFX_OPERAND_END,
	GFX_OPERAND_NAME,
	GFX_OPERAND_NUMBER,
	GFX_OPERAND_SIGN,
	GFX_OPERAND_BAD, /* no token; the report says why */
};

/* A sign is its characters: the first one, and a second one shifted by 8. */
#define GFX_OPERAND_SIGNS(first, second) ((first) | (second) << 8)

struct gfx_operand_token {
	enum gfx_operand_token_kind kind;
	size_t start, length;
	int64_t number;
	int sign;
};

struct gfx_operand_reader {
	const char *text;
	size_t size, at; /* of the text; behind the token */
	struct gfx_operand_token token;
	bool follow_llvm;
	unsigned int depth; /* of parentheses and unary operators around the place */
	struct gfx_operand_report *report;
};

/** Begin to read: the first token is taken, the report emptied. */
void gfx_operand_reader_init(struct gfx_operand_reader *reader, const char *text, bool follow_llvm,
			     struct gfx_operand_report *report);

/** Go to the next token. */
void gfx_operand_next(struct gfx_operand_reader *reader);

/** Report an error at a place of the text, unless there is one; always false. */
bool gfx_operand_fail(struct gfx_operand_reader *reader, size_t position, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/** Leave a remark that is no error. The first one stays. */
void gfx_operand_remark(struct gfx_operand_reader *reader, size_t position, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/** Whether a sign is at hand; the same, and go past it if so; the same, and fail if not. */
bool gfx_operand_at(const struct gfx_operand_reader *reader, int sign);
bool gfx_operand_take(struct gfx_operand_reader *reader, int sign);
bool gfx_operand_expect(struct gfx_operand_reader *reader, int sign, const char *where);

/** Whether a name is at hand that a '(' follows. */
bool gfx_operand_at_call(const struct gfx_operand_reader *reader);

/** The name at hand as text; cut to the buffer, for reports and comparisons with names that fit it. */
const char *gfx_operand_token_text(const struct gfx_operand_reader *reader, char buffer[64]);

/**
 * Read an expression of integers.
 *
 * @what: that may stand here, for the error if there is none: "a message name or a number".
 * @value_ret: 64 bits; what does not fit wraps around.
 */
bool gfx_operand_expression(struct gfx_operand_reader *reader, const char *what,
			    int64_t *value_ret);

#endif /* GFX_OPERAND_READER_H */
