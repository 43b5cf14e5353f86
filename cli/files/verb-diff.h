/* SPDX-License-Identifier: MIT */
/*
 * `wavetape diff`: declarations that its files share. verb-diff.c prints differences as text or hands them to diff-json.c; both use
 * diff-value.c. They share this header, so they are a circle in the graph of files; no function calls back up.
 */
#ifndef WT_CLI_FILES_VERB_DIFF_H
#define WT_CLI_FILES_VERB_DIFF_H

#include <jansson.h>

#include "replayer/diff/diff.h"

/* The first byte that differs of two runs of bytes, and how many do. Where one is longer, its rest counts. */
struct wt_diff_bytes {
	uint64_t first, count;
};

struct wt_diff_bytes wt_diff_count_bytes(const struct wt_diff_value value[WT_DIFF_SIDES]);

/** The lanes of a vector register in which it differs, one bit each. */
uint64_t wt_diff_lanes(const struct wt_diff_value value[WT_DIFF_SIDES]);

/** One lane of a vector register. */
uint32_t wt_diff_lane(const struct wt_diff_value *value, uint32_t lane);

/* ---- Text on stdout ---- */

struct wt_diff_text {
	uint64_t limit;			/* differences of a kind that are listed; 0: all */
	uint64_t found[WT_DIFF_KINDS];	/* at this stop */
	uint64_t waves, registers;	/* which differ at this stop; of this wave */
	uint64_t handle[WT_DIFF_SIDES]; /* of this wave; 0: of none */
	const struct wt_diff_stop *stops[WT_DIFF_SIDES];
	bool begun; /* the stop's heading was printed */
};

/* ---- JSON ---- */

struct wt_diff_json {
	json_t *stops;	 /* an array, to which each pair of stops is appended */
	json_t *sources; /* an array of the source files that differ */
	json_t *stop;	 /* the one that is being compared; NULL between two */
};

struct wt_diff_listener wt_diff_json_listener(struct wt_diff_json *json);

#endif /* WT_CLI_FILES_VERB_DIFF_H */
