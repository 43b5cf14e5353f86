/* SPDX-License-Identifier: MIT */
#include "replayer/dwarf/named.h"

#include <ctype.h>
#include <dwarf.h>
#include <string.h>

#include "replayer/dwarf/expression-value.h"

#define MAX_ENTRIES 200000 /* of one level; more are not searched */
#define MAX_DEPTH 8	   /* of namespaces, and of blocks */
#define MAX_BLOCKS 4096	   /* of a function that are searched */

/* The types of C, and what HIP and OpenCL call them. */
static const struct {
	const char *name;
	enum wt_dwarf_kind kind;
	unsigned int bits;
	bool is_signed;
} known[] = {
	{"void", WT_DWARF_TYPE_NONE, 0, false},
	{"_Bool", WT_DWARF_TYPE_BOOLEAN, 8, false},
	{"bool", WT_DWARF_TYPE_BOOLEAN, 8, false},
	{"char", WT_DWARF_TYPE_CHARACTER, 8, true},
	{"signed char", WT_DWARF_TYPE_SIGNED, 8, true},
	{"unsigned char", WT_DWARF_TYPE_UNSIGNED, 8, false},
	{"short", WT_DWARF_TYPE_SIGNED, 16, true},
	{"unsigned short", WT_DWARF_TYPE_UNSIGNED, 16, false},
	{"int", WT_DWARF_TYPE_SIGNED, 32, true},
	{"unsigned", WT_DWARF_TYPE_UNSIGNED, 32, false},
	{"unsigned int", WT_DWARF_TYPE_UNSIGNED, 32, false},
	{"long", WT_DWARF_TYPE_SIGNED, 64, true},
	{"long long", WT_DWARF_TYPE_SIGNED, 64, true},
	{"unsigned long", WT_DWARF_TYPE_UNSIGNED, 64, false},
	{"unsigned long long", WT_DWARF_TYPE_UNSIGNED, 64, false},
	{"__int128", WT_DWARF_TYPE_SIGNED, 128, true},
	{"unsigned __int128", WT_DWARF_TYPE_UNSIGNED, 128, false},
	{"half", WT_DWARF_TYPE_FLOAT, 16, true},
	{"_Float16", WT_DWARF_TYPE_FLOAT, 16, true},
	{"float", WT_DWARF_TYPE_FLOAT, 32, true},
	{"double", WT_DWARF_TYPE_FLOAT, 64, true},
	{"long double", WT_DWARF_TYPE_FLOAT, 64, true},
	{"__bf16", WT_DWARF_TYPE_FLOAT, 16, true},
	{"short int", WT_DWARF_TYPE_SIGNED, 16, true},
	{"unsigned short int", WT_DWARF_TYPE_UNSIGNED, 16, false},
	{"long int", WT_DWARF_TYPE_SIGNED, 64, true},
	{"unsigned long int", WT_DWARF_TYPE_UNSIGNED, 64, false},
	{"long long int", WT_DWARF_TYPE_SIGNED, 64, true},
	{"unsigned long long int", WT_DWARF_TYPE_UNSIGNED, 64, false},
	{"uchar", WT_DWARF_TYPE_UNSIGNED, 8, false},
	{"ushort", WT_DWARF_TYPE_UNSIGNED, 16, false},
	{"uint", WT_DWARF_TYPE_UNSIGNED, 32, false},
	{"ulong", WT_DWARF_TYPE_UNSIGNED, 64, false},
	{"size_t", WT_DWARF_TYPE_UNSIGNED, 64, false},
	{"int8_t", WT_DWARF_TYPE_SIGNED, 8, true},
	{"uint8_t", WT_DWARF_TYPE_UNSIGNED, 8, false},
	{"int16_t", WT_DWARF_TYPE_SIGNED, 16, true},
	{"uint16_t", WT_DWARF_TYPE_UNSIGNED, 16, false},
	{"int32_t", WT_DWARF_TYPE_SIGNED, 32, true},
	{"uint32_t", WT_DWARF_TYPE_UNSIGNED, 32, false},
	{"int64_t", WT_DWARF_TYPE_SIGNED, 64, true},
	{"uint64_t", WT_DWARF_TYPE_UNSIGNED, 64, false},
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

static const char *type_text_skip_blanks(const char *text)
{
	while (isspace((unsigned char)*text))
		text++;
	return text;
}

static size_t type_word_length(const char *text)
{
	size_t length = 0;

	while (wt_dwarf_is_of_name(text[length]))
		length++;
	return length && !isdigit((unsigned char)*text) ? length : 0;
}

static bool type_word_is(const char *text, const char *word)
{
	return type_word_length(text) == strlen(word) && !strncmp(text, word, strlen(word));
}

size_t wt_dwarf_path_length(const char *text)
{
	size_t length = type_word_length(text), more;

	while (length && text[length] == ':' && text[length + 1] == ':') {
		more = type_word_length(text + length + 2);
		if (!more)
			break;
		length += 2 + more;
	}
	return length;
}

/* Is a name the text, whatever blanks there are? "box<float, 3>" is the one case. */
static bool is_name(const char *name, const char *text, size_t length)
{
	const char *end = text + length;

	for (;; name++, text++) {
		name = type_text_skip_blanks(name);
		while (text < end && isspace((unsigned char)*text))
			text++;
		if (!*name || text == end)
			return !*name && text == end;
		if (*name != *text)
			return false;
	}
}

/* A search among the entries of a unit and its namespaces. */
struct search {
	const char *text; /* its name, or what is left of it behind a namespace */
	size_t length;
	/** Is an entry that has the name the one? */
	bool (*take)(struct search *search, Dwarf_Die *parent, Dwarf_Die *die);
	struct wt_dwarf_unit *unit;
	struct wt_dwarf_type type;
	uint64_t number;
	bool is_own; /* found among what a function has */
};

static bool search_in(struct search *search, Dwarf_Die *parent, unsigned int depth);

/* Names of a scope that the text begins with, as "a::", or that may be left out. */
static bool search_scope(struct search *search, Dwarf_Die *scope, bool needed, unsigned int depth)
{
	const char *name = dwarf_diename(scope), *whole = search->text;
	size_t length = name ? strlen(name) : 0, whole_length = search->length;
	bool found;

	if (!length || whole_length < length + 2 || strncmp(whole, name, length) ||
	    strncmp(whole + length, "::", 2))
		return !needed && search_in(search, scope, depth);
	search->text += length + 2;
	search->length -= length + 2;
	found = search_in(search, scope, depth);
	search->text = whole;
	search->length = whole_length;
	return found;
}

static bool search_in(struct search *search, Dwarf_Die *parent, unsigned int depth)
{
	size_t seen = 0;
	Dwarf_Die child;

	if (!depth || dwarf_child(parent, &child))
		return false;
	do {
		const char *name = dwarf_diename(&child);

		if (name && is_name(name, search->text, search->length) &&
		    !dwarf_hasattr(&child, DW_AT_declaration) &&
		    search->take(search, parent, &child))
			return true;
		switch (dwarf_tag(&child)) {
		case DW_TAG_namespace:
			if (search_scope(search, &child, false, depth - 1))
				return true;
			break;
		case DW_TAG_structure_type:
		case DW_TAG_class_type:
			if (search_scope(search, &child, true, depth - 1))
				return true;
			break;
		case DW_TAG_enumeration_type:
			if (search_scope(search, &child, dwarf_hasattr(&child, DW_AT_enum_class),
					 depth - 1))
				return true;
			break;
		default:
			break;
		}
	} while (++seen < MAX_ENTRIES && !dwarf_siblingof(&child, &child));
	return false;
}

static bool take_named_type(struct search *search, Dwarf_Die *parent, Dwarf_Die *die)
{
	(void)parent;
	switch (dwarf_tag(die)) {
	case DW_TAG_typedef:
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
	case DW_TAG_enumeration_type:
	case DW_TAG_base_type:
		wt_dwarf_type_init(&search->type, search->unit, die);
		return search->type.kind != WT_DWARF_TYPE_NONE;
	case DW_TAG_template_type_parameter:
		wt_dwarf_type_of(&search->type, search->unit, die);
		return search->type.kind != WT_DWARF_TYPE_NONE;
	default:
		return false;
	}
}

/* A parameter of a template that is a number is as good as an enumerator. */
static bool take_enumerator(struct search *search, Dwarf_Die *parent, Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	Dwarf_Sword number;

	if (dwarf_formsdata(dwarf_attr(die, DW_AT_const_value, &attribute), &number))
		return false;
	search->number = (uint64_t)number;
	switch (dwarf_tag(die)) {
	case DW_TAG_enumerator:
		wt_dwarf_type_init(&search->type, search->unit, parent);
		return search->type.kind == WT_DWARF_TYPE_ENUM;
	case DW_TAG_template_value_parameter:
		wt_dwarf_type_of(&search->type, search->unit, die);
		return wt_dwarf_type_is_number(&search->type) &&
		       search->type.kind != WT_DWARF_TYPE_FLOAT &&
		       search->type.kind != WT_DWARF_TYPE_POINTER;
	default:
		return false;
	}
}

/* The same of one that is another number than was found before. */
static bool take_other_enumerator(struct search *search, Dwarf_Die *parent, Dwarf_Die *die)
{
	uint64_t before = search->number;
	bool is_taken = take_enumerator(search, parent, die) && search->number != before;

	search->number = before;
	return is_taken;
}

/* ---- What a function has of its own ---- */

/* A search of the blocks of a function, which finds what only one of them has. */
struct only {
	struct search found;
	size_t count, left; /* matches; blocks that are still looked at */
};

/* Clang puts enumerations of a function that was inlined into a function of no name, with nothing else. */
static bool is_nameless(Dwarf_Die *die)
{
	return dwarf_tag(die) == DW_TAG_subprogram && !dwarf_diename(die);
}

static void search_blocks(struct only *only, const struct search *search, Dwarf_Die *parent,
			  unsigned int depth)
{
	size_t seen = 0;
	Dwarf_Die child;

	if (!depth || dwarf_child(parent, &child))
		return;
	do {
		struct search one = *search;

		if ((dwarf_tag(&child) != DW_TAG_lexical_block && !is_nameless(&child)) ||
		    !only->left)
			continue;
		only->left--;
		if (search_in(&one, &child, MAX_DEPTH)) {
			only->found = one;
			only->count++;
		}
		search_blocks(only, search, &child, depth - 1);
	} while (++seen < MAX_ENTRIES && !dwarf_siblingof(&child, &child));
}

static bool search_only(struct search *search, Dwarf_Die *parent, unsigned int depth)
{
	struct only only = {.left = MAX_BLOCKS};

	search_blocks(&only, search, parent, depth);
	if (only.count == 1)
		*search = only.found;
	return only.count == 1;
}

/* Types of an inlined function are where the function itself is described. */
static bool origin_of(Dwarf_Die *die, Dwarf_Die *origin_ret)
{
	Dwarf_Attribute attribute;

	return dwarf_formref_die(dwarf_attr(die, DW_AT_abstract_origin, &attribute), origin_ret) !=
	       NULL;
}

/* The class whose function a scope is: that of the object it is called for. */
static bool method_class_of(const struct wt_dwarf_names *names, Dwarf_Die *function,
			    Dwarf_Die *class_ret)
{
	size_t seen = 0;
	Dwarf_Die child;

	if (dwarf_child(function, &child))
		return false;
	do {
		const char *name = dwarf_diename(&child);
		struct wt_dwarf_type type, target;

		if (dwarf_tag(&child) != DW_TAG_formal_parameter || !name || strcmp(name, "this"))
			continue;
		wt_dwarf_type_of(&type, names->unit, &child);
		wt_dwarf_type_target(&type, names->unit, &target);
		*class_ret = target.die;
		return target.has_die && target.kind == WT_DWARF_TYPE_STRUCT;
	} while (++seen < MAX_ENTRIES && !dwarf_siblingof(&child, &child));
	return false;
}

/* The innermost first; then blocks that are not entered, or of which it is not known, if one alone has the name. */
static bool search_function(struct search *search, const struct wt_dwarf_names *names)
{
	Dwarf_Die scope, origin;

	for (size_t i = names->scope_count; i--;) {
		scope = names->scopes[i];
		search->is_own =
			search_in(search, &scope, MAX_DEPTH) ||
			(origin_of(&scope, &origin) && search_in(search, &origin, MAX_DEPTH));
		if (search->is_own)
			return true;
	}
	if (!names->scope_count)
		return false;
	if (method_class_of(names, &scope, &origin) && search_in(search, &origin, MAX_DEPTH))
		return true;
	return search_only(search, origin_of(&scope, &origin) ? &origin : &scope, MAX_DEPTH);
}

static bool search_all(struct search *search, const struct wt_dwarf_names *names)
{
	search->unit = names->unit;
	if (!names->unit->object)
		return false;
	return search_function(search, names) || search_in(search, &names->unit->die, MAX_DEPTH) ||
	       search_only(search, &names->unit->die, 1);
}

static bool find_type(const struct wt_dwarf_names *names, const char *name, size_t length,
		      struct wt_dwarf_type *type_ret)
{
	struct search search = {.text = name, .length = length, .take = take_named_type};

	if (!search_all(&search, names))
		return false;
	*type_ret = search.type;
	return true;
}

bool wt_dwarf_named_enumerator(const struct wt_dwarf_names *names, const char *name,
			       struct wt_dwarf_type *type_ret, uint64_t *number_ret)
{
	struct search search = {.text = name, .length = strlen(name), .take = take_enumerator};

	if (!search_all(&search, names))
		return false;
	/* Enumerations of a block are described with the function: which blocks have them is not known. */
	if (search.is_own && search.type.kind == WT_DWARF_TYPE_ENUM) {
		struct search other = search;

		other.take = take_other_enumerator;
		if (search_all(&other, names))
			return false;
	}
	*type_ret = search.type;
	*number_ret = search.number;
	return true;
}

/* A number of C as the unit's entry for it, if it has one. */
static bool number_type_find(struct wt_dwarf_unit *unit, struct wt_dwarf_type *type)
{
	size_t seen = 0;
	Dwarf_Die child;

	if (!unit->object || type->kind == WT_DWARF_TYPE_NONE || dwarf_child(&unit->die, &child))
		return false;
	do {
		struct wt_dwarf_type found;

		if (dwarf_tag(&child) != DW_TAG_base_type)
			continue;
		wt_dwarf_type_init(&found, unit, &child);
		if (found.kind == type->kind && found.bits == type->bits &&
		    found.form == type->form) {
			*type = found;
			return true;
		}
	} while (++seen < MAX_ENTRIES && !dwarf_siblingof(&child, &child));
	return false;
}

/* A pointer to a type, which the unit must have an entry of. */
static bool pointer_type_find(struct wt_dwarf_unit *unit, struct wt_dwarf_type *type)
{
	Dwarf_Off target;
	size_t seen = 0;
	Dwarf_Die child;

	if ((!type->has_die && !number_type_find(unit, type)) || dwarf_child(&unit->die, &child))
		return false;
	target = dwarf_dieoffset(&type->die);
	do {
		struct wt_dwarf_type pointed;

		if (dwarf_tag(&child) != DW_TAG_pointer_type)
			continue;
		wt_dwarf_type_of(&pointed, unit, &child);
		if (pointed.has_die && dwarf_dieoffset(&pointed.die) == target) {
			wt_dwarf_type_init(type, unit, &child);
			return true;
		}
	} while (++seen < MAX_ENTRIES && !dwarf_siblingof(&child, &child));
	return false;
}

/* The longest run of words that is a type of C: "unsigned long long". */
static bool parse_known(const char *text, struct wt_dwarf_type *type_ret, const char **end_ret)
{
	char words[32] = "";
	bool found = false;

	for (const char *at = text; type_word_length(at);
	     at = type_text_skip_blanks(at + type_word_length(at))) {
		size_t length = type_word_length(at), used = strlen(words);

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
			if (!strcmp(words, "__bf16"))
				type_ret->form = WT_REAL_BFLOAT16;
			*end_ret = at + length;
			found = true;
		}
	}
	return found;
}

/* Up to the > that belongs to the < at a place; 0 if there is none. */
static size_t template_length(const char *text, size_t at)
{
	int open = 0;

	for (; text[at]; at++) {
		open += (text[at] == '<') - (text[at] == '>');
		if (!open)
			return at + 1;
	}
	return 0;
}

static const char *const tags[] = {"struct", "union", "enum", "class"};

bool wt_dwarf_is_tag(const char *word)
{
	for (size_t i = 0; i < sizeof(tags) / sizeof(*tags); i++)
		if (!strcmp(word, tags[i]))
			return true;
	return false;
}

static bool parse_base(const struct wt_dwarf_names *names, const char *text,
		       struct wt_dwarf_type *type_ret, const char **end_ret)
{
	size_t length;

	if (parse_known(text, type_ret, end_ret))
		return true;
	for (size_t i = 0; i < sizeof(tags) / sizeof(*tags); i++)
		if (type_word_is(text, tags[i]))
			text = type_text_skip_blanks(text + strlen(tags[i]));
	length = wt_dwarf_path_length(text);
	/* The arguments of a template belong to its name. */
	if (length && text[length] == '<') {
		size_t whole = template_length(text, length);

		if (whole && find_type(names, text, whole, type_ret)) {
			*end_ret = text + whole;
			return true;
		}
	}
	*end_ret = text + length;
	return length && find_type(names, text, length, type_ret);
}

bool wt_dwarf_named_parse(const struct wt_dwarf_names *names, const char *text,
			  struct wt_dwarf_named *named, const char **end_ret)
{
	const char *end;

	*named = (struct wt_dwarf_named){0};
	text = type_text_skip_blanks(text);
	for (size_t i = 0; i < sizeof(spaces) / sizeof(*spaces); i++) {
		if (!type_word_is(text, spaces[i].word))
			continue;
		named->has_space = true;
		named->space = spaces[i].space;
		text = type_text_skip_blanks(text + strlen(spaces[i].word));
		break;
	}
	if (type_word_is(text, "const"))
		text = type_text_skip_blanks(text + strlen("const"));
	if (!parse_base(names, text, &named->type, &end))
		return false;
	for (;;) {
		end = type_text_skip_blanks(end);
		if (type_word_is(end, "const")) {
			end = type_text_skip_blanks(end + strlen("const"));
		} else if (*end == '*') {
			/* For a pointer without an entry, nothing says what it points to. */
			if (named->is_pointer && !pointer_type_find(names->unit, &named->type))
				named->type = (struct wt_dwarf_type){.kind = WT_DWARF_TYPE_NONE};
			named->is_pointer = true;
			end++;
		} else {
			break;
		}
	}
	if ((named->has_space || named->type.kind == WT_DWARF_TYPE_NONE) && !named->is_pointer)
		return false;
	*end_ret = end;
	return true;
}
