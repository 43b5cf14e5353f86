/* SPDX-License-Identifier: MIT */
/* Which functions, inlined ones too, and which variables there are at an address of code. */
#ifndef WT_REPLAYER_DWARF_SCOPE_H
#define WT_REPLAYER_DWARF_SCOPE_H

#include "replayer/dwarf/frame.h"
#include "replayer/dwarf/object.h"

#define WT_DWARF_MAX_SCOPES 64

/* The scopes around an address, outermost first: a function, and the blocks and inlined functions in it. */
struct wt_dwarf_scopes {
	struct wt_dwarf_unit unit;
	Dwarf_Die dies[WT_DWARF_MAX_SCOPES];
	size_t count;
	/* Is the innermost a function that was not inlined? Then where its code is, `high` 0 if that is not in one piece; and whether it says that it is a kernel. */
	bool has_function, is_kernel;
	uint64_t low, high;
};

/** Find them; false if DWARF has no unit there. @lookup: in the ELF file. */
bool wt_dwarf_scopes_find(const struct wt_dwarf_object *object, uint64_t lookup,
			  struct wt_dwarf_scopes *scopes_ret);

/** Take from the scopes what a frame needs to know of its function. */
static inline void wt_dwarf_scopes_fill(const struct wt_dwarf_scopes *scopes,
					struct wt_dwarf_frame *frame)
{
	frame->has_function = scopes->has_function;
	if (!scopes->has_function)
		return;
	frame->function = scopes->dies[0];
	frame->low = scopes->low;
	frame->high = scopes->high;
	frame->is_kernel |= scopes->is_kernel;
}

/* A function as a user sees it: inlined or not. */
struct wt_dwarf_function {
	const char *name; /* NULL if not known */
	bool inlined;
	size_t first, last; /* its scopes */
	/*
	 * The place at which it called, or was inlined into, the next inner one: of all but the innermost; else 0 and
	 * NULL.
	 */
	const char *file;
	const uint8_t *md5; /* of the file when it was compiled; NULL if DWARF does not say */
	int line, column;
};

/**
 * The functions at the address, innermost first.
 *
 * @functions_ret: room for WT_DWARF_MAX_SCOPES. Return: how many.
 */
size_t wt_dwarf_functions(struct wt_dwarf_scopes *scopes, struct wt_dwarf_function *functions_ret);

/**
 * The source line of an address, as one of the functions around it sees it: of what was inlined into that function, the line of the
 * call. 0 if it is not known, or the address is not in the function.
 *
 * @function: the offset of its entry: of the function itself or of one copy that was inlined.
 */
int wt_dwarf_line_in(const struct wt_dwarf_object *object, Dwarf_Off function, uint64_t address);

/**
 * Returns where a function's own code begins, behind what it does to its frame and its parameters, as the line table
 * says.
 *
 * Return: 0 if it does not say so.
 */
uint64_t wt_dwarf_body_start(const struct wt_dwarf_frame *frame);

/* A variable, or a parameter. */
struct wt_dwarf_variable {
	Dwarf_Die die;
	const char *name;
	bool is_parameter;
	bool is_shadowed; /* one of the same name is in a scope further in */
};

/**
 * The variables of a function, parameters first, then those of the innermost blocks last.
 *
 * @variables_ret: an array for the caller to free. Return: how many; SIZE_MAX if memory ran out.
 */
size_t wt_dwarf_variables(struct wt_dwarf_scopes *scopes, const struct wt_dwarf_function *function,
			  struct wt_dwarf_variable **variables_ret);

/** A variable of the unit, outside functions; false if there is none of that name. @is_placed: one that is somewhere. */
bool wt_dwarf_global(struct wt_dwarf_scopes *scopes, const char *name, bool is_placed,
		     struct wt_dwarf_variable *variable_ret);

#endif /* WT_REPLAYER_DWARF_SCOPE_H */
