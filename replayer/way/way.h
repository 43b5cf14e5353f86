/* SPDX-License-Identifier: MIT */
/*
 * The way of a wave: one can walk in it, from the wave's launch, or a recorded stop before, to the stop that was recorded.
 *
 * The wave is executed once more with what is known. A way counts only if it ends in the registers that were recorded. It has one
 * step for each instruction that the wave executed, and positions between them: position 0 is where the way begins, position p is where
 * step p is next, and the last position, as many as there are steps, is the stop itself.
 *
 * A way stands at one position at a time; all that is asked of the state (registers, memory, variables, calls) is answered for that
 * one. Each value is known since it was executed, known since the recording has it (nothing writes it up to the stop), or not known:
 * none is guessed. A value that hangs on memory which another wave can have changed in the meantime, and that no recorded
 * register confirms, is not known either; the one that it has if nobody did is told apart, as one that may be.
 *
 * The room `way` must not print, nor change a view. It is a user of `analysis`, which executes, and of `view`.
 */
#ifndef WT_REPLAYER_WAY_WAY_H
#define WT_REPLAYER_WAY_WAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "gfx/architecture/architecture.h"
#include "gfx/wave/wave.h"
#include "replayer/view/explain.h"
#include "replayer/view/stack.h"

struct wt_way;

/* From which place on a wave is followed. */
enum wt_way_from {
	WT_WAY_FROM_ANY, /* from its launch; if that leads nowhere, from the last recorded stop of it before */
	WT_WAY_FROM_LAUNCH, /* of the kernel, or nothing */
	WT_WAY_FROM_STOP,   /* the last recorded stop of it before, or nothing */
};

struct wt_way_options {
	enum wt_way_from from;
	/* Limits: instructions to execute, and bytes of memory to keep states of the wave in. 0: those of WT_WAY_... below. */
	uint64_t instructions, bytes;
	/*
	 * Called now and then in all that takes long, with the number of instructions that were executed since; false to give up. May be
	 * NULL.
	 */
	bool (*go_on)(void *opaque, uint64_t instructions);
	void *opaque;
};

#define WT_WAY_INSTRUCTIONS UINT64_C(4000000)
#define WT_WAY_BYTES (UINT64_C(128) << 20)

/* The facts of a way as a whole. */
struct wt_way_summary {
	bool found;	     /* else it has no steps, and one position: the stop */
	const char *why_not; /* if it was not found: a sentence for users, without a full stop */
	bool from_stop;	     /* it begins at a recorded stop, not at the launch */
	uint32_t moment;     /* if so: at which moment */
	uint64_t steps;	     /* the last position */
	/*
	 * A way that is too long is kept at both ends: the positions from cut_from on, as many as cut_count, cannot be visited. 0: none
	 * are left out.
	 */
	uint64_t cut_from, cut_count;
	/* Values of registers, each lane for itself, that were recorded where the way ends, and those that it has ended in. */
	uint64_t recorded, proved;
	uint64_t failed_lanes; /* whose access failed where the wave stopped */
	/* Decisions of the wave's that hang on memory which other waves can have changed: how many steps. */
	uint64_t supposed;
};

/**
 * Follow a wave.
 *
 * @explainer: of the stop at which the way is to end; it must outlive the way.
 * @wave: stopped there; its handle.
 * @options: NULL for the usual ones.
 * @way_ret: for the caller to wt_way_destroy(). That no way is found is no error: see the summary.
 *
 * Errors: no memory, a damaged trace; WT_ERROR_INPUT if there is no such wave that has stopped, or `go_on` gave up.
 */
struct wt_error *wt_way_create(struct wt_explainer *explainer, uint64_t wave,
			       const struct wt_way_options *options, struct wt_way **way_ret);
void wt_way_destroy(struct wt_way *way); /* NULL is legal */

/** Strings belong to the way. */
const struct wt_way_summary *wt_way_summary(const struct wt_way *way);

/** The same for programs. Strings belong to the way. */
void wt_way_facts(const struct wt_way *way, struct wavetape_way_info *facts_ret);

/** "the way from its launch, 5312 instructions; proved: 789 of 789 register values": or why there is none. For the caller to free(). */
struct wt_error *wt_way_describe(const struct wt_way *way, char **text_ret);

/* ---- Going ---- */

/** The position at which the way stands: at the stop, after it was made. */
uint64_t wt_way_position(const struct wt_way *way);

/**
 * Go to a position.
 *
 * Errors: WT_ERROR_INPUT if there is none, or it was cut out, or `go_on` gave up: then the way stands where it stood. No memory: then it
 * may stand anywhere.
 */
struct wt_error *wt_way_go(struct wt_way *way, uint64_t position);

/** The next position that can be visited, over what was cut out; false at the end, or going back at the beginning. */
bool wt_way_next(const struct wt_way *way, bool back, uint64_t *position_ret);

/* ---- The state where it stands ---- */

enum wt_way_status {
	WT_WAY_NOT_KNOWN,
	WT_WAY_KNOWN,	 /* executed, from what is certain */
	WT_WAY_RECORDED, /* as it was recorded at the stop: nothing writes it from here to there */
};

struct wt_way_value {
	enum wt_way_status status;
	uint64_t value;
	uint32_t bits; /* 32 or 64 */
	bool may_be; /* not known: but that is `value` unless another wave has changed what it was loaded from */
	const char *why; /* not known: why, for users; static */
};

/** "known", "recorded", "not known": a status in words. */
const char *wt_way_status_name(enum wt_way_status status);

/**
 * Read a register: s4, v17, a0, exec, vcc, scc, m0, pc, flat_scratch, xnack_mask, mode, ttmp9.
 *
 * @lane: of a vector register; else ignored.
 *
 * Return: false if the wave has none of that name.
 */
bool wt_way_register(const struct wt_way *way, const char *name, uint32_t lane,
		     struct wt_way_value *value_ret);

/** How many registers the wave has, and the name of one, in the order of those that were recorded. @name_ret: belongs to the way. */
size_t wt_way_register_count(const struct wt_way *way);
bool wt_way_register_at(const struct wt_way *way, size_t index, const char **name_ret,
			bool *vector_ret);

/** The address of the instruction that is next; and its active lanes. */
uint64_t wt_way_pc(const struct wt_way *way);
uint64_t wt_way_exec(const struct wt_way *way, uint64_t *known_ret);

/** The lane that is meant: @lane, or with UINT32_MAX the first active one of those that failed, or if none of them is, of all. */
uint32_t wt_way_lane(const struct wt_way *way, uint32_t lane);

/** How many lanes the wave has. */
uint32_t wt_way_lanes(const struct wt_way *way);

/**
 * Read memory as the wave sees it there.
 *
 * @lane: of private memory.
 * @data, @status: room for @size bytes, and as many states; of a byte that is not known 0 and WT_WAY_NOT_KNOWN. Memory of all
 * waves that is not the wave's own writing is known only if nobody can have changed it.
 */
void wt_way_memory(struct wt_way *way, enum gfx_space space, uint32_t lane, uint64_t address,
		   uint8_t *data, enum wt_way_status *status, size_t size);

/**
 * The calls of the wave where the way stands, with variables and expressions, as of a recorded stop: see replayer/view/stack.h. What is
 * not known says why.
 *
 * @stack_ret: for the caller to wt_stack_destroy(), before the way goes anywhere else, and before the way; NULL if there are none.
 */
struct wt_error *wt_way_stack(struct wt_way *way, struct wt_stack **stack_ret);

/* ---- Steps ---- */

/* A part of what an instruction reads or writes. */
struct wt_way_touch {
	bool write;
	bool memory;
	/* A register: its name, and how many words it has with those behind it. */
	char name[16];
	uint32_t words;
	bool vector;
	/* Memory: the lanes whose address is known, with their addresses; of private memory those in the lane's own. */
	const struct gfx_access *access;
	uint64_t lanes; /* that read or write it; of a scalar register 0 */
};

#define WT_WAY_TOUCHES 32

struct wt_way_step {
	uint64_t position; /* before it */
	struct wavetape_place
		place; /* with its instruction and source line; see wt_way_step_deinit() */
	uint64_t exec, exec_known;
	struct wt_way_touch touches[WT_WAY_TOUCHES]; /* reads first */
	size_t touch_count;
	uint32_t depth; /* calls that it is in since the way began */
	struct gfx_access access;
};

/**
 * Describe the step that is next where the way stands.
 *
 * @has_ret: false at the stop, and where the instruction is not known.
 * @step_ret: for the caller to wt_way_step_deinit(); it may not be copied, since touches point into it.
 */
struct wt_error *wt_way_step(struct wt_way *way, bool *has_ret, struct wt_way_step *step_ret);
void wt_way_step_deinit(struct wt_way_step *step);

/** The lane whose values tell what is touched: @lane, or if that takes no part, the first that does. */
uint32_t wt_way_touched_lane(const struct wt_way_touch *touch, uint32_t lane);

/** Tell programs of a step, of what it touches, and of a value. Strings belong to the step, or are static. */
void wt_way_step_facts(const struct wt_way_step *step, struct wavetape_way_step *facts_ret);
void wt_way_touch_facts(const struct wt_way_touch *touch, struct wavetape_way_touch *facts_ret);
void wt_way_value_facts(const struct wt_way_value *value, struct wavetape_way_value *facts_ret);

/* ---- Questions ---- */

enum wt_way_answer {
	WT_WAY_FOUND,
	WT_WAY_NOWHERE, /* no step did: the value is from where the way begins; or there is no such place */
	WT_WAY_IN_CUT, /* none that is kept did: it may be one of those that were cut out */
	WT_WAY_UNCERTAIN, /* the step at `position` may have: its address, or whether its lane was active, is not known */
	WT_WAY_GIVEN_UP, /* `go_on` said so */
};

struct wt_way_found {
	enum wt_way_answer answer;
	uint64_t position; /* before the step that is meant; of a run where it has stopped */
	size_t which;	   /* of a run: of the list */
};

/*
 * A thing that is written and read: a register ("v3", "s[4:5]", "exec"), bytes of memory ("0x7f0012345678", "local 0x40", "private 16",
 * each with ":SIZE" behind it if it is not 4 bytes), or else an expression that names a variable, or a part of one, in the innermost
 * frame ("i", "p->x", "a[3]"), by where that lies where the way stands.
 */
struct wt_way_target {
	const char *text;
	uint32_t lane; /* UINT32_MAX: see wt_way_lane() */
};

/**
 * Who has written this last, before where the way stands? The way stays there.
 *
 * Errors: WT_ERROR_INPUT if the text names nothing that is in registers or memory here, which says why.
 */
struct wt_error *wt_way_last_write(struct wt_way *way, const struct wt_way_target *target,
				   struct wt_way_found *found_ret);

/** Who is the first to read it, from where the way stands on? The way stays there. */
struct wt_error *wt_way_first_read(struct wt_way *way, const struct wt_way_target *target,
				   struct wt_way_found *found_ret);

enum wt_way_until_kind {
	WT_WAY_UNTIL_LINE,	  /* the first instruction of a line, coming from another */
	WT_WAY_UNTIL_INSTRUCTION, /* at one of `addresses` */
	WT_WAY_UNTIL_CONDITION, /* `text` becomes true: it was not, or not known, one step before */
	WT_WAY_UNTIL_CHANGE, /* the value of `text` is another than it was, or becomes known or not known */
};

/* An instruction that a run may stop at. */
struct wt_way_address {
	uint64_t address; /* first, so that wt_compare_u64() orders them */
	size_t functions; /* of those around it so many have a frame, from the outermost on; 0: all */
};

struct wt_way_until {
	enum wt_way_until_kind kind;
	const char *file; /* of a line: as debug information has it, or its last parts */
	uint32_t line;
	const struct wt_way_address *addresses; /* of instructions, in order */
	size_t address_count;
	/* In the language of `print`, of the innermost frame. A line or an instruction may have one too: a condition. NULL: none. */
	const char *text;
	uint32_t lane; /* of `text`; UINT32_MAX: see wt_way_lane() */
};

/**
 * Go on, or back, until one of a list holds; else to the end, or the beginning.
 *
 * The way stands at the position that was found, which is not the one where it stood. A change that is met going back is met before
 * the step that makes it. Where names of an expression mean nothing, it does not hold.
 *
 * Errors: WT_ERROR_INPUT if an expression is none anywhere; see wt_way_go().
 */
struct wt_error *wt_way_run(struct wt_way *way, bool back, const struct wt_way_until *until,
			    size_t count, struct wt_way_found *found_ret);

enum wt_way_stride {
	WT_WAY_INTO, /* to another source line */
	WT_WAY_OVER, /* the same, not in functions that this one calls, or that are inlined into it */
	WT_WAY_OUT, /* to where the function has returned, or its inlined code is left; going back: to its call */
};

/**
 * Go one source line on or back; WT_WAY_NOWHERE at the end or the beginning, where the way stands then.
 *
 * The function is the one whose frame wt_way_stack() has first. An inlined function has no call: its first instruction stands for that, too. Who
 * comes there over or out stands at the call: the inlined function has no frame yet. From there WT_WAY_INTO goes into it, at the same position;
 * so a stride may end at the position where it began, in another frame.
 */
struct wt_error *wt_way_stride(struct wt_way *way, bool back, enum wt_way_stride stride,
			       struct wt_way_found *found_ret);

#endif /* WT_REPLAYER_WAY_WAY_H */
