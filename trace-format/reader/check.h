/* SPDX-License-Identifier: MIT */
/* Everything in a trace, read once: what is whole and what is not. */
#ifndef WT_TRACE_FORMAT_READER_CHECK_H
#define WT_TRACE_FORMAT_READER_CHECK_H

#include "trace-format/reader/reader.h"
#include "trace-format/state/stops.h"

/* How many there are, and how many of them are lost or cannot be had. */
struct wt_tally {
	uint64_t count, lost;
};

struct wt_check {
	struct wt_tally
		chunks; /* of those that are known: a lost one that nothing tells of is not */
	struct wt_tally packets; /* of all kinds */
	struct wt_tally calls, blobs;
	struct wt_tally moments; /* lost: also those whose state cannot be rebuilt */
	struct wt_tally
		stops; /* that can be read, or are listed by a summary; lost: those without a state */
	uint64_t indexes; /* index blocks in the stream, whole ones */
	bool complete;	  /* the recording was closed in order */
	bool whole;	  /* nothing at all is damaged or missing */
	bool items_lost;  /* among it items of states that are there else */
	bool differs; /* an index repeats something else than the chunks have: it is what counts */
	bool loss;    /* something is lost; false too where only copies are damaged */
};

struct wt_check_options {
	size_t size;						       /* of this structure */
	void (*progress)(void *opaque, uint64_t done, uint64_t total); /* may be NULL; in bytes */
	void *opaque;
	/*
	 * Bytes that may be gone through: decoded, copied, and of the lists made of them; 0: the usual budget. What a
	 * recorder writes takes far less of it than there is; a few bytes that are made for it could keep a reader busy for
	 * hours.
	 */
	uint64_t budget;
	struct wt_stop_list *
		stops; /* the stops that can be read are added to it, as the chunks have them; may be NULL */
};

/** The usual budget for a file of so many bytes. */
static inline uint64_t wt_check_budget(uint64_t size)
{
	return ((uint64_t)4 << 30) + 4096 * size;
}

/**
 * Read everything: the head of every block, every index, every chunk, every packet, and the state
 * at every moment. What is not whole is then in wt_reader_damage() and wt_reader_damage_at().
 *
 * @options: may be NULL.
 *
 * Errors: those of reading, of memory, and LIMIT where a state, or all of it, takes more than may be decoded.
 */
struct wt_error *wt_reader_examine(struct wt_reader *reader, const struct wt_check_options *options,
				   struct wt_check *check_ret);

/**
 * Open a trace and examine it. One that is being recorded can become shorter meanwhile, or another file: then
 * what is there now is examined, once more.
 *
 * @reader_ret: to be closed by the caller, also after an error; NULL if the trace could not be opened.
 */
struct wt_error *wt_trace_examine(const char *path, const struct wt_check_options *options,
				  struct wt_reader **reader_ret, struct wt_check *check_ret);

#endif /* WT_TRACE_FORMAT_READER_CHECK_H */
