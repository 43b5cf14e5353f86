/* SPDX-License-Identifier: MIT */
/* Tokens and expressions of assembly language. Private to gfx/operand/. */
#ifndef GFX_OPERAND_ASSEMBLY_READER_H
#define GFX_OPERAND_ASSEMBLY_READER_H

#include "gfx/operand/operand.h"

enum gfx_operand_token_kind {
	GFX_OPERAND_END,
	GFX_OPERAND_NAME,
	GFX_OPERAND_NUMBER,
	GFX_OPERAND_SIGN,
	GFX_OPERAND_BAD, /* not a token; the report says why */
};

/* A sign of one or two characters as a number. */
#define GFX_OPERAND_SIGNS(first, second) ((first) | (second) << 8)

struct gfx_operand_token {
	enum gfx_operand_token_kind kind;
	size_t start, length;
	int64_t number;
	int sign;
};

struct gfx_operand_reader {
	const char *text;
	size_t size, at; /* of the text; offset after the current token */
	struct gfx_operand_token token;
	bool follow_llvm;
	unsigned int depth; /* nesting of parentheses and unary operators */
	struct gfx_operand_report *report;
};

/** Start to read: clears the report and goes to the first token. */
void gfx_operand_reader_init(struct gfx_operand_reader *reader, const char *text, bool follow_llvm,
			     struct gfx_operand_report *report);

/** Go to the next token. */
void gfx_operand_next(struct gfx_operand_reader *reader);

/** Report an error at an offset of the text, unless one is reported already. Return: false. */
bool gfx_operand_fail(struct gfx_operand_reader *reader, size_t position, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/** Report a remark, unless there is a report already. */
void gfx_operand_remark(struct gfx_operand_reader *reader, size_t position, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * Whether the current token is a sign. gfx_operand_take() also goes to the next token if it is;
 * gfx_operand_expect() does the same, and reports an error if it is not.
 */
bool gfx_operand_at(const struct gfx_operand_reader *reader, int sign);
bool gfx_operand_take(struct gfx_operand_reader *reader, int sign);
bool gfx_operand_expect(struct gfx_operand_reader *reader, int sign, const char *where);

/** Whether the current token is a name and a '(' follows. */
bool gfx_operand_at_call(const struct gfx_operand_reader *reader);

/** The text of the current token, truncated to the buffer: for reports, and to compare it with short names. */
const char *gfx_operand_token_text(const struct gfx_operand_reader *reader, char buffer[64]);

/**
 * Parse an expression of integers.
 *
 * @what: what is expected, for an error if there is no expression: "a message name or a number".
 * @value_ret: 64 bits; overflows wrap around.
 */
bool gfx_operand_expression(struct gfx_operand_reader *reader, const char *what,
			    int64_t *value_ret);

#endif /* GFX_OPERAND_ASSEMBLY_READER_H */
