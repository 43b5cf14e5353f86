/* SPDX-License-Identifier: MIT */
/* Declarations that the files share which find a cause. */
#ifndef WT_REPLAYER_VIEW_EXPLAIN_CAUSE_INTERNAL_H
#define WT_REPLAYER_VIEW_EXPLAIN_CAUSE_INTERNAL_H

#include <string.h>

#include "replayer/view/explain-cause.h"
#include "replayer/view/explain-mapping.h"
#include "replayer/view/kernel-launch.h"

/* A wave's dispatch, as far as it was recorded. */
struct wt_cause_dispatch {
	uint64_t handle, process;
	uint32_t workgroup_size[3], grid_size[3];
	bool has_local_size, has_private_size;
	uint64_t local_size;   /* bytes of a workgroup's local memory: may be 0 */
	uint64_t private_size; /* bytes of a work-item's private memory: likewise */
};

/* Addresses of global memory that get the same verdict. */
struct wt_judged {
	struct wt_span alike;
	enum wt_access_verdict verdict;
};

#define WT_JUDGED_KEPT 64u

/* The `opaque` of an analysis. */
struct wt_cause_source {
	struct wt_explainer *explainer;
	struct wt_view *view;
	uint64_t wave, process;
	const struct wt_cause_dispatch *dispatch;
	const struct gfx_architecture *architecture;
	uint64_t packet_address; /* 0: not known */
	uint64_t local_room;	 /* UINT64_MAX: not known */
	struct wt_view_packet packet;
	const struct wt_mappings *mappings;
	uint64_t arguments, arguments_end; /* of the kernel */
	uint32_t reasons;		   /* why the wave stopped */
	/* Verdicts that were asked for last, by the page of the address; there is none where the last address is 0. */
	struct wt_judged judged[WT_JUDGED_KEPT];
};

/* A wave of which a way is wanted, whatever it has stopped for. */
struct wt_followed {
	struct wt_analysis_input input; /* its `opaque` is `source` */
	struct wt_cause_source source;
	struct wt_cause_dispatch dispatch;
	struct wt_cause
		cause; /* the wave and the kernel's arguments; `why_not` if it cannot be followed: then the input is not whole */
};

/**
 * Prepare a wave for being followed.
 *
 * @explainer: must outlive it.
 * @followed_ret: for the caller to wt_followed_destroy(). It may not be copied.
 */
struct wt_error *wt_followed_create(struct wt_explainer *explainer, uint64_t wave,
				    const struct wt_cause_limits *limits,
				    struct wt_followed **followed_ret);
void wt_followed_destroy(struct wt_followed *followed); /* NULL is legal */

/** Say how following a wave ended where it did not arrive, and at which instruction. @text_ret: for the caller to free(). */
struct wt_error *wt_followed_say_end(struct wt_explainer *explainer,
				     const struct gfx_architecture *architecture,
				     enum wt_analysis_end end, uint64_t pc, char **text_ret);

/** Fill in `near`: what the address is near, and which argument it was made from (explain-near.c). */
struct wt_error *wt_cause_look_around(struct wt_view *view, const struct wt_mappings *mappings,
				      uint64_t process, struct wt_cause *cause);

/**
 * Says what the recorder found at a page of global memory: 1 mapped, -1 not, or not for the program itself (see wt_cause_is_reserved()), 0
 * not looked at. @end_ret: past its last byte.
 */
int wt_cause_page(const struct wt_view *view, uint64_t process, uint64_t address,
		  uint64_t *end_ret);

/** Is an address of global memory only reserved by the program? Then a GPU may have memory there all the same. */
bool wt_cause_is_reserved(const struct wt_view *view, uint64_t process, uint64_t address);

/** The first byte from an address on that is not mapped; false if it is not known that all between is. */
bool wt_cause_end(const struct wt_view *view, uint64_t process, uint64_t address,
		  uint64_t *end_ret);

/** The argument, or the part of one, that a step loads, by the word of the result that is meant; NULL if it loads none. */
const struct wt_explain_argument *wt_cause_loaded_argument(const struct wt_cause *cause,
							   const struct wt_analysis_step *step,
							   uint32_t word);

/** Does a step load what the launch says, and not what is in a buffer: bytes of the dispatch packet? @offset_ret: which. */
bool wt_cause_loads_packet(const struct wt_cause *cause, const struct wt_analysis_step *step,
			   uint64_t *offset_ret);

/** Is a word of an argument among those of a set, as struct wt_analysis has them? */
bool wt_cause_has_words(uint64_t words, const struct wt_explain_argument *argument);

/** Is an argument a number that could count elements? */
static inline bool wt_cause_is_number(const struct wt_explain_argument *argument)
{
	return !argument->hidden && !argument->pointer && !argument->no_integer &&
	       argument->known && !strcmp(argument->kind, "by_value") &&
	       (argument->size == 4 || argument->size == 8) && argument->value &&
	       argument->value <= UINT32_MAX;
}

/** Does an argument count the elements from where a pointer points to @end: exactly, or up to the end of a page? */
bool wt_cause_counts(const struct wt_cause *cause, const struct wt_explain_argument *pointer,
		     const struct wt_explain_argument *argument, uint64_t end);

/* Farther off, an index is not just a little wrong. */
#define WT_CAUSE_MAX_ELEMENTS (INT64_C(1) << 20)
/* Below it no program has memory. */
#define WT_CAUSE_LOWEST_ADDRESS UINT64_C(0x10000)
/* From there on no GPU has any: the widest addresses have 57 bits. */
#define WT_CAUSE_HIGHEST_ADDRESS (UINT64_C(1) << 57)

/* The facts by which a cause is looked for. */
struct wt_cause_naming {
	struct wt_view *view;
	const struct wt_cause_dispatch *dispatch;
	const struct wt_cause_limits *limits;
	struct wt_cause *cause;
	uint64_t failed; /* lanes */
	const struct wt_mappings *mappings;
};

#define WT_CAUSE_ELEMENT 320 /* bytes: a label and two numbers */

/** Set a cause and its sentence. */
__attribute__((format(printf, 3, 4))) struct wt_error *
wt_cause_say(struct wt_cause *cause, enum wt_cause_kind kind, const char *format, ...);

/** The argument, or the part of one, whose pointer the address was made from; NULL if that is not certain. */
const struct wt_explain_argument *wt_cause_argument_of(const struct wt_cause *cause);

#define WT_CAUSE_LINE 480 /* bytes: two names of files and two numbers */

/**
 * Print @before and the source line of an instruction, as " at main.hip:6", or " at vector.h:93 from main.hip:6" where it is inlined from another
 * file: nothing, also in place of @before, where no line is known.
 */
const char *wt_cause_line(const char *before, const struct wavetape_place *code,
			  char text_ret[WT_CAUSE_LINE]);

/** "out[17]", "out[17].count", or "out[17] + 4 bytes", of the argument that the address was made from (explain-flow.c). */
const char *wt_cause_element(const struct wt_cause *cause, char text_ret[WT_CAUSE_ELEMENT]);

#define WT_CAUSE_THROUGH 800

/**
 * Name the pointer that led into local or private memory (explain-pointer.c): ", through the pointer kept that was loaded at a.hip:6".
 *
 * @base: where that memory is, in the addresses of all memory. @text_ret: "" if no loaded pointer is certain.
 */
const char *wt_cause_through(const struct wt_cause_naming *naming, uint64_t base,
			     char text_ret[WT_CAUSE_THROUGH]);

/** "stores to", "loads from", "updates". */
const char *wt_cause_does(const struct wt_cause *cause);

/**
 * Name what a step loads in the followed lane as the source does: "in[131]", "nodes[1].dst"; "table + 12" where DWARF does not say what is
 * there (explain-flow.c).
 *
 * @offset: bytes into what the step loads. @size: bytes.
 * Return: the pointer argument that the address leads on from; NULL, and "", if that is not one alone.
 */
const struct wt_explain_argument *wt_cause_name_loaded(const struct wt_cause *cause, size_t at,
						       uint32_t offset, uint32_t size,
						       char text_ret[WT_EXPLAIN_POINTED]);

#define WT_CAUSE_INDEX (WT_EXPLAIN_POINTED + WT_CAUSE_LINE + 64)

/**
 * Say where the index of an access is from: "; its index was loaded from in[131] at main.hip:6", that it was made from it, or ""
 * (explain-flow.c).
 *
 * @at: the step that makes the access: 0 for the one that failed. Of another one only what was loaded is said.
 */
const char *wt_cause_index_source(const struct wt_cause *cause, size_t at,
				  char text_ret[WT_CAUSE_INDEX]);

/** Is a step an operation of which an address still is a sum that has each of the operands as a part (explain-flow.c)? */
bool wt_cause_is_linear(const struct wt_analysis_step *step);

/** Does a step move a word as it is, from a register or out of the instruction? */
static inline bool wt_cause_moves_word(const struct wt_analysis_step *step)
{
	const char *name = gfx_computes(step->instruction.operation);

	return !strcmp(name, "v_mov_b32") ||
	       (!strcmp(name, "s_mov") && step->instruction.operation->dst == GFX_B32);
}

enum wt_cause_operand {
	WT_CAUSE_OPERAND_FOUND, /* the one word that the step found */
	WT_CAUSE_OPERAND_LOW,	/* the lower word of two as well */
	WT_CAUSE_OPERAND_OF_CODE, /* only what the code says: the instruction itself, or one that did nothing else */
};

/** The value of an operand of a step, by its number, in the followed lane (explain-flow.c). Return: false if it is not known. */
bool wt_cause_operand(const struct wt_cause *cause, const struct wt_analysis_step *step,
		      enum wt_cause_operand kind, uint32_t index, uint32_t *value_ret);

/**
 * Does the address that a step accesses lead on from where an argument points: was it added to, and not shifted, multiplied or mixed with
 * other bits (explain-flow.c)? False, too, where the list of steps does not go back as far.
 */
bool wt_cause_points_on(const struct wt_cause *cause, size_t target,
			const struct wt_explain_argument *argument);

/* A bit for each word of what a step has written. */
typedef uint16_t wt_step_words;

/** Mark the words of steps from which the address that a step accesses leads on (explain-flow.c). @marks: all 0 before. */
void wt_cause_mark_pointer(const struct wt_cause *cause, size_t target,
			   wt_step_words marks[WT_ANALYSIS_MAX_LISTED]);

/**
 * Is the pointer that the followed lane accessed null because the code says so, as `found ? &all[i] : nullptr` does (explain-flow.c)?
 *
 * @made_ret: the step that says so. @chosen_ret: it chooses between two values; else it sets one.
 */
bool wt_cause_is_made_zero(const struct wt_cause *cause, size_t *made_ret, bool *chosen_ret);

/** Are the addresses of all lanes that failed from @from on and below @to? */
static inline bool wt_cause_all_failed(const struct wt_cause_naming *naming, uint64_t from,
				       uint64_t to)
{
	for (uint64_t left = naming->failed; left; left &= left - 1) {
		uint64_t address = naming->cause->wave.access.addresses[__builtin_ctzll(left)];

		if (address < from || address >= to)
			return false;
	}
	return naming->failed;
}

/**
 * Name a cause that lies in the pointer itself, or of a wave that jumped to where no code is, in where it jumped to (explain-pointer.c):
 * the first one that is certain.
 */
struct wt_error *wt_cause_name_pointer(struct wt_cause_naming *naming);

/** A product of 32 bits that did not fit, or else a sum of them with a sign (explain-overflow.c). */
struct wt_error *wt_cause_name_overflow(struct wt_cause_naming *naming);
/** A number of 8 or 16 bits that had no room for what it was set to (explain-variables.c). */
struct wt_error *wt_cause_name_narrow(struct wt_cause_naming *naming);
/**
 * Say which array of a function an access of private memory, in the followed lane, leads on from, or one of local memory, if there is no other
 * there (explain-variables.c).
 *
 * @byte: of that memory. @text_ret: "own[1048576], and own has 16 elements: "; "" where that is not certain.
 */
struct wt_error *wt_cause_say_array(struct wt_cause_naming *naming, int64_t byte,
				    char text_ret[WT_CAUSE_ELEMENT]);
/** Find the variable of the program that the address leads on from, and those that its steps load (explain-global.c): `variable` of each. */
struct wt_error *wt_cause_find_variables(struct wt_explainer *explainer, struct wt_cause *cause);
/**
 * Name what a step loads of a variable of the program, whose `global` it has (explain-global.c): "operations[2]", "table + 12" where that is no
 * element.
 *
 * @offset, @size: bytes of what the step loads.
 */
const char *wt_cause_name_global(const struct wt_cause *cause, size_t at, uint32_t offset,
				 uint32_t size, char text_ret[WT_EXPLAIN_POINTED]);
/** An access past the end of that variable, or before its start (explain-global.c). */
struct wt_error *wt_cause_name_variable(struct wt_cause_naming *naming);
/** An index of 32 bits that went below zero, and was used without its sign (explain-overflow.c). */
struct wt_error *wt_cause_name_wrapped(struct wt_cause_naming *naming);

/**
 * Describe the steps of the analysis (explain-steps.c): the code of each, and what its value is in the user's terms.
 *
 * @entry: of the kernel. `steps` of the cause is set, also where it fails.
 */
struct wt_error *wt_cause_describe_steps(struct wt_explainer *explainer,
					 const struct gfx_architecture *architecture,
					 uint64_t entry, struct wt_cause *cause);

/** Is it the symbol of abort()? Sources may have that with the linkage of C++. */
static inline bool wt_cause_is_abort(const char *symbol)
{
	return !strcmp(symbol, "abort") || !strcmp(symbol, "_Z5abortv");
}

/**
 * Name the assertion, or where the code called abort() or trapped by itself.
 *
 * @entry: of the function that ended it, with calls, which are in `calls` of the cause; NULL if it trapped where it is.
 */
struct wt_error *wt_cause_name_ending(struct wt_explainer *explainer,
				      const struct gfx_architecture *architecture,
				      const struct wt_entry *entry, struct wt_cause *cause);

/**
 * Says what raised an arithmetic exception, and where its operands came from; of any other fault, that the code is of another GPU than the
 * wave's (explain-exception.c). No sentence where there are no words for it.
 */
struct wt_error *wt_cause_name_exception(struct wt_explainer *explainer, struct wt_cause *cause);

/** Name the cause if it is certain (explain-sentence.c). */
struct wt_error *wt_cause_name(struct wt_explainer *explainer,
			       const struct wt_cause_dispatch *dispatch,
			       const struct wt_cause_limits *limits, struct wt_cause *cause);

#endif /* WT_REPLAYER_VIEW_EXPLAIN_CAUSE_INTERNAL_H */
