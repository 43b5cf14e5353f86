/* SPDX-License-Identifier: MIT */
/*
 * Reading a trace: moments in any order, the journal in order. The file is untrusted and never
 * written.
 */
#ifndef WT_TRACE_FORMAT_READER_READER_H
#define WT_TRACE_FORMAT_READER_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace-format/state/record.h"
#include "trace-format/state/state.h"

struct wt_reader;

/**
 * Open a trace. A file that ends early or has damaged chunks opens with what is whole: see
 * wt_reader_damage(). One that becomes shorter meanwhile is opened once more. Errors: WT_ERROR_IO, WT_ERROR_INPUT (not a trace), WT_ERROR_UNSUPPORTED
 * (newer major version, unknown required chunk kind), WT_ERROR_LIMIT.
 */
struct wt_error *wt_reader_open(const char *path, struct wt_reader **reader_ret);

/* Growth: the size says which fields the caller knows. */
struct wt_reader_options {
	size_t size;		/* of this structure */
	uint64_t decode_budget; /* bytes one call may decode before it gives up; 0 means 8 GiB */
	bool small_caches;	/* keep 16 MiB of what was decoded in place of 192 */
	uint64_t length;	/* look at the file's first bytes only, so many; 0: at all of it */
};

/** As wt_reader_open(). @options may be NULL. */
struct wt_error *wt_reader_open_with(const char *path, const struct wt_reader_options *options,
				     struct wt_reader **reader_ret);

/**
 * Has a read failed because the file is shorter than it was? Then a recording ended, and gave the space back that
 * it had reserved, or it goes on in another file under the same name: who opens the trace anew gets what is there now.
 */
bool wt_reader_is_outdated(const struct wt_reader *reader);

struct stat;

/** The name a trace was opened under, and what fstat() says of the file. */
const char *wt_reader_path(const struct wt_reader *reader);
struct wt_error *wt_reader_stat(const struct wt_reader *reader, struct stat *status_ret);

/** Legal on NULL. Journals of this reader must have been closed. */
void wt_reader_close(struct wt_reader *reader);

/**
 * Read and check every chunk now; what is not whole is then in wt_reader_damage(). Errors are those
 * of reading and memory alone.
 */
struct wt_error *wt_reader_check(struct wt_reader *reader);

struct wt_trace_info {
	const char *recorder, *api_level, *library_version, *library_build_name;
	const char *const *command_line; /* NULL-terminated */
	uint64_t start_time, process_id;
	bool reproducible;
	bool has_header;	/* false: it is lost, and what it would say is not known */
	bool complete;		/* it was closed in order */
	const char *end_reason; /* NULL if not complete */
	bool cut;		/* complete, but ended before its time: the disk was full, say */
	uint64_t file_size, raw_size, packets, calls;
	uint8_t file_id[16];
	struct wt_part part;	  /* zeros if the recording is here from its start */
	const char *policy;	  /* words that decided what was recorded; "" for the defaults */
	bool redacted;		  /* memory of the program was left out on purpose */
	const char *client_level; /* of the API: "0.77"; "": not known */
};
void wt_reader_info(const struct wt_reader *reader, struct wt_trace_info *info_ret);

/** What is not whole, as text: NULL if all is well. Valid until the reader is closed. */
const char *wt_reader_damage(const struct wt_reader *reader);

#define WT_NO_OFFSET UINT64_MAX

/* One thing that is not whole. */
struct wt_damage {
	uint64_t offset; /* in the file; WT_NO_OFFSET where it has no one place */
	uint64_t size;	 /* bytes from there on that it is about; 0: not known */
	bool loss;	 /* something is lost; false: all of it is found elsewhere in the file */
	const char *text;
};

/** Is anything known to be lost? False too where only what is there twice is damaged. */
bool wt_reader_has_loss(const struct wt_reader *reader);

/**
 * How many things are known not to be whole, and one of them by its position: they are in the order
 * in which they were found. At most 4,096 are kept, the others only counted. Pointers are valid until more is read.
 */
size_t wt_reader_damage_count(const struct wt_reader *reader);
uint64_t wt_reader_damage_dropped(const struct wt_reader *reader);
const struct wt_damage *wt_reader_damage_at(const struct wt_reader *reader, size_t position);

/**
 * A name by number (NULL if there is none), and the number of a name (0 if it is not in the trace).
 */
const char *wt_reader_name(const struct wt_reader *reader, uint32_t number);
uint32_t wt_reader_name_number(const struct wt_reader *reader, const char *text);

/** The highest number that a name has, and is there a number below it that none has? Such a name was lost. */
uint32_t wt_reader_last_name(const struct wt_reader *reader);
bool wt_reader_has_name_gaps(const struct wt_reader *reader);

uint32_t wt_reader_moment_count(const struct wt_reader *reader);

/**
 * The first moment from @number on that is not known to be lost with its chunk; how many moments there are, if there
 * is none. Numbers that a file skips are as many as it claims: whoever looks at all moments goes from one to the next.
 */
uint32_t wt_reader_next_moment(const struct wt_reader *reader, uint32_t number);

/** A moment without its state; the pointers in it belong to the reader. */
struct wt_error *wt_reader_moment(struct wt_reader *reader, uint32_t number,
				  const struct wt_moment **moment_ret);

/**
 * The state at a moment: facts, all items, and what came late. The caller owns it. Costs one
 * keyframe and the deltas after it.
 */
struct wt_error *wt_reader_state(struct wt_reader *reader, uint32_t number,
				 struct wt_state **state_ret);

/**
 * As above, without the facts, which hold for every moment anyway. It belongs to the reader, and is valid until another
 * state is asked for.
 */
struct wt_error *wt_reader_own_state(struct wt_reader *reader, uint32_t number,
				     const struct wt_state **state_ret);

/** The facts alone, for questions that need no moment. The caller owns the state. */
struct wt_error *wt_reader_facts(struct wt_reader *reader, struct wt_state **state_ret);

/* The journal, one record after the other, in the order they were written. */
struct wt_journal_record {
	enum wt_journal_kind {
		WT_JOURNAL_BEGIN,
		WT_JOURNAL_CALLBACK,
		WT_JOURNAL_END,
		WT_JOURNAL_MOMENT, /* a moment was written here: its number in `moment` */
		WT_JOURNAL_NOTICE,
	} kind;
	struct wt_call_begin begin;
	struct wt_callback callback;
	struct wt_call_end end;
	uint32_t moment;
	enum wt_notice_kind notice_kind;
	const char *notice;
	uint64_t notice_call;
	bool notice_is_host; /* it carries what wt_reader_host() gives, and its text says no more */
	/* The packet of a notice, as it is in the trace; NULL if the reader made the record. */
	const uint8_t *notice_body;
	size_t notice_size;
};

struct wt_journal;

/** A walk over the journal from its start. */
struct wt_error *wt_journal_open(struct wt_reader *reader, struct wt_journal **journal_ret);
/** The next record, valid until the next call; NULL in @record_ret at the end. */
struct wt_error *wt_journal_next(struct wt_journal *journal,
				 const struct wt_journal_record **record_ret);
void wt_journal_close(struct wt_journal *journal);

struct wt_host;

/**
 * The last facts of the host in a trace.
 *
 * @host_ret: NULL if there is none; else the caller's, for wt_host_destroy().
 */
struct wt_error *wt_reader_host(struct wt_reader *reader, struct wt_host **host_ret);

#endif /* WT_TRACE_FORMAT_READER_READER_H */
