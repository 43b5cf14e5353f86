/* SPDX-License-Identifier: MIT */
/*
 * The call stack of a recorded wave, and the variables of its functions, in the words of the source. Everything is computed
 * from what was recorded; what is not known says why, and is never guessed.
 *
 * A stack is made of the frames that a user counts: a function that was inlined is one of its own. Values differ from lane to
 * lane; lanes that are not active are elsewhere, so their values are not asked for.
 */
#ifndef WT_REPLAYER_VIEW_STACK_H
#define WT_REPLAYER_VIEW_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "replayer/code/source.h"
#include "replayer/dwarf/print-expression.h"
#include "replayer/dwarf/variable.h"
#include "replayer/view/view.h"

#define WT_STACK_WHY 256

struct wt_stacks;

/** Keeps what is costly between waves: DWARF and decoded code. The view must outlive it. */
struct wt_error *wt_stacks_create(struct wt_view *view, struct wt_stacks **stacks_ret);
void wt_stacks_destroy(struct wt_stacks *stacks); /* NULL is legal */

struct wt_stack_frame {
	union {
		struct wavetape_frame facts;
		struct {
			WT_FRAME_FACTS
		};
	};
	struct wavetape_place
		place; /* without the instruction: where it stopped, or to which the call returns */
	enum wt_source_match
		source; /* as wt_stack_use_sources() has found; before, it is not known */
};

struct wt_stack;

/**
 * Follow the calls of a stopped wave.
 *
 * @stack_ret: for the caller to wt_stack_destroy(), before @stacks; NULL if the wave is not stopped, or was not recorded.
 */
struct wt_error *wt_stack_create(struct wt_stacks *stacks, uint64_t wave,
				 struct wt_stack **stack_ret);

struct wt_machine_state;

/** The same of a wave as it was elsewhere than at the stop of the view. @state: must outlive the stack. */
struct wt_error *wt_stack_create_at(struct wt_stacks *stacks, uint64_t wave,
				    const struct wt_machine_state *state,
				    struct wt_stack **stack_ret);
void wt_stack_destroy(struct wt_stack *stack); /* NULL is legal */

/** How many frames, innermost first, and one of them. Strings belong to the stacks. */
size_t wt_stack_count(const struct wt_stack *stack);
const struct wt_stack_frame *wt_stack_frame(const struct wt_stack *stack, size_t index);

struct wt_sources;

/**
 * Look at source files: note for each frame whether its own is the one that was compiled. What they say of variables counts from then on;
 * else that counts which was kept with the trace.
 *
 * @sources: must outlive the stack.
 *
 * Errors: no memory.
 */
struct wt_error *wt_stack_use_sources(struct wt_stack *stack, struct wt_sources *sources);

/** NULL if the outermost frame is the kernel; else why it is only the outermost known one. */
const char *wt_stack_end(const struct wt_stack *stack);

/** The lanes that are active, and how many the wave has. */
uint64_t wt_stack_lanes(const struct wt_stack *stack, uint32_t *count_ret);

struct wt_stack_variable {
	const char *name;
	bool is_parameter;
	bool is_shadowed; /* one of the same name is in a scope further in */
	char type[WT_DWARF_MAX_TYPE];
	uint64_t bits;	 /* of its type; 0: not known */
	bool is_integer; /* characters and enumerations among them */
	bool is_signed;
	int line; /* where it is declared; 0: not known */
};

/** How many variables and parameters a frame has, and one of them. */
struct wt_error *wt_stack_variables(struct wt_stack *stack, size_t frame, size_t *count_ret);
void wt_stack_variable(struct wt_stack *stack, size_t frame, size_t index,
		       struct wt_stack_variable *variable_ret);

/**
 * Show the value that a variable has in a lane. wt_stack_variables() must have been called for the frame.
 *
 * Return: true if the value was read nowhere, but computed of the source and of what the kernel was given.
 */
bool wt_stack_show(struct wt_stack *stack, size_t frame, size_t index, uint32_t lane,
		   const struct wt_dwarf_sink *sink);

/**
 * Evaluate an expression in the syntax of C over the variables of a frame, and show its value in a lane: see replayer/dwarf/print-expression.h.
 *
 * @type_ret: the name of its type. @is_one_ret: false if the text is no expression here; then the complaint says why.
 */
struct wt_error *wt_stack_print(struct wt_stack *stack, size_t frame, uint32_t lane,
				const char *text, const struct wt_dwarf_sink *sink,
				char type_ret[WT_DWARF_MAX_TYPE], bool *is_one_ret,
				struct wt_dwarf_complaint *complaint_ret);

/** Has a frame a variable of that name, or is there a global one? wt_stack_variables() must have been called for it. */
bool wt_stack_has_variable(struct wt_stack *stack, size_t frame, const char *name);

/**
 * Say of which type an expression is, or what a type stands for: see wt_dwarf_print_type().
 *
 * @type_ret: for the caller to free(); NULL if the text is neither, and then the complaint says why.
 */
struct wt_error *wt_stack_print_type(struct wt_stack *stack, size_t frame, uint32_t lane,
				     const char *text, bool is_whole, char **type_ret,
				     struct wt_dwarf_complaint *complaint_ret);

/**
 * Find where the object is that an expression names, in a lane.
 *
 * @visit: called for each part; false for no more.
 * @why_ret: why there is none, if it was not called.
 */
struct wt_error *
wt_stack_places(struct wt_stack *stack, size_t frame, uint32_t lane, const char *text,
		bool (*visit)(void *opaque, const struct wt_dwarf_part_place *place), void *opaque,
		char why_ret[WT_STACK_WHY]);

/* An object of a frame, or a part of one: as who looks at it has opened one part after the other. */
struct wt_stack_object {
	size_t frame;
	const char *expression; /* NULL: it is a variable */
	size_t variable;
	const uint64_t *parts; /* members, elements; 0: what a pointer leads to */
	size_t depth;
};

struct wt_stack_object_info {
	char name[WT_DWARF_MAX_TYPE]; /* of the part: "x", "[3]", "*"; "" of the whole */
	char type[WT_DWARF_MAX_TYPE];
	uint64_t parts;	   /* how many it has */
	bool is_array;	   /* they are elements */
	bool in_local;	   /* it is in local memory, but not known where */
	bool is_declared;  /* its value was read nowhere: see wt_stack_show() */
	uint64_t elements; /* of an array, also where it has no parts to be shown */
	/* If it is in memory: */
	bool has_address;
	enum gfx_space space;
	uint64_t address, bits;
	/* If it is a pointer, or a reference, that is known: */
	bool is_pointer;
	enum gfx_space target_space;
	uint64_t target;
};

/**
 * Show an object in a lane, and say what it is.
 *
 * @sink: NULL: it is not shown.
 * @is_one_ret: false if the expression is none, or there is no such part; then the complaint says why.
 */
struct wt_error *wt_stack_show_object(struct wt_stack *stack, const struct wt_stack_object *object,
				      uint32_t lane, const struct wt_dwarf_sink *sink,
				      struct wt_stack_object_info *info_ret, bool *is_one_ret,
				      struct wt_dwarf_complaint *complaint_ret);

#endif /* WT_REPLAYER_VIEW_STACK_H */
