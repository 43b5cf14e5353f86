/* SPDX-License-Identifier: MIT */
/*
 * The origin of the values of a stopped wave: control flow and data flow over its code.
 *
 * A wave's way from its first instruction to the place where it stopped is found by executing its code once more, from
 * what is known: the state in which it was launched, and memory as far as it is known. What is not known (memory that
 * nobody has, what other waves wrote, clocks) stays unknown, bit by bit, and so does all that depends on it. A way counts
 * only if every register whose value is known at its end is what it was in the stopped wave.
 *
 * The room `analysis` must not know traces: callers pass code, an architecture, and callbacks for registers and memory.
 */
#ifndef WT_REPLAYER_ANALYSIS_ANALYSIS_H
#define WT_REPLAYER_ANALYSIS_ANALYSIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "gfx/isa/uses.h"
#include "replayer/analysis/stopped-wave.h"

#define WT_ANALYSIS_SOURCES (2 * GFX_MAX_USES)
#define WT_ANALYSIS_STORES 4

/* The part of an instruction in the past of a value. */
struct wt_analysis_step {
	uint64_t pc, exec;
	struct gfx_instruction instruction; /* of a pair one half */
	struct gfx_uses uses;
	/* The first register that it wrote, one or two words; none of a store. */
	bool writes;
	enum gfx_register_file file;
	uint32_t number, words;
	uint64_t values[GFX_MAX_LANES]; /* of a scalar register in [0] */
	uint64_t known;			/* lanes; 1 of a scalar register */
	bool held;			/* the register still has it where the wave stopped */
	/* A load: where from. */
	bool loads;
	struct gfx_access access;
	uint64_t address_known; /* lanes */
	bool private_memory;	/* in the followed lane */
	bool never_written;	/* a load from private or local memory that nobody had stored to */
	bool never_set; /* it takes a vector register that nobody had written, in the followed lane */
	/* A value that is only an address of a load further on, not a part of what is explained. */
	bool indirect;
	/* A comparison that decided which way the wave took, or which of its lanes; no part of the address unless `part`. What is neither loads
	 * what one of them has compared. */
	bool comparison, part;
	uint32_t depth; /* instructions between it and the target */
	/* The sources in the order of uses.reads, word by word: positions in the list, or one of the two below. */
	uint32_t sources[WT_ANALYSIS_SOURCES];
	uint32_t source_count;
	/* Their values, in the followed lane. */
	uint32_t source_values[WT_ANALYSIS_SOURCES];
	bool source_known[WT_ANALYSIS_SOURCES];
	/* Words of the kernel arguments, by number, that they may depend on. */
	uint64_t source_arguments[WT_ANALYSIS_SOURCES];
	/* A store wrote it beside the words that the address is made of. */
	bool source_beside[WT_ANALYSIS_SOURCES];
	/* The stores, as positions in the list, if it loads from memory that the wave has written itself. */
	uint32_t stores[WT_ANALYSIS_STORES];
	uint16_t store_words
		[WT_ANALYSIS_STORES]; /* of what each of them stored: those that are loaded, a bit for each, the last for all behind it */
	uint32_t store_count;
};

#define WT_ANALYSIS_INITIAL UINT32_MAX	       /* the register had it from the start */
#define WT_ANALYSIS_NOT_SHOWN (UINT32_MAX - 1) /* an instruction that the list has no room for */
#define WT_ANALYSIS_MAX_STEPS 1600
#define WT_ANALYSIS_MAX_COMPARISONS 6
#define WT_ANALYSIS_MAX_COMPARED 4 /* words of a comparison, each of which may be a load's */
#define WT_ANALYSIS_MAX_LISTED                                                                     \
	(WT_ANALYSIS_MAX_STEPS + WT_ANALYSIS_MAX_COMPARISONS * (1 + WT_ANALYSIS_MAX_COMPARED))

struct wt_analysis {
	enum wt_analysis_end end;
	uint64_t end_pc; /* where it ended: if it did not arrive, or where the wave `jumped` to */
	uint64_t step_count; /* instructions executed */
	size_t compared;     /* register values that were known and are as recorded */
	uint64_t
		late; /* instructions that the wave executed behind the one that is explained, that one among them */
	uint32_t lane; /* that was followed */
	uint32_t
		raised; /* what that lane has raised, of what the input says; 0: no lane is known to have */
	/* If the input says `late`: accesses before the one that is explained that may have failed, too; and whether that one is
	 * explained since no other can have. */
	uint32_t suspects;
	bool eliminated;
	bool jump_is_kept; /* of a jump: the lane that was followed kept its target, which may be that of another one */
	/* Who had called where Steps[0] is: the instructions, the innermost first. */
	uint64_t calls[WT_ANALYSIS_CALLS];
	size_t call_count;
	/*
	 * Steps in the past of the address that the target accesses; the latest first. Steps[0] is the target, or the one
	 * before it that is explained.
	 */
	struct wt_analysis_step *steps;
	size_t count;
	bool more;  /* there are more steps than the list has room for */
	bool whole; /* all that are a part of the address are there */
	/* Words of the kernel arguments, by number, that are a part of the address; 63: any from there on. */
	uint64_t address_arguments;
	/* Words of the kernel arguments, by number, that were compared on the way: with anything, for any purpose. */
	uint64_t compared_arguments;
	struct wt_analysis_initial initial;
};

/**
 * Follow a wave to where it stopped, and then the values of its addresses back.
 *
 * @analysis_ret: for the caller to wt_analysis_deinit(). Not having arrived is no error: see its `end`.
 *
 * Errors: no memory.
 */
struct wt_error *wt_analyse(const struct wt_analysis_input *input,
			    struct wt_analysis *analysis_ret);
void wt_analysis_deinit(struct wt_analysis *analysis);

#endif /* WT_REPLAYER_ANALYSIS_ANALYSIS_H */
