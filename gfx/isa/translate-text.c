/* SPDX-License-Identifier: MIT */
/* The text of an instruction as LLVM prints it: name, operands, modifiers. */
#include "gfx/isa/translate-text.h"

#include <stdlib.h>
#include <string.h>

#include "gfx/instruction/instruction.h"
#include "gfx/wave/wave.h"

#define NAMED_SGPRS 106U
#define TTMP_COUNT 16U
#define MAX_INLINE 64L
#define MIN_INLINE (-16L)

/* ---- Operands ---- */

static bool text_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* A whole number up to the end of a text. */
static bool text_read_number(const char *text, long long *value_ret)
{
	const char *digits = text + (*text == '-');
	char *end;

	if (!text_is_digit(*digits))
		return false;
	*value_ret = strtoll(text, &end, strncmp(digits, "0x", 2) ? 10 : 16);
	return !*end;
}

/* "3]" or "3:6]" behind the letters of a file; one register without brackets. */
static bool text_read_range(const char *text, uint32_t limit, uint32_t *first_ret,
			    uint32_t *count_ret)
{
	bool range = *text == '[';
	unsigned long first, last;
	char *end;

	text += range;
	if (!text_is_digit(*text))
		return false;
	first = last = strtoul(text, &end, 10);
	if (range && *end == ':' && text_is_digit(end[1]))
		last = strtoul(end + 1, &end, 10);
	if (range && *end++ != ']')
		return false;
	if (*end || last < first || last >= limit)
		return false;
	*first_ret = (uint32_t)first;
	*count_ret = (uint32_t)(last - first + 1);
	return true;
}

struct named {
	const char *name;
	uint16_t code;
	uint8_t words;
};

static bool text_read_named(const char *text, struct gfx_text_operand *operand)
{
	static const struct named list[] = {
		{"vcc", GFX_CODE_VCC, 2},
		{"vcc_lo", GFX_CODE_VCC, 1},
		{"vcc_hi", GFX_CODE_VCC + 1, 1},
		{"exec", GFX_CODE_EXEC, 2},
		{"exec_lo", GFX_CODE_EXEC, 1},
		{"exec_hi", GFX_CODE_EXEC + 1, 1},
		{"m0", GFX_CODE_M0, 1},
		{"src_scc", GFX_CODE_SCC, 1},
		{"src_shared_base", GFX_CODE_SHARED_BASE, 0},
		{"src_shared_limit", GFX_CODE_SHARED_LIMIT, 0},
		{"src_private_base", GFX_CODE_PRIVATE_BASE, 0},
		{"src_private_limit", GFX_CODE_PRIVATE_LIMIT, 0},
		{"0.5", GFX_CODE_FLOATS, 0},
		{"-0.5", GFX_CODE_FLOATS + 1, 0},
		{"1.0", GFX_CODE_FLOATS + 2, 0},
		{"-1.0", GFX_CODE_FLOATS + 3, 0},
		{"2.0", GFX_CODE_FLOATS + 4, 0},
		{"-2.0", GFX_CODE_FLOATS + 5, 0},
		{"4.0", GFX_CODE_FLOATS + 6, 0},
		{"-4.0", GFX_CODE_FLOATS + 7, 0},
	};

	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
		if (!strcmp(text, list[i].name)) {
			operand->code = list[i].code;
			operand->words = list[i].words;
			return true;
		}
	operand->null = !strcmp(text, "null");
	operand->off = !strcmp(text, "off");
	operand->code = operand->off ? GFX_CODE_OFF : GFX_CODE_ZERO;
	return operand->null || operand->off;
}

static bool read_constant(const char *text, struct gfx_text_operand *operand)
{
	bool hexadecimal = strstr(text, "0x");
	long long value;

	if (!text_read_number(text, &value) || value > UINT32_MAX || value < INT32_MIN)
		return false;
	operand->literal = (uint32_t)value;
	operand->code = GFX_CODE_LITERAL;
	if (hexadecimal)
		return true;
	if (value >= 0 && value <= MAX_INLINE)
		operand->code = (uint16_t)(GFX_CODE_ZERO + value);
	else if (value < 0 && value >= MIN_INLINE)
		operand->code = (uint16_t)(GFX_CODE_MINUS_ONE - 1 - value);
	return true;
}

/* Operands of 16-bit operations may name a half: "v1.h". */
static void text_read_half(char *text, struct gfx_text_operand *operand)
{
	size_t length = strlen(text);

	if (length < 3 || text[0] != 'v' || text[length - 2] != '.')
		return;
	operand->upper = text[length - 1] == 'h';
	if (operand->upper || text[length - 1] == 'l')
		text[length - 2] = '\0';
}

static bool text_read_register(const char *text, struct gfx_text_operand *operand)
{
	uint32_t first, count, base;

	if (text[0] == 'v' && text_read_range(text + 1, GFX_MAX_VGPRS, &first, &count))
		base = GFX_CODE_VGPR0;
	else if (text[0] == 's' && text_read_range(text + 1, NAMED_SGPRS, &first, &count))
		base = 0;
	else if (!strncmp(text, "ttmp", 4) && text_read_range(text + 4, TTMP_COUNT, &first, &count))
		base = GFX_CODE_TTMP0;
	else
		return false;
	operand->code = (uint16_t)(base + first);
	operand->words = (uint8_t)count;
	return count <= 16;
}

static bool read_operand(char *text, struct gfx_text_operand *operand)
{
	size_t length;

	memset(operand, 0, sizeof(*operand));
	if (text[0] == '-' && (text[1] == 'v' || text[1] == 's' || text[1] == '|')) {
		operand->negative = true;
		text++;
	}
	length = strlen(text);
	if (length > 2 && text[0] == '|' && text[length - 1] == '|') {
		operand->absolute = true;
		text[length - 1] = '\0';
		text++;
	}
	text_read_half(text, operand);
	return text_read_register(text, operand) || text_read_named(text, operand) ||
	       read_constant(text, operand);
}

/* ---- Modifiers ---- */

bool gfx_text_starts(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static bool text_read_offset(const char *text, struct gfx_text_modifiers *modifiers)
{
	long long value;
	const char *colon = strchr(text, ':');

	if (!colon || !text_read_number(colon + 1, &value) || value > INT32_MAX ||
	    value < INT32_MIN)
		return false;
	if (gfx_text_starts(text, "offset0:"))
		modifiers->offset[0] = (uint32_t)value;
	else if (gfx_text_starts(text, "offset1:"))
		modifiers->offset[1] = (uint32_t)value;
	else if (gfx_text_starts(text, "offset:"))
		modifiers->distance = (int32_t)value;
	else
		return false;
	return true;
}

/* Whether a modifier selects sources of other lanes, or halves of registers. */
static bool changes_sources(const char *text)
{
	static const char *const beginnings[] = {
		"op_sel",    "neg_lo:",	   "neg_hi:",	  "row_",      "quad_perm:",
		"dpp8:",     "bank_mask:", "bound_ctrl:", "fi:",       "dst_sel:",
		"src0_sel:", "src1_sel:",  "dst_unused:", "byte_sel:",
	};

	for (size_t i = 0; i < sizeof(beginnings) / sizeof(beginnings[0]); i++)
		if (gfx_text_starts(text, beginnings[i]))
			return true;
	return false;
}

static bool read_modifier(const char *text, struct gfx_text_modifiers *modifiers)
{
	static const struct {
		const char *text;
		uint8_t omod;
	} scales[] = {{"mul:2", 1}, {"mul:4", 2}, {"div:2", 3}};

	for (size_t i = 0; i < sizeof(scales) / sizeof(scales[0]); i++)
		if (!strcmp(text, scales[i].text)) {
			modifiers->omod = scales[i].omod;
			return true;
		}
	if (!strcmp(text, "clamp"))
		modifiers->clamp = true;
	else if (!strcmp(text, "offen"))
		modifiers->offen = true;
	else if (!strcmp(text, "idxen"))
		modifiers->idxen = true;
	else if (changes_sources(text))
		modifiers->changes_sources = true;
	else if (!strcmp(text, "glc") || gfx_text_starts(text, "th:TH_ATOMIC_"))
		modifiers->returns |= !strcmp(text, "glc") || strstr(text, "RETURN");
	else if (strcmp(text, "slc") && strcmp(text, "dlc") &&
		 !gfx_text_starts(text, "scope:SCOPE_") && !gfx_text_starts(text, "th:TH_"))
		return text_read_offset(text, modifiers);
	return true;
}

/* ---- An operation's text ---- */

/* Up to the next blank or comma outside of brackets; NULL at the end. Leaves what ended it in @end_ret. */
static char *next_word(char **rest, char *end_ret)
{
	char *word = *rest, *at;
	uint32_t depth = 0;

	while (*word == ' ' || *word == '\t')
		word++;
	if (!*word)
		return NULL;
	for (at = word; *at && (depth || (*at != ' ' && *at != '\t' && *at != ',')); at++) {
		depth += *at == '[' || *at == '(';
		depth -= depth && (*at == ']' || *at == ')');
	}
	*end_ret = *at;
	*rest = at + (*at != '\0');
	*at = '\0';
	return word;
}

static void cut_suffix(struct gfx_text *parsed)
{
	static const struct {
		const char *suffix;
		bool extended;
	} list[] = {
		{"_dpp", true}, {"_dpp8", true}, {"_sdwa", true}, {"_e32", false}, {"_e64", false}};

	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		size_t length = strlen(parsed->name), cut = strlen(list[i].suffix);

		if (length <= cut || strcmp(parsed->name + length - cut, list[i].suffix))
			continue;
		parsed->name[length - cut] = '\0';
		parsed->extended |= list[i].extended;
	}
}

/* Operands have commas between them; modifiers stand behind the last one, with blanks. */
bool gfx_text_operands(char *rest, struct gfx_text *parsed)
{
	bool more = true;
	char end, *word;

	while ((word = next_word(&rest, &end))) {
		if (!more) {
			if (!read_modifier(word, &parsed->modifiers))
				return false;
			continue;
		}
		if (parsed->count == GFX_TEXT_OPERANDS ||
		    !read_operand(word, &parsed->operands[parsed->count]))
			return false;
		parsed->count++;
		more = end == ',';
	}
	return true;
}

/* Parses the part before the operands, which are left in @rest_ret. */
bool gfx_text_name(const char *text, size_t length, struct gfx_text *parsed, char **rest_ret)
{
	char end;

	memset(parsed, 0, sizeof(*parsed));
	if (length >= sizeof(parsed->room))
		return false;
	memcpy(parsed->room, text, length);
	parsed->room[length] = '\0';
	*rest_ret = parsed->room;
	parsed->name = next_word(rest_ret, &end);
	if (!parsed->name)
		return false;
	cut_suffix(parsed);
	/* The halves of a pair are operations that there are alone, too. */
	if (gfx_text_starts(parsed->name, "v_dual_")) {
		parsed->name += strlen("v_dual_") - 2;
		memcpy(parsed->name, "v_", 2);
	}
	return true;
}
