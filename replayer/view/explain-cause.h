/* SPDX-License-Identifier: MIT */
/*
 * The origin of the address that a faulting wave accessed: the instructions that made it, back to kernel arguments,
 * loads, work-item numbers and constants; what it is near; and, where that is certain, the cause in one sentence.
 *
 * No cause is named where another one is possible: a wrong sentence is worse than none.
 */
#ifndef WT_REPLAYER_VIEW_EXPLAIN_CAUSE_H
#define WT_REPLAYER_VIEW_EXPLAIN_CAUSE_H

#include "replayer/analysis/analysis.h"
#include "replayer/analysis/way-entry.h"
#include "replayer/analysis/way-taken.h"
#include "replayer/view/explain-arguments.h"
#include "replayer/view/explain-memory.h"

enum wt_cause_kind {
	WT_CAUSE_NONE,	   /* no simple cause is certain */
	WT_CAUSE_PAST_END, /* of what a pointer argument points to */
	WT_CAUSE_BEFORE_START,
	WT_CAUSE_NULL,	   /* a pointer is null: an argument, or loaded */
	WT_CAUSE_UNMAPPED, /* the memory was there at an earlier stop */
	WT_CAUSE_MISALIGNED,
	WT_CAUSE_OVERFLOW,	/* a product or a sum of 32 bits */
	WT_CAUSE_NO_GUARD,	/* work-items past the number that an argument says */
	WT_CAUSE_LOCAL_END,	/* past the end of local memory */
	WT_CAUSE_LOCAL_START,	/* before its start */
	WT_CAUSE_PRIVATE_END,	/* past the end of a work-item's private memory */
	WT_CAUSE_PRIVATE_START, /* before its start */
	WT_CAUSE_UNINITIALISED, /* made from private or local memory that nobody had written */
	WT_CAUSE_EXCHANGED, /* the pointer argument has a number, and another argument an address */
	WT_CAUSE_NO_ADDRESS, /* a pointer's value is a small number, or a pattern */
	WT_CAUSE_TRUNCATED,  /* the lower half of a pointer was used alone */
	WT_CAUSE_WRAPPED,    /* a 32-bit index went below zero, and was used without its sign */
	WT_CAUSE_TOO_SMALL, /* the argument that was compared counts the elements of another buffer */
	WT_CAUSE_NO_MEMORY,   /* a pointer leads to where no memory is */
	WT_CAUSE_HOST_MEMORY, /* or to memory of the program that the GPU has no access to */
	WT_CAUSE_NO_CODE,     /* the wave jumped to where no code is */
	WT_CAUSE_ASSERTION,   /* the program's own check said no */
	WT_CAUSE_GAVE_UP,     /* the program's code called abort(), or trapped by itself */
	WT_CAUSE_ARITHMETIC,  /* an arithmetic exception: what was computed of what */
	WT_CAUSE_WRONG_LIMIT, /* work-items past the number that an argument says, let through by a comparison with another one */
	WT_CAUSE_OTHER_GPU, /* the code is that of a GPU that the wave does not run on */
};

/* A variable of the program; `symbol` is NULL where there is none. */
struct wt_cause_variable {
	const char *symbol; /* as it is linked; it belongs to the explainer */
	uint64_t address, size;
	bool is_start; /* the code leads to its start */
	uint64_t unit,
		count; /* bytes and number of its elements, as the source has them; 0: it is no array, or that is not known */
};

struct wt_cause_step {
	struct wavetape_place code;
	/* The value in the user's terms: "kernel argument `out`", "work-item id"; NULL for plain arithmetic. */
	char *meaning;
	char *global; /* "lock_table", "table + 8": the variable of the program that it loads; NULL if it loads none */
	struct wt_cause_variable variable;   /* the same, where the step is a part of the address */
	const struct wt_analysis_step *step; /* in `analysis` */
};

struct wt_cause_near {
	/* Which of the arguments' parts has the pointer that the address was made from; SIZE_MAX if that is not certain. */
	size_t argument;
	int64_t element;     /* of that pointer, the access begins in; if `whole` */
	int64_t byte_offset; /* address less pointer */
	uint32_t unit;	     /* bytes of an element: as the source has it, or those of the access */
	uint32_t rest;	     /* bytes from the element's start to the address */
	bool whole;	     /* the access begins where an element does, or is a part of one */
	/* Memory is mapped from there to the first byte that is not. That all between is mapped is known, or an argument
	 * counts as many elements. */
	bool has_end;
	bool buffer; /* `end` is that of the buffer, behind which there may be memory of others */
	uint64_t end;
	bool mapped_before; /* bytes that end at `before_end` are the nearest ones known below the address */
	uint64_t before_end;
	bool mapped_after; /* the same above it */
	uint64_t after_start;
};

struct wt_cause {
	/* If `late`, `access` and `failed_lanes` are those of the instruction that is explained, steps[0]; `code` is where the wave stopped. */
	struct wt_explain_wave wave;
	uint64_t
		late; /* instructions that it executed from there on; 0: it stopped at what failed */
	struct wt_explain_arguments arguments;
	uint64_t packet_address; /* of its dispatch; 0: not known */
	uint64_t
		local_room; /* bytes of local memory that its workgroup was given; UINT64_MAX: not known */
	bool jumped;  /* the wave stands where no code is: steps[0] is the jump that led there */
	bool certain; /* of a memory fault: as wave.certain, by the wave's way if it was followed */
	bool analysed; /* the rest was looked for; else `why_not` says why not */
	char *why_not;
	struct wt_analysis analysis;
	struct wt_cause_step *steps; /* as many as analysis.count */
	uint32_t lane;		     /* whose address it is */
	uint64_t address;
	struct wt_cause_near near;
	struct wt_cause_variable
		variable; /* that the address leads on from, where the code says that, and no argument */
	struct wt_memory_owner
		memory; /* whose it is at the address, or else at the page that was reported; its allocation belongs to the explainer */
	struct wt_memory_caller memory_made, memory_freed; /* who called for that allocation */
	char *memory_text; /* the same in words; NULL if that is not known */
	/* By the wave's way: where the function was called in which it failed, and where the one that called it was, and so on. */
	struct wavetape_place calls[WT_ANALYSIS_CALLS];
	size_t call_count;
	enum wt_cause_kind kind;
	char *sentence; /* NULL if no cause is certain */
	/* The page that the GPU's driver named for a memory fault: that of the address, if it named that one. */
	bool has_reported;
	uint64_t reported;
	uint32_t unmapped_since; /* the moment at which it was last seen mapped */
};

/**
 * Is the place of a memory fault where the wave was stopped, because its way is too long for the limits? Then an earlier instruction may have
 * failed.
 */
static inline bool wt_cause_is_cut_short(const struct wt_cause *cause)
{
	return cause->wave.memory_fault && !cause->certain && cause->analysed &&
	       cause->analysis.end == WT_ANALYSIS_LIMIT;
}

/* How much work finding a cause may be. */
struct wt_cause_limits {
	uint64_t instructions, bytes; /* of the wave's way; of memory to remember it */
	uint32_t moments;	      /* earlier ones to look at */
};

#define WT_CAUSE_LIMITS                                                                            \
	{                                                                                          \
		.instructions = 5000000, .bytes = UINT64_C(256) << 20, .moments = 64               \
	}
/* For a screen that should be there at once. */
#define WT_CAUSE_LIMITS_QUICK                                                                      \
	{                                                                                          \
		.instructions = 100000, .bytes = UINT64_C(32) << 20, .moments = 8                  \
	}
/* For one line that is all that is said, and for many traces: somewhat under a second. */
#define WT_CAUSE_LIMITS_LINE                                                                       \
	{                                                                                          \
		.instructions = 700000, .bytes = UINT64_C(96) << 20, .moments = 8                  \
	}

/**
 * Find out why a wave faulted.
 *
 * @lane: whose address; UINT32_MAX: the first whose access failed.
 * @cause_ret: for the caller to wt_cause_deinit().
 *
 * Errors: no memory; a damaged trace. That something is not known is no error.
 */
struct wt_error *wt_explain_cause(struct wt_explainer *explainer, uint64_t wave, uint32_t lane,
				  const struct wt_cause_limits *limits, struct wt_cause *cause_ret);

/** Lanes of a wave whose access failed, also one behind which the wave went on, as far as they are found quickly; 0: none is known. */
struct wt_error *wt_explain_failed_lanes(struct wt_explainer *explainer, uint64_t wave,
					 uint64_t *lanes_ret);

#define WT_FAULT_WAVES 4 /* that are looked at for the cause of one fault */

/**
 * Find the cause of a fault that several waves have (fault-cause.c): of the first, or if none is known there and it is a memory fault, of the
 * first other one of which it is, which is looked at quickly. A device stops all waves of a queue where the access of one has failed, and of
 * those that did not the way shows nothing.
 *
 * @waves: one at least; no more than WT_FAULT_WAVES count. @lane: of the first, as above.
 * @limits: of the first; NULL: WT_CAUSE_LIMITS_QUICK, and WT_CAUSE_LIMITS only where its way is too long for that and no cause is certain.
 * @cause_ret: for the caller to wt_cause_deinit().
 *
 * Errors: as wt_explain_cause().
 */
struct wt_error *wt_explain_fault(struct wt_explainer *explainer, const uint64_t *waves,
				  size_t count, uint32_t lane, const struct wt_cause_limits *limits,
				  struct wt_cause *cause_ret);
void wt_cause_deinit(struct wt_cause *cause);

/**
 * Find the way that a wave has taken to where it stopped.
 *
 * @way_ret: for the caller to wt_taken_deinit(). Where the way is not found its end says so.
 *
 * Errors: no memory; a damaged trace.
 */
struct wt_error *wt_explain_taken(struct wt_explainer *explainer, uint64_t wave,
				  const struct wt_cause_limits *limits, struct wt_taken *way_ret);

/** The instruction that is explained: where the wave stopped, or one before it. */
const struct wavetape_place *wt_cause_code(const struct wt_cause *cause);

/** Tell programs of a cause, and of one of its steps. @name: of the register, for as long as the facts are needed. */
void wt_cause_facts(const struct wt_cause *cause, struct wavetape_cause_info *facts_ret);
void wt_cause_step_facts(const struct wt_cause_step *step, char name[32],
			 struct wavetape_step *facts_ret);

#define WT_REASONS_MAX 512

/** "memory violation and single step": stop reasons in a sentence. Return: @buffer. */
const char *wt_reasons_words(uint32_t reasons, char *buffer, size_t size);

/**
 * One sentence for what happened to a wave: "memory violation in kernel fill at fill.c:12:9: past the end: ...".
 *
 * @demangle: the kernel's name as its author wrote it, to be freed, or NULL of a name that is not mangled; NULL: its symbol will do.
 * @sentence_ret: for the caller to free().
 */
struct wt_error *wt_crash_sentence(struct wt_explainer *explainer, uint64_t wave,
				   char *(*demangle)(const char *name), char **sentence_ret);

#endif /* WT_REPLAYER_VIEW_EXPLAIN_CAUSE_H */
