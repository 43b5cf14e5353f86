/* SPDX-License-Identifier: MIT */
/* Values while an expression of a user is evaluated, and what can be done with one. */
#ifndef WT_REPLAYER_DWARF_EXPRESSION_VALUE_H
#define WT_REPLAYER_DWARF_EXPRESSION_VALUE_H

#include "replayer/dwarf/scene.h"

struct wt_dwarf_parser {
	const struct wt_dwarf_scene *scene;
	uint32_t lane;
	const char *start, *at;
	const char *blamed; /* what a complaint is about; NULL: the place that is read */
	unsigned int depth;
	bool failed;
	struct wt_dwarf_complaint *complaint;
};

/** Say why the text is no expression; the first complaint stays, and nothing is evaluated after it. */
__attribute__((format(printf, 2, 3))) void wt_dwarf_complain(struct wt_dwarf_parser *parser,
							     const char *format, ...);

/** A number that was computed, of its own type. */
void wt_dwarf_operand_number(struct wt_dwarf_operand *operand,
			     const struct wt_dwarf_scalar *scalar);

/** A value of a type that is not known. @why: a static text. */
void wt_dwarf_operand_unknown(struct wt_dwarf_operand *operand, const struct wt_dwarf_type *type,
			      const char *why);

/** A computed pointer. @why: NULL if the address is known. */
void wt_dwarf_operand_pointer(struct wt_dwarf_operand *operand, const struct wt_dwarf_type *target,
			      enum gfx_space space, uint64_t address, const char *why);

/** Read an object that is one number; then it is a computed one. A complaint if it is none. */
void wt_dwarf_operand_load(struct wt_dwarf_parser *parser, struct wt_dwarf_operand *operand);

/** An array where a pointer is meant: to its first element. What is no array is loaded. */
void wt_dwarf_operand_decay(struct wt_dwarf_parser *parser, struct wt_dwarf_operand *operand);

/** Makes the operand what the pointer points to. A complaint if it is no pointer, or to no type. */
void wt_dwarf_operand_dereference(struct wt_dwarf_parser *parser, struct wt_dwarf_operand *operand);

/**
 * Makes the operand what is at an index of a pointer that is nowhere itself, but whose target the debug information
 * names.
 *
 * Return: false, and nothing is done, if the pointer is no such.
 */
bool wt_dwarf_operand_follow_removed(struct wt_dwarf_parser *parser,
				     struct wt_dwarf_operand *operand, uint64_t index);

/** Makes a reference what it refers to; anything else stays. */
void wt_dwarf_operand_follow_reference(struct wt_dwarf_parser *parser,
				       struct wt_dwarf_operand *operand);

/** Its address, as a pointer. A complaint if it has none. */
void wt_dwarf_operand_address(struct wt_dwarf_parser *parser, struct wt_dwarf_operand *operand);

#define WT_DWARF_MAX_WAY 9  /* unnamed members and bases in each other */
#define WT_DWARF_MAX_WAYS 4 /* that are named where it is not clear which one is meant */

/* From a structure through unnamed members and bases to a member, or to a base. */
struct wt_dwarf_way {
	struct wt_dwarf_member steps[WT_DWARF_MAX_WAY];
	size_t count;
};

struct wt_dwarf_ways {
	struct wt_dwarf_way found[WT_DWARF_MAX_WAYS];
	size_t count; /* may be more than are kept */
};

/**
 * A member by name, also of unnamed ones and of bases: what a structure has itself hides what its bases have. Complains if several
 * bases have it.
 *
 * @of: the class that it is a member of, or has from a base, with its namespaces or without; NULL: of any.
 */
bool wt_dwarf_operand_find_member(struct wt_dwarf_parser *parser, const struct wt_dwarf_type *type,
				  const char *of, const char *name, struct wt_dwarf_way *way_ret);

/** A base by its type. Complains if there are several. */
bool wt_dwarf_operand_find_base(struct wt_dwarf_parser *parser, const struct wt_dwarf_type *type,
				const struct wt_dwarf_type *base, struct wt_dwarf_way *way_ret);

/** Go such a way in an object. */
void wt_dwarf_operand_follow_way(struct wt_dwarf_parser *parser, struct wt_dwarf_operand *operand,
				 const struct wt_dwarf_way *way);

/** A pointer to a class that is cast to one to @target: moved if either is a base of the other. */
void wt_dwarf_operand_cast_class(struct wt_dwarf_parser *parser, struct wt_dwarf_operand *pointer,
				 const struct wt_dwarf_type *target);

/** A part of it, at @offset in bits. */
void wt_dwarf_operand_select(struct wt_dwarf_operand *operand, const struct wt_dwarf_type *type,
			     uint64_t offset, uint64_t bits);

/** float4's x, y, z, w, and those of threadIdx. Return: false if it has no such. */
bool wt_dwarf_operand_component(struct wt_dwarf_parser *parser, struct wt_dwarf_operand *operand,
				const char *name);

/** Move a pointer by so many elements. */
void wt_dwarf_operand_move(struct wt_dwarf_operand *pointer, const struct wt_dwarf_operand *index,
			   bool back);

/** Is it a computed integer? */
bool wt_dwarf_operand_is_integer(const struct wt_dwarf_operand *operand);

/** Is a value of that type one number? */
bool wt_dwarf_type_is_number(const struct wt_dwarf_type *type);

#endif /* WT_REPLAYER_DWARF_EXPRESSION_VALUE_H */
