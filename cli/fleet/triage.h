/* SPDX-License-Identifier: MIT */
/*
 * `wavetape triage`: many traces, each as a record, and the records in groups. A record is a JSON object of one line: what workers
 * send, what the cache keeps, and what --json-lines prints.
 *
 *     triage-list.c   which files
 *     triage-cache.c  what is known of them from before
 *     triage-run.c    the others are read on all cores
 *     triage-trace.c  one trace: its record
 *     triage-names.c  host, rank and job from the names of files
 *     triage-group.c  what belongs together
 *     triage-print.c  text, JSON, CSV
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

/**
 * Find the traces: files as they are named, and below directories every *.wtape, in the order of their paths. A directory that
 * cannot be read is told on stderr and counted. Links below a directory are followed to files alone.
 *
 * @files: zeros; for wt_triage_files_deinit(), also after an error.
 */
struct wt_error *wt_triage_list(char *const *paths, struct wt_triage_files *files);
void wt_triage_files_deinit(struct wt_triage_files *files);

/* ---- Records ---- */

/**
 * Read one trace, and describe the crash in it. A trace that is damaged or cannot be read is described, too.
 *
 * Return: a new reference; NULL if there is no memory.
 */
json_t *wt_triage_trace(const char *path);

/** The record of a file that tells nothing: why. The same. */
json_t *wt_triage_unreadable(const char *why);

/** The same of a trace that takes longer to read than it may. */
json_t *wt_triage_too_slow(uint64_t seconds);

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

/** Sort the records by their signatures. */
struct wt_error *wt_triage_groups_make(const struct wt_triage_files *files,
				       struct wt_triage_groups *groups_ret);
void wt_triage_groups_deinit(struct wt_triage_groups *groups);

/* ---- Output ---- */

void wt_triage_print(const struct wt_triage_groups *groups);
json_t *wt_triage_groups_json(const struct wt_triage_files *files,
			      const struct wt_triage_groups *groups);

/** A line for each trace; an exit code. */
int wt_triage_print_lines(const struct wt_triage_files *files);

/** The same as CSV (RFC 4180), with a line of names before. */
void wt_triage_print_csv(const struct wt_triage_files *files);

#endif /* WT_CLI_FLEET_TRIAGE_H */
