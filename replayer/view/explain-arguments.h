/* SPDX-License-Identifier: MIT */
/* The arguments of a dispatch's kernel by name, with the values that were recorded. */
#ifndef WT_REPLAYER_VIEW_EXPLAIN_ARGUMENTS_H
#define WT_REPLAYER_VIEW_EXPLAIN_ARGUMENTS_H

#include "replayer/view/explain.h"

/* An argument, or a part of one: a member of a structure. */
struct wt_explain_argument {
	char *name; /* as in the source: "out", "view.data"; NULL if neither metadata nor DWARF says */
	char *label; /* for sentences: the name, or else "argument 2", counted from 1 */
	char *kind;  /* as in the code object: "global_buffer", "by_value" */
	char *type;  /* as in the source: "float *"; NULL if DWARF does not say */
	char *text;  /* the value as its type has it: "1.5", "{x = 1}"; NULL if that is not known */
	uint32_t offset, size; /* bytes in the kernel argument segment */
	bool hidden;	       /* the compiler's, not in the source */
	bool pointer;	       /* to global memory */
	uint32_t element;      /* bytes of what a pointer points to; 0: DWARF does not say */
	bool no_integer;       /* its type is known, and is no integer; or it is `untyped` */
	bool untyped; /* a part of a structure of which DWARF says nothing: eight bytes of it, or what is left at its end */
	bool known;   /* its first 8 bytes, or all if it has less, were recorded: */
	uint64_t value;
	size_t argument; /* of a part: which argument it is of */
	char *memory; /* of a pointer to a buffer: "4096 bytes", "64 into 4096 bytes", "freed"; NULL if it is not known */
};

#define WT_EXPLAIN_MEMBER 96u /* bytes of a member's name: longer ones are left out */

/* A number in what a pointer points to: a member of a structure, or all of it. */
struct wt_explain_member {
	size_t part;	       /* which of the parts points to it */
	uint32_t offset, size; /* bytes of an element */
	bool is_float, is_pointer;
	char name[WT_EXPLAIN_MEMBER]; /* "status", "range.first", "counts[2]"; "" of all of it */
};

struct wt_explain_arguments {
	uint64_t address; /* of the segment; 0 if it is not known */
	struct wt_explain_argument *list;
	size_t count;
	/* They are not what the kernel was launched with: the workgroup has another size in them than in the dispatch. */
	bool overwritten;
	/*
	 * Values are made from these: the members of structures as far as DWARF says what these are, and all other arguments
	 * as they are. In order of the arguments.
	 */
	struct wt_explain_argument *parts;
	size_t part_count;
	struct wt_explain_member *members; /* of what they point to, as far as DWARF says it */
	size_t member_count;
};

/**
 * The arguments of a dispatch. None where the code object was not recorded or does not describe them. Names that the
 * metadata has not are those of DWARF, by position, if the two agree on all sizes.
 *
 * @arguments_ret: for the caller to wt_explain_arguments_deinit().
 */
struct wt_error *wt_explain_arguments(struct wt_explainer *explainer, uint64_t dispatch,
				      struct wt_explain_arguments *arguments_ret);
void wt_explain_arguments_deinit(struct wt_explain_arguments *arguments);

/** The argument of a name in the source whose value is known; NULL if there is none. */
const struct wt_explain_argument *
wt_explain_argument_named(const struct wt_explain_arguments *arguments, const char *name);

#define WT_EXPLAIN_POINTED 160u /* bytes of such a name: longer ones are cut */

/**
 * Name a number in what a pointer points to as the source does: "flag[0]", "tiles[5].status", "lock->owner".
 *
 * @part: one of the parts; its value may not be above the address.
 * @text_ret: "" where DWARF does not say what has these bytes.
 * Return: the member that it is; NULL where there is none.
 */
const struct wt_explain_member *
wt_explain_name_pointed(const struct wt_explain_arguments *arguments,
			const struct wt_explain_argument *part, uint64_t address, uint32_t size,
			char text_ret[WT_EXPLAIN_POINTED]);

#define WT_EXPLAIN_LINKED (WT_EXPLAIN_POINTED + 1)

/**
 * Name memory by a pointer to it that is itself in what an argument points to: "*lists[1].tail".
 *
 * @text_ret: "" where no such pointer was recorded in the first page of that.
 */
void wt_explain_name_linked(struct wt_view *view, const struct wt_explain_arguments *arguments,
			    uint64_t address, char text_ret[WT_EXPLAIN_LINKED]);

/** "argument ", to stand between "kernel " and the label; nothing where the label begins so. */
static inline const char *wt_explain_argument_word(const struct wt_explain_argument *argument)
{
	return argument->name || argument->hidden ? "argument " : "";
}

#endif /* WT_REPLAYER_VIEW_EXPLAIN_ARGUMENTS_H */
