/* SPDX-License-Identifier: MIT */
/*
 * Is a call that a client makes now one that was recorded? It is where the function and everything that the
 * recorded client passed in are the same: numbers, bytes, which pointers are NULL. Pointers that are only an
 * identity have a number in the trace: one stands for the same pointer from its first use on.
 */
#ifndef WT_REPLAYER_JOURNAL_MATCH_H
#define WT_REPLAYER_JOURNAL_MATCH_H

#include "dbgapi/table/invoke.h"
#include "replayer/journal/calls.h"

struct wt_identity {
	const char *type; /* of the parameter, from the table */
	uint64_t ordinal; /* in the trace; 0 is NULL, and not kept */
	const void *pointer;
};

/* Zero it before use. */
struct wt_identities {
	struct wt_identity *all;
	size_t count;
};

void wt_identities_deinit(struct wt_identities *identities);

/** The client's pointer that a number of the trace stands for; NULL if it stands for none. */
const void *wt_identities_find(const struct wt_identities *identities, const char *type,
			       uint64_t ordinal);

/** Calls that match have the same number here; most that do not have another one. */
uint64_t wt_match_recorded_hash(const struct wt_whole_call *call);
uint64_t wt_match_hash(enum wt_function function, const struct wt_argument *arguments);

/** Would the recorded call be made with these arguments, of its function? */
bool wt_match(const struct wt_identities *identities, const struct wt_whole_call *call,
	      const struct wt_argument *arguments);

/** The client makes a call that matches: what its identities stand for is known from now on. */
struct wt_error *wt_match_bind(struct wt_identities *identities, const struct wt_whole_call *call,
			       const struct wt_argument *arguments);

#endif /* WT_REPLAYER_JOURNAL_MATCH_H */
