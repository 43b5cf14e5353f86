/* SPDX-License-Identifier: MIT */
#include "gfx/operand/assembly-reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Far more than anyone writes; it bounds the recursion. */
#define DEPTH_LIMIT 64

static void reader_report(struct gfx_operand_reader *reader, size_t position, const char *format,
			  va_list arguments)
{
	reader->report->position = position;
	vsnprintf(reader->report->text, sizeof(reader->report->text), format, arguments);
}

bool gfx_operand_fail(struct gfx_operand_reader *reader, size_t position, const char *format, ...)
{
	va_list arguments;

	if (reader->token.kind != GFX_OPERAND_BAD) {
		va_start(arguments, format);
		reader_report(reader, position, format, arguments);
		va_end(arguments);
	}
	reader->token.kind = GFX_OPERAND_BAD;
	return false;
}

void gfx_operand_remark(struct gfx_operand_reader *reader, size_t position, const char *format, ...)
{
	va_list arguments;

	if (reader->report->text[0])
		return;
	va_start(arguments, format);
	reader_report(reader, position, format, arguments);
	va_end(arguments);
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' || c == '$';
}

static bool reader_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The character at an offset from the place; 0 behind the end. */
static char peek(const struct gfx_operand_reader *reader, size_t offset)
{
	if (offset >= reader->size - reader->at)
		return '\0';
	return reader->text[reader->at + offset];
}

/* Go past blanks and comments; false if a comment has no end. */
static bool skip_blanks(struct gfx_operand_reader *reader)
{
	for (;;) {
		char c = peek(reader, 0);

		if (c == ' ' || c == '\t') {
			reader->at++;
		} else if (c == '/' && peek(reader, 1) == '*') {
			const char *end = strstr(reader->text + reader->at + 2, "*/");

			if (!end)
				return gfx_operand_fail(reader, reader->at,
							"the comment has no end");
			reader->at = (size_t)(end - reader->text) + 2;
		} else {
			return true;
		}
	}
}

/* The value of a digit in any base up to 16; 16 if it is none. */
static unsigned int digit_value(char c)
{
	if (reader_is_digit(c))
		return (unsigned int)(c - '0');
	if (c >= 'a' && c <= 'f')
		return (unsigned int)(c - 'a' + 10);
	if (c >= 'A' && c <= 'F')
		return (unsigned int)(c - 'A' + 10);
	return 16;
}

/* The base that a number's prefix tells, and how long the prefix is. */
static unsigned int base_of(const char *word, size_t length, size_t *prefix_ret)
{
	*prefix_ret = 0;
	if (length < 2 || word[0] != '0')
		return 10;
	*prefix_ret = 2;
	if (word[1] == 'x' || word[1] == 'X')
		return 16;
	if (word[1] == 'b' || word[1] == 'B')
		return 2;
	*prefix_ret = 1;
	return 8;
}

/* Floating-point numbers are a slip; LLVM takes their bits. */
static bool read_real(struct gfx_operand_reader *reader, const char *word, size_t length)
{
	char copy[64], *end;
	double value;

	if (!reader->follow_llvm || length >= sizeof(copy))
		return gfx_operand_fail(reader, reader->token.start, "%.*s is not an integer",
					(int)length, word);
	memcpy(copy, word, length);
	copy[length] = '\0';
	value = strtod(copy, &end);
	if (*end)
		return gfx_operand_fail(reader, reader->token.start, "%s is not a number", copy);
	memcpy(&reader->token.number, &value, sizeof(value));
	gfx_operand_remark(reader, reader->token.start, "%s is no integer: its bits are taken",
			   copy);
	return true;
}

static bool is_real(const char *word, size_t length)
{
	if (length >= 2 && word[0] == '0' && strchr("xXbB", word[1]))
		return false;
	return memchr(word, '.', length) || memchr(word, 'e', length) || memchr(word, 'E', length);
}

/* A whole word that begins with a digit, as a number. */
static bool reader_read_number(struct gfx_operand_reader *reader)
{
	const char *word = reader->text + reader->token.start;
	size_t length = reader->token.length, prefix;
	unsigned int base = base_of(word, length, &prefix);
	uint64_t value = 0;

	if (is_real(word, length))
		return read_real(reader, word, length);
	for (size_t i = prefix; i < length; i++) {
		unsigned int digit = digit_value(word[i]);

		if (digit >= base)
			return gfx_operand_fail(reader, reader->token.start,
						"%.*s is not a number of base %u",
						(int)(length < 64 ? length : 64), word, base);
		if (value > (UINT64_MAX - digit) / base)
			return gfx_operand_fail(reader, reader->token.start,
						"the number does not fit in 64 bits");
		value = value * base + digit;
	}
	if (prefix == length)
		return gfx_operand_fail(reader, reader->token.start, "%.*s has no digits",
					(int)length, word);
	reader->token.number = (int64_t)value;
	return true;
}

/* How many characters of a name or a number stand here. */
static size_t word_length(const struct gfx_operand_reader *reader)
{
	size_t length = 0;

	while (is_letter(peek(reader, length)) || reader_is_digit(peek(reader, length)))
		length++;
	return length;
}

static int read_sign(const struct gfx_operand_reader *reader, size_t *length_ret)
{
	static const char pairs[][3] = {"||", "&&", "==", "!=", "<>", "<=", ">=", "<<", ">>"};

	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		if (peek(reader, 0) == pairs[i][0] && peek(reader, 1) == pairs[i][1]) {
			*length_ret = 2;
			return GFX_OPERAND_SIGNS(pairs[i][0], pairs[i][1]);
		}
	}
	*length_ret = 1;
	return peek(reader, 0);
}

void gfx_operand_next(struct gfx_operand_reader *reader)
{
	struct gfx_operand_token *token = &reader->token;
	char c;

	if (token->kind == GFX_OPERAND_BAD || !skip_blanks(reader))
		return;
	c = peek(reader, 0);
	token->start = reader->at;
	token->length = word_length(reader);
	if (reader->at == reader->size) {
		token->kind = GFX_OPERAND_END;
	} else if (reader_is_digit(c) || (c == '.' && reader_is_digit(peek(reader, 1)))) {
		token->kind = GFX_OPERAND_NUMBER;
		reader_read_number(reader);
	} else if (token->length) {
		token->kind = GFX_OPERAND_NAME;
	} else if (c > ' ' && c <= '~' && !strchr(";#\"'`\\?@", c)) {
		token->kind = GFX_OPERAND_SIGN;
		token->sign = read_sign(reader, &token->length);
	} else {
		gfx_operand_fail(reader, reader->at, "the character 0x%02x has no meaning here",
				 (unsigned int)(unsigned char)c);
	}
	reader->at += token->length;
}

void gfx_operand_reader_init(struct gfx_operand_reader *reader, const char *text, bool follow_llvm,
			     struct gfx_operand_report *report_ret)
{
	memset(report_ret, 0, sizeof(*report_ret));
	*reader = (struct gfx_operand_reader){.text = text,
					      .size = strlen(text),
					      .follow_llvm = follow_llvm,
					      .report = report_ret};
	gfx_operand_next(reader);
}

bool gfx_operand_at(const struct gfx_operand_reader *reader, int sign)
{
	return reader->token.kind == GFX_OPERAND_SIGN && reader->token.sign == sign;
}

bool gfx_operand_take(struct gfx_operand_reader *reader, int sign)
{
	if (!gfx_operand_at(reader, sign))
		return false;
	gfx_operand_next(reader);
	return true;
}

bool gfx_operand_expect(struct gfx_operand_reader *reader, int sign, const char *where)
{
	if (gfx_operand_take(reader, sign))
		return true;
	return gfx_operand_fail(reader, reader->token.start, "expected '%c' %s", sign, where);
}

bool gfx_operand_at_call(const struct gfx_operand_reader *reader)
{
	struct gfx_operand_report ignored = {0};
	struct gfx_operand_reader ahead = *reader;

	if (reader->token.kind != GFX_OPERAND_NAME)
		return false;
	ahead.report = &ignored;
	gfx_operand_next(&ahead);
	return gfx_operand_at(&ahead, '(');
}

const char *gfx_operand_token_text(const struct gfx_operand_reader *reader, char buffer[64])
{
	size_t length = reader->token.length < 63 ? reader->token.length : 63;

	memcpy(buffer, reader->text + reader->token.start, length);
	buffer[length] = '\0';
	return buffer;
}

static bool read_operators(struct gfx_operand_reader *reader, const char *what, int level,
			   int64_t *value_ret);

/* Reads an operand of a binary operator. */
static bool read_primary(struct gfx_operand_reader *reader, const char *what, int64_t *value_ret)
{
	char name[64];
	uint64_t value;
	int sign = reader->token.sign;

	if (reader->token.kind == GFX_OPERAND_NUMBER) {
		*value_ret = reader->token.number;
		gfx_operand_next(reader);
		return true;
	}
	if (reader->token.kind == GFX_OPERAND_NAME)
		return gfx_operand_fail(reader, reader->token.start, "expected %s, not '%s'", what,
					gfx_operand_token_text(reader, name));
	if (reader->token.kind != GFX_OPERAND_SIGN || !strchr("+-~!(", sign) || sign > 127)
		return gfx_operand_fail(reader, reader->token.start, "expected %s", what);
	if (reader->depth++ == DEPTH_LIMIT)
		return gfx_operand_fail(reader, reader->token.start,
					"the expression is nested more than %d deep", DEPTH_LIMIT);
	gfx_operand_next(reader);
	if (sign == '(') {
		if (!read_operators(reader, what, 1, value_ret) ||
		    !gfx_operand_expect(reader, ')', "to close the expression"))
			return false;
	} else {
		if (!read_primary(reader, what, value_ret))
			return false;
		value = (uint64_t)*value_ret;
		if (sign == '-')
			value = -value;
		else if (sign == '~')
			value = ~value;
		else if (sign == '!')
			value = !value;
		*value_ret = (int64_t)value;
	}
	reader->depth--;
	return true;
}

/* How tightly an operator binds; 0 if it is none. As in GNU's assembler, & and | bind before +. */
static int level_of(const struct gfx_operand_token *token)
{
	if (token->kind != GFX_OPERAND_SIGN)
		return 0;
	switch (token->sign) {
	case GFX_OPERAND_SIGNS('|', '|'):
		return 1;
	case GFX_OPERAND_SIGNS('&', '&'):
		return 2;
	case GFX_OPERAND_SIGNS('=', '='):
	case GFX_OPERAND_SIGNS('!', '='):
	case GFX_OPERAND_SIGNS('<', '>'):
	case GFX_OPERAND_SIGNS('<', '='):
	case GFX_OPERAND_SIGNS('>', '='):
	case '<':
	case '>':
		return 3;
	case '+':
	case '-':
		return 4;
	case '|':
	case '^':
	case '&':
	case '!':
		return 5;
	case '*':
	case '/':
	case '%':
	case GFX_OPERAND_SIGNS('<', '<'):
	case GFX_OPERAND_SIGNS('>', '>'):
		return 6;
	default:
		return 0;
	}
}

/* Division and shifts, which not all operands allow. */
static bool apply_guarded(struct gfx_operand_reader *reader, const struct gfx_operand_token *token,
			  int64_t left, int64_t right, int64_t *value_ret)
{
	bool division = token->sign == '/' || token->sign == '%';

	if (division && !right)
		return gfx_operand_fail(reader, token->start, "division by zero");
	if (!division && (right < 0 || right > 63))
		return gfx_operand_fail(reader, token->start,
					"a shift by %lld; it must be from 0 to 63",
					(long long)right);
	if (division && right == -1) /* the only quotient that may not fit */
		*value_ret = token->sign == '/' ? (int64_t) - (uint64_t)left : 0;
	else if (division)
		*value_ret = token->sign == '/' ? left / right : left % right;
	else if (token->sign == GFX_OPERAND_SIGNS('<', '<'))
		*value_ret = (int64_t)((uint64_t)left << right);
	else
		*value_ret = (int64_t)((uint64_t)left >> right);
	return true;
}

/* Comparisons, which are -1 if they hold, and what joins them. */
static int64_t apply_logical(int sign, int64_t left, int64_t right)
{
	switch (sign) {
	case GFX_OPERAND_SIGNS('|', '|'):
		return left || right;
	case GFX_OPERAND_SIGNS('&', '&'):
		return left && right;
	case GFX_OPERAND_SIGNS('=', '='):
		return -(left == right);
	case GFX_OPERAND_SIGNS('!', '='):
	case GFX_OPERAND_SIGNS('<', '>'):
		return -(left != right);
	case GFX_OPERAND_SIGNS('<', '='):
		return -(left <= right);
	case GFX_OPERAND_SIGNS('>', '='):
		return -(left >= right);
	case '<':
		return -(left < right);
	default:
		return -(left > right);
	}
}

static int64_t apply_arithmetic(int sign, uint64_t left, uint64_t right)
{
	switch (sign) {
	case '+':
		return (int64_t)(left + right);
	case '-':
		return (int64_t)(left - right);
	case '|':
		return (int64_t)(left | right);
	case '^':
		return (int64_t)(left ^ right);
	case '&':
		return (int64_t)(left & right);
	case '!':
		return (int64_t)(left | ~right);
	default:
		return (int64_t)(left * right);
	}
}

static bool apply(struct gfx_operand_reader *reader, const struct gfx_operand_token *token,
		  int64_t left, int64_t right, int64_t *value_ret)
{
	int level = level_of(token);

	if (level <= 3)
		*value_ret = apply_logical(token->sign, left, right);
	else if (level <= 5 || token->sign == '*')
		*value_ret = apply_arithmetic(token->sign, (uint64_t)left, (uint64_t)right);
	else
		return apply_guarded(reader, token, left, right, value_ret);
	return true;
}

/* Operators of a level or tighter ones; those of one level from left to right. */
static bool read_operators(struct gfx_operand_reader *reader, const char *what, int level,
			   int64_t *value_ret)
{
	int64_t right;

	if (level > 6)
		return read_primary(reader, what, value_ret);
	if (!read_operators(reader, what, level + 1, value_ret))
		return false;
	while (level_of(&reader->token) == level) {
		struct gfx_operand_token token = reader->token;

		gfx_operand_next(reader);
		if (!read_operators(reader, "a number", level + 1, &right) ||
		    !apply(reader, &token, *value_ret, right, value_ret))
			return false;
	}
	return true;
}

bool gfx_operand_expression(struct gfx_operand_reader *reader, const char *what, int64_t *value_ret)
{
	return read_operators(reader, what, 1, value_ret);
}
