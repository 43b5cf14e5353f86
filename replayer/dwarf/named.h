/* SPDX-License-Identifier: MIT */
/* Types and enumerators by the names that users write. What a function has of its own goes before what the unit has. */
#ifndef WT_REPLAYER_DWARF_NAMED_H
#define WT_REPLAYER_DWARF_NAMED_H

#include <ctype.h>
#include <stdbool.h>

#include "replayer/dwarf/type.h"

#define WT_DWARF_MAX_DIMENSIONS 8

/* The scope in which names are looked up. */
struct wt_dwarf_names {
	struct wt_dwarf_unit *unit;
	const Dwarf_Die
		*scopes; /* the function and the blocks in it that are entered, outermost first */
	size_t scope_count;
};

struct wt_dwarf_named {
	struct wt_dwarf_type type; /* what it names, or points to */
	bool is_pointer;
	bool has_space; /* it says where it points to: local, private, global, generic */
	enum gfx_space space;
	uint64_t dimensions[WT_DWARF_MAX_DIMENSIONS]; /* of an array of such */
	size_t dimension_count;
};

/** Can this byte be in a name? Those of characters that ASCII has not can, since C and C++ have names of them. */
static inline bool wt_dwarf_is_of_name(char byte)
{
	return isalnum((unsigned char)byte) || byte == '_' || (unsigned char)byte >= 0x80;
}

/**
 * Read a type: "float", "unsigned int", "struct pair *", "local int *", "shapes::box<float, 3> **". Of a pointer to a pointer that
 * the unit has no entry of the target has kind NONE.
 *
 * @end_ret: behind it.
 * Return: false if there is none of that name.
 */
bool wt_dwarf_named_parse(const struct wt_dwarf_names *names, const char *text,
			  struct wt_dwarf_named *named_ret, const char **end_ret);

/** An enumerator: of an enum class behind the name of that. */
bool wt_dwarf_named_enumerator(const struct wt_dwarf_names *names, const char *name,
			       struct wt_dwarf_type *type_ret, uint64_t *number_ret);

/** Is a word "struct", "union", "enum" or "class"? */
bool wt_dwarf_is_tag(const char *word);

/** The length of the name that a text begins with, with the scopes it is in, as in "a::b"; 0 if it begins with none. */
size_t wt_dwarf_path_length(const char *text);

#endif /* WT_REPLAYER_DWARF_NAMED_H */
