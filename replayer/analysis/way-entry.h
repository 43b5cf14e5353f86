/* SPDX-License-Identifier: MIT */
/* From where a wave has entered a function that does not return, and with which arguments. */
#ifndef WT_REPLAYER_ANALYSIS_WAY_ENTRY_H
#define WT_REPLAYER_ANALYSIS_WAY_ENTRY_H

#include "replayer/analysis/analysis.h"

/* Words in which arguments are passed that are looked at: those of v0 and up, by the calling convention of AMD's GPUs. */
#define WT_ENTRY_WORDS 8u

struct wt_entry {
	/* The instructions that called, the one that went there first; none if the way is not known. */
	uint64_t calls[WT_ANALYSIS_CALLS];
	size_t call_count;
	/* In the first lane that went there. */
	uint32_t words[WT_ENTRY_WORDS];
	uint32_t known; /* a bit for each word */
};

/**
 * Follow a wave from its launch until it comes to a function, which it has not left again: a way by known values alone, on which
 * the lanes that entered are those that were active where the wave stopped.
 *
 * @function: its first instruction.
 * @entry_ret: without calls where the way is not known.
 *
 * Errors: no memory.
 */
struct wt_error *wt_analyse_entry(const struct wt_analysis_input *input, uint64_t function,
				  struct wt_entry *entry_ret);

#endif /* WT_REPLAYER_ANALYSIS_WAY_ENTRY_H */
