/* SPDX-License-Identifier: MIT */
/* A check of a whole trace: everything in it is read once, and what is damaged or missing is counted. */
#ifndef WT_TRACE_FORMAT_READER_CHECK_H
#define WT_TRACE_FORMAT_READER_CHECK_H

#include "trace-format/reader/reader.h"
#include "trace-format/state/stop-list.h"

/* How many there are, and how many of them are lost or unreadable. */
struct wt_tally {
	uint64_t count, lost;
};

struct wt_check {
	struct wt_tally
		chunks; /* known ones only: a lost chunk that nothing mentions is not counted */
	struct wt_tally packets; /* of all kinds */
	struct wt_tally calls, blobs;
	struct wt_tally moments; /* lost: also those whose state cannot be rebuilt */
	struct wt_tally stops;	 /* readable, or listed by a summary; lost: those without a state */
	uint64_t indexes;	 /* intact index blocks in the file */
	bool complete;		 /* the recording was closed in order */
	bool whole;		 /* nothing at all is damaged or missing */
	bool items_lost;	 /* the loss includes items of states that exist otherwise */
	bool differs;		 /* an index contradicts the chunks; the index counts */
	bool loss;		 /* something is lost; false also if only copies are damaged */
};

struct wt_check_options {
	size_t size;						       /* of this structure */
	void (*progress)(void *opaque, uint64_t done, uint64_t total); /* may be NULL; in bytes */
	void *opaque;
	/*
	 * How many bytes may be processed: decoded, copied, and in the lists made of them; 0: the usual budget. A
	 * recorded trace needs far less than that. Without a budget a small hostile file could keep a reader busy for
	 * hours.
	 */
	uint64_t budget;
	struct wt_stop_list *
		stops; /* the readable stops are added to it, as the chunks have them; may be NULL */
};

/** The usual budget for a file of @size bytes. */
static inline uint64_t wt_check_budget(uint64_t size)
{
	return ((uint64_t)4 << 30) + 4096 * size;
}

/**
 * Read everything: the head of every block, every index, every chunk, every packet, and the state at every moment.
 * wt_reader_damage() and wt_reader_damage_at() then tell what is damaged or missing.
 *
 * @options: may be NULL.
 *
 * Errors: those of reading, of memory, and LIMIT if a state exceeds what one call may decode, or the whole check exceeds
 * its budget.
 */
struct wt_error *wt_reader_examine(struct wt_reader *reader, const struct wt_check_options *options,
				   struct wt_check *check_ret);

/**
 * Open a trace and examine it. While it is recorded, the file can become shorter or be replaced. Then the file that is
 * there now is opened and examined once more.
 *
 * @reader_ret: the caller closes it, also after an error; NULL if the trace could not be opened.
 */
struct wt_error *wt_trace_examine(const char *path, const struct wt_check_options *options,
				  struct wt_reader **reader_ret, struct wt_check *check_ret);

#endif /* WT_TRACE_FORMAT_READER_CHECK_H */
