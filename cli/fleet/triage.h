/* SPDX-License-Identifier: MIT */
/*
 * `wavetape triage`: many traces, each as a record, and the records in groups. A record is a JSON object of one line: what workers
 * send, what the cache keeps, and what --json-lines prints.
 *
 *     triage-cache.c  what is known of traces from before
 *     triage-run.c    the others are read on all cores, each to its record
 *     triage-names.c  host, rank and job from the names of files
 *     triage.c        which files, what of them belongs together, and text, JSON and CSV
 */
#ifndef WT_CLI_FLEET_TRIAGE_H
#define WT_CLI_FLEET_TRIAGE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* ---- Files ---- */

struct wt_triage_file {
	char *path;
	char key[96];	/* its identity in the cache; "" if it has none */
	bool cached;	/* the record is from the cache */
	json_t *record; /* NULL until it is known */
};

struct wt_triage_files {
	struct wt_triage_file *files; /* by path, none twice */
	size_t count, capacity;
	size_t unreadable; /* directories */
};

/* ---- Records ---- */

/** The record of a file that tells nothing: why. The same. */
json_t *wt_triage_unreadable(const char *why);

/** Has a record been made in the time that there was? */
bool wt_triage_is_too_slow(const json_t *record);

/** A text of a record; NULL if it has none. */
const char *wt_triage_text(const json_t *record, const char *name);

struct wt_triage_limits {
	size_t jobs;	  /* processes at a time */
	uint64_t seconds; /* for one trace; 0: no limit */
};

/** Make the record of each file that has none. A process that dies, or takes too long, is told in the record. */
struct wt_error *wt_triage_run(struct wt_triage_files *files,
			       const struct wt_triage_limits *limits);

/* ---- Cache ---- */

/** Take records from the cache. One that is damaged is told on stderr and not used. @known_ret: all of it; a reference. */
struct wt_error *wt_triage_cache_read(struct wt_triage_files *files, json_t **known_ret);

/** Write the cache with what is new. That it cannot be written is told on stderr: it is no error. */
void wt_triage_cache_write(const struct wt_triage_files *files, json_t *known);

/* ---- Names ---- */

/**
 * Take host, rank and job, where a trace does not tell, from its file's name.
 *
 * @pattern: by which the recorder named them: the last part of it counts.
 *
 * Errors: USAGE if it is no pattern.
 */
struct wt_error *wt_triage_take_names(const char *pattern, struct wt_triage_files *files);

/* ---- Groups ---- */

struct wt_triage_group {
	const struct wt_triage_file **files; /* by time, then by path */
	size_t count;
	const struct wt_triage_file *example; /* the first that is whole, else the first */
};

struct wt_triage_groups {
	const struct wt_triage_file **sorted;
	struct wt_triage_group *groups; /* most traces first */
	size_t count;
	size_t traces, damaged, unreadable, too_slow;
};

#endif /* WT_CLI_FLEET_TRIAGE_H */
