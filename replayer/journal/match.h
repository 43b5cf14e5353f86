/* SPDX-License-Identifier: MIT */
/*
 * Does a call of a client match a recorded call? It does if the function and all inputs are the same: numbers, bytes, and which
 * pointers are NULL. A pointer that is only an identity, such as a client process id, is a number in the trace: from its
 * first use on, a number stands for the same pointer.
 */
#ifndef WT_REPLAYER_JOURNAL_MATCH_H
#define WT_REPLAYER_JOURNAL_MATCH_H

#include "dbgapi/table/invoke.h"
#include "replayer/journal/calls.h"

struct wt_identity {
	const char *type; /* of the parameter, from the table */
	uint64_t ordinal; /* number in the trace; 0 is NULL and has no entry */
	const void *pointer;
};

/* Zero it before use. */
struct wt_identities {
	struct wt_identity *all;
	size_t count;
};

void wt_identities_deinit(struct wt_identities *identities);

/** The client's pointer for a number of the trace; NULL if it is not known. */
const void *wt_identities_find(const struct wt_identities *identities, const char *type,
			       uint64_t ordinal);

/** A hash of function and inputs: the same for calls that match. */
uint64_t wt_match_recorded_hash(const struct wt_whole_call *call);
uint64_t wt_match_hash(enum wt_function function, const struct wt_argument *arguments);

/** Do these arguments match the recorded call? They are of the same function. */
bool wt_match(const struct wt_identities *identities, const struct wt_whole_call *call,
	      const struct wt_argument *arguments);

/** The client makes a call that matches: bind its pointers to the numbers of the trace. */
struct wt_error *wt_match_bind(struct wt_identities *identities, const struct wt_whole_call *call,
			       const struct wt_argument *arguments);

#endif /* WT_REPLAYER_JOURNAL_MATCH_H */
