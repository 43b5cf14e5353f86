/* SPDX-License-Identifier: MIT */
/* A list of differences that is filled while something is compared. */
#ifndef WT_REPLAYER_VERIFY_DIFFERENCES_H
#define WT_REPLAYER_VERIFY_DIFFERENCES_H

#include <stddef.h>
#include <stdint.h>

#include "trace-format/writer/value.h"

/* How many differences are described; the rest is only counted. */
#define WT_VERIFY_DIFFERENCES 20

struct wt_difference {
	uint64_t call;	/* number in the journal; 0 if it is about none */
	char *function; /* name, "" if it is about none */
	char *what;	/* "status", "output `value`", "callback 2: allocate_memory" */
	char *recorded, *replayed;
};

/* Differences that are alike: of one function, and in one thing. */
struct wt_difference_kind {
	char *function; /* as above */
	char *what;	/* as above; of a status both of them, too */
	uint64_t count;
};

struct wt_differences {
	uint64_t count;
	struct wt_difference *first; /* of them, at most WT_VERIFY_DIFFERENCES */
	size_t first_count;
	struct wt_difference_kind
		*kinds; /* the most frequent first, once wt_differences_sort() was called */
	size_t kind_count;
};

void wt_differences_deinit(struct wt_differences *differences);

/**
 * Count a difference, and describe it if it is one of the first. Without memory it is only counted.
 *
 * @function: NULL if it is about no call.
 * @recorded, @replayed: texts that are taken over and freed; NULL where there was no memory for
 * one.
 */
void wt_differences_add(struct wt_differences *differences, uint64_t call, const char *function,
			const char *what, char *recorded, char *replayed);

/** Bring the kinds in the order of their counts. */
void wt_differences_sort(struct wt_differences *differences);

/** Does what wt_differences_add() does, for two values of the journal. */
void wt_differences_add_values(struct wt_differences *differences, uint64_t call,
			       const char *function, const char *what,
			       const struct wt_value *recorded, const struct wt_value *replayed);

/** Bytes in hexadecimal, cut short, with their number. */
char *wt_text_bytes(const void *data, size_t size);

/** A value of the journal, for people. */
char *wt_text_value(const struct wt_value *value);

#endif /* WT_REPLAYER_VERIFY_DIFFERENCES_H */
