/* SPDX-License-Identifier: MIT */
/* Traces that are written again with one thing changed in them, and what is found to differ between two traces. */
#ifndef TEST_REPLAYER_PLANTED_H
#define TEST_REPLAYER_PLANTED_H

#include <stdbool.h>

#include "replayer/diff/diff.h"
#include "session.h"

/* What is written in place of a moment that was read. */
struct planted {
	struct wt_reader *reader;
	struct wt_state *state;
	struct wt_moment moment;
	struct wt_event events[64];
	struct wt_answer answers[64][8];
	uint8_t values[64][8][16];
};

typedef void (*change_function)(struct planted *planted);

/** The path of a vector, until the next call. */
const char *planted_vector(const char *name);

/** The number that a text has in the trace that was read. */
uint32_t planted_name(const struct planted *planted, const char *text);

/** Write a trace again; all stops get the change. Return: the path, which is the same at each call. */
const char *planted_write(const char *path, change_function change);

/** A copy of a path, until the next call. */
const char *planted_copy(const char *path);

#define FOUND_MAX 256

struct found {
	struct wt_diff diff[FOUND_MAX]; /* shallow: values are gone, but for numbers and sizes */
	char name[FOUND_MAX][32];
	struct wt_diff_place place[FOUND_MAX];
	uint64_t first[FOUND_MAX], bytes[FOUND_MAX]; /* that differ */
	size_t count, stops;
	struct wt_diff_counts counts;
};

/**
 * Compare two files; the caller frees what was found.
 *
 * @numbers: their stops, NULL for all. @may_lack: both may lack stops.
 */
struct found *found_compare(const char *a, const char *b, const uint32_t *numbers, bool may_lack);

/** The same of a trace and itself with a change, at one stop. */
struct found *found_planted(const char *path, uint32_t stop, change_function change);

#endif /* TEST_REPLAYER_PLANTED_H */
