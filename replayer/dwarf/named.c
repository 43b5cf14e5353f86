/* SPDX-License-Identifier: MIT */
#include "replayer/dwarf/named.h"

#include <ctype.h>
#include <dwarf.h>
#include <string.h>

#define MAX_ENTRIES 200000

/* The types of C, and what HIP and OpenCL call them. */
static const struct {
	const char *name;
	enum wt_dwarf_kind kind;
	unsigned int bits;
	bool is_signed;
} known[] = {
	{"_Bool", WT_DWARF_TYPE_BOOLEAN, 8, false},
	{"bool", WT_DWARF_TYPE_BOOLEAN, 8, false},
	{"char", WT_DWARF_TYPE_CHARACTER, 8, true},
	{"signed char", WT_DWARF_TYPE_CHARACTER, 8, true},
	{"unsigned char", WT_DWARF_TYPE_CHARACTER, 8, false},
	{"short", WT_DWARF_TYPE_SIGNED, 16, true},
	{"unsigned short", WT_DWARF_TYPE_UNSIGNED, 16, false},
	{"int", WT_DWARF_TYPE_SIGNED, 32, true},
	{"unsigned", WT_DWARF_TYPE_UNSIGNED, 32, false},
	{"unsigned int", WT_DWARF_TYPE_UNSIGNED, 32, false},
	{"long", WT_DWARF_TYPE_SIGNED, 64, true},
	{"long long", WT_DWARF_TYPE_SIGNED, 64, true},
	{"unsigned long", WT_DWARF_TYPE_UNSIGNED, 64, false},
	{"unsigned long long", WT_DWARF_TYPE_UNSIGNED, 64, false},
	{"half", WT_DWARF_TYPE_FLOAT, 16, true},
	{"_Float16", WT_DWARF_TYPE_FLOAT, 16, true},
	{"float", WT_DWARF_TYPE_FLOAT, 32, true},
	{"double", WT_DWARF_TYPE_FLOAT, 64, true},
};

static const struct {
	const char *word;
	enum gfx_space space;
} spaces[] = {
	{"global", GFX_SPACE_GLOBAL},
	{"generic", GFX_SPACE_GENERIC},
	{"local", GFX_SPACE_LOCAL},
	{"private", GFX_SPACE_PRIVATE_LANE},
};

static const char *skip_blanks(const char *text)
{
	while (isspace((unsigned char)*text))
		text++;
	return text;
}

static size_t word_length(const char *text)
{
	size_t length = 0;

	while (isalnum((unsigned char)text[length]) || text[length] == '_')
		length++;
	return length && !isdigit((unsigned char)*text) ? length : 0;
}

static bool is_word(const char *text, const char *word)
{
	return word_length(text) == strlen(word) && !strncmp(text, word, strlen(word));
}

/* A named type of the unit. */
static bool find_type(struct wt_dwarf_unit *unit, const char *name, size_t length,
		      struct wt_dwarf_type *type_ret)
{
	size_t seen = 0;
	Dwarf_Die child;

	if (!unit->object || dwarf_child(&unit->die, &child))
		return false;
	do {
		int tag = dwarf_tag(&child);
		const char *found;

		if (tag != DW_TAG_typedef && tag != DW_TAG_structure_type &&
		    tag != DW_TAG_class_type && tag != DW_TAG_union_type &&
		    tag != DW_TAG_enumeration_type && tag != DW_TAG_base_type)
			continue;
		found = dwarf_diename(&child);
		if (!found || strlen(found) != length || strncmp(found, name, length) ||
		    dwarf_hasattr(&child, DW_AT_declaration))
			continue;
		wt_dwarf_type_init(type_ret, unit, &child);
		return type_ret->kind != WT_DWARF_TYPE_NONE;
	} while (++seen < MAX_ENTRIES && !dwarf_siblingof(&child, &child));
	return false;
}

/* The longest run of words that is a type of C: "unsigned long long". */
static bool parse_known(const char *text, struct wt_dwarf_type *type_ret, const char **end_ret)
{
	char words[32] = "";
	bool found = false;

	for (const char *at = text; word_length(at); at = skip_blanks(at + word_length(at))) {
		size_t length = word_length(at), used = strlen(words);

		if (used + length + 2 > sizeof(words))
			break;
		if (used)
			words[used++] = ' ';
		memcpy(words + used, at, length);
		words[used + length] = '\0';
		for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
			if (strcmp(known[i].name, words))
				continue;
			*type_ret = (struct wt_dwarf_type){.kind = known[i].kind,
							   .bits = known[i].bits,
							   .is_signed = known[i].is_signed};
			*end_ret = at + length;
			found = true;
		}
	}
	return found;
}

static bool parse_base(struct wt_dwarf_unit *unit, const char *text, struct wt_dwarf_type *type_ret,
		       const char **end_ret)
{
	static const char *const tags[] = {"struct", "union", "enum", "class"};
	size_t length;

	if (parse_known(text, type_ret, end_ret))
		return true;
	for (size_t i = 0; i < sizeof(tags) / sizeof(*tags); i++)
		if (is_word(text, tags[i]))
			text = skip_blanks(text + strlen(tags[i]));
	length = word_length(text);
	*end_ret = text + length;
	return length && find_type(unit, text, length, type_ret);
}

bool wt_dwarf_named_parse(struct wt_dwarf_unit *unit, const char *text,
			  struct wt_dwarf_named *named, const char **end_ret)
{
	const char *end;

	*named = (struct wt_dwarf_named){0};
	text = skip_blanks(text);
	for (size_t i = 0; i < sizeof(spaces) / sizeof(*spaces); i++) {
		if (!is_word(text, spaces[i].word))
			continue;
		named->has_space = true;
		named->space = spaces[i].space;
		text = skip_blanks(text + strlen(spaces[i].word));
		break;
	}
	if (is_word(text, "const"))
		text = skip_blanks(text + strlen("const"));
	if (!parse_base(unit, text, &named->type, &end))
		return false;
	end = skip_blanks(end);
	if (*end == '*') {
		named->is_pointer = true;
		end++;
	}
	/* Of a pointer to a pointer there is nothing to say what it points to. */
	if (*skip_blanks(end) == '*' || (named->has_space && !named->is_pointer))
		return false;
	*end_ret = end;
	return true;
}
