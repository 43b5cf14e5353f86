/* SPDX-License-Identifier: MIT */
/* Types of DWARF: names, sizes, and what they are made of. */
#ifndef WT_REPLAYER_DWARF_TYPE_H
#define WT_REPLAYER_DWARF_TYPE_H

#include "replayer/dwarf/object.h"
#include "replayer/dwarf/expression.h"
#include "replayer/dwarf/real.h"

enum wt_dwarf_kind {
	WT_DWARF_TYPE_NONE, /* void, or one that cannot be read */
	WT_DWARF_TYPE_SIGNED,
	WT_DWARF_TYPE_UNSIGNED,
	WT_DWARF_TYPE_BOOLEAN,
	WT_DWARF_TYPE_CHARACTER, /* char; signed char and unsigned char are numbers */
	WT_DWARF_TYPE_FLOAT,
	WT_DWARF_TYPE_ENUM,
	WT_DWARF_TYPE_POINTER, /* and references */
	WT_DWARF_TYPE_ARRAY,   /* and vectors */
	WT_DWARF_TYPE_STRUCT,  /* and unions and classes */
	WT_DWARF_TYPE_FUNCTION,
};

/* A type without its typedefs and qualifiers. */
struct wt_dwarf_type {
	enum wt_dwarf_kind kind;
	bool is_constant; /* const is among its qualifiers */
	bool is_signed;	  /* of a character, or an enumeration */
	bool is_reference, is_union, is_vector;
	enum wt_real_form form; /* of a FLOAT */
	uint64_t bits;		/* its size; 0 if not known */
	Dwarf_Die die;		/* of the bare type; not of a WT_DWARF_TYPE_NONE */
	Dwarf_Die named;	/* as it was given */
	bool has_die;
	/* For a pointer: the space that it points to, as far as that is known. */
	bool has_space;
	enum gfx_space space;
	/* For an array: the first of the dimensions that its elements are counted in. */
	unsigned int dimension;
};

/** Read a type from its entry. */
void wt_dwarf_type_init(struct wt_dwarf_type *type, struct wt_dwarf_unit *unit, Dwarf_Die *die);

/** The type that an entry's DW_AT_type names; kind NONE if there is none. */
void wt_dwarf_type_of(struct wt_dwarf_type *type, struct wt_dwarf_unit *unit, Dwarf_Die *entry);

/** "int *", "struct pair", "float[4][2]": of at most WT_DWARF_MAX_TYPE bytes. */
const char *wt_dwarf_type_name(const struct wt_dwarf_type *type, struct wt_dwarf_unit *unit,
			       char buffer[WT_DWARF_MAX_TYPE]);

/** Finds what a pointer points to, or the element of an array: of the next dimension, if there is one. */
void wt_dwarf_type_target(const struct wt_dwarf_type *type, struct wt_dwarf_unit *unit,
			  struct wt_dwarf_type *target_ret);

/** How many elements the array has in its first dimension; false if that is not known. */
bool wt_dwarf_type_count(const struct wt_dwarf_type *type, uint64_t *count_ret);

/* A member of a structure. */
struct wt_dwarf_member {
	const char *name; /* NULL: of none, as that of a base class or an unnamed union */
	bool is_base;
	bool is_virtual; /* a base whose place the object itself says: `place` computes it from the object's */
	struct wt_cursor place;
	uint64_t offset; /* in bits; of a virtual base 0 */
	struct wt_dwarf_type type;
	uint64_t bits; /* of a bit field; else of the type */
	bool is_field;
	Dwarf_Die die;
};

/** The members one by one: start with a zeroed @state; false after the last. */
struct wt_dwarf_members {
	bool started;
	Dwarf_Die die;
	size_t count;
};
bool wt_dwarf_member_next(const struct wt_dwarf_type *type, struct wt_dwarf_unit *unit,
			  struct wt_dwarf_members *state, struct wt_dwarf_member *member_ret);

/** A type's name with the namespaces and classes that it is in: "front::base". */
const char *wt_dwarf_type_path(const struct wt_dwarf_type *type, struct wt_dwarf_unit *unit,
			       char buffer[WT_DWARF_MAX_TYPE]);

/**
 * How a member is called among those of its structure: by its name, a base by its type with the namespaces that it is in, and one
 * without a name by its type. The same once more has a number: "union #2".
 */
const char *wt_dwarf_member_label(const struct wt_dwarf_type *type, struct wt_dwarf_unit *unit,
				  const struct wt_dwarf_member *member,
				  char buffer[WT_DWARF_MAX_TYPE]);

/** Has each member of a structure a name that no other one has, and that does not mean anything else in JSON? */
bool wt_dwarf_type_is_plain(const struct wt_dwarf_type *type);

/** The name of an enumerator with this value; NULL if there is none. */
const char *wt_dwarf_enumerator(const struct wt_dwarf_type *type, uint64_t value);

/**
 * A value of an enumeration whose enumerators are bits, as those that are set: "READ | WRITE". Bits without a name follow them as
 * a number.
 *
 * Return: false if its enumerators are no bits, or none of them is set.
 */
bool wt_dwarf_flags(const struct wt_dwarf_type *type, uint64_t value,
		    char text_ret[WT_DWARF_MAX_TYPE]);

/** Is a structure one that stands for floating point numbers, as HIP's __half2? See wt_real_class(). */
unsigned int wt_dwarf_type_reals(const struct wt_dwarf_type *type, enum wt_real_form *form_ret,
				 unsigned int *bits_ret);

#endif /* WT_REPLAYER_DWARF_TYPE_H */
