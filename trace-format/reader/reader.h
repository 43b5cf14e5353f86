/* SPDX-License-Identifier: MIT */
/*
 * Reading a trace: moments in any order, the journal in its own order.
 *
 * The room `reader` decodes trace files. Other headers for users of the room:
 *
 *     chunk-load.h  chunks and packets as bytes, for code that rewrites traces; chunk.h: one of them
 *     summary.h     the list of stops and notices in the final index
 *     check.h       a check of everything in a trace
 *
 * The file is untrusted: every length, number and checksum is verified before it is used. This room must not write the
 * file, and must not know what a query or a register means.
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
 * Open a trace. A file that ends early or has damaged chunks opens with the parts that are intact: see
 * wt_reader_damage(). A file that becomes shorter meanwhile is opened once more. Errors: WT_ERROR_IO, WT_ERROR_INPUT (not
 * a trace), WT_ERROR_UNSUPPORTED (newer major version, unknown required chunk kind), WT_ERROR_LIMIT.
 */
struct wt_error *wt_reader_open(const char *path, struct wt_reader **reader_ret);

/* Growth: the size says which fields the caller knows. */
struct wt_reader_options {
	size_t size;		/* of this structure */
	uint64_t decode_budget; /* bytes one call may decode before it gives up; 0 means 8 GiB */
	bool small_caches;	/* cache 16 MiB of decoded data instead of 160 */
	uint64_t length;	/* read only so many bytes from the file's start; 0: all of it */
	uint64_t cache_limit;	/* cache no more bytes of decoded data than this; 0: as above */
};

/** Does what wt_reader_open() does, by @options, which may be NULL. */
struct wt_error *wt_reader_open_with(const char *path, const struct wt_reader_options *options,
				     struct wt_reader **reader_ret);

/**
 * Did a read fail because the file is shorter than it was? Then a recording ended and cut off its reserved space, or it
 * continues in another file under the same name. Open the trace again to read the present file.
 */
bool wt_reader_is_outdated(const struct wt_reader *reader);

struct stat;

/** The path that the trace was opened with, and the result of fstat() on the file. */
const char *wt_reader_path(const struct wt_reader *reader);
struct wt_error *wt_reader_stat(const struct wt_reader *reader, struct stat *status_ret);

/** Legal on NULL. Journals of this reader must have been closed. */
void wt_reader_close(struct wt_reader *reader);

/**
 * Read and check every chunk now. wt_reader_damage() then tells what is damaged. Errors: only those of reading and
 * memory.
 */
struct wt_error *wt_reader_check(struct wt_reader *reader);

struct wt_trace_info {
	const char *recorder, *api_level, *library_version, *library_build_name;
	const char *const *command_line; /* NULL-terminated */
	uint64_t start_time, process_id;
	bool reproducible;
	bool has_header;	/* false: the Header is lost, and its fields are not known */
	bool complete;		/* it was closed in order */
	const char *end_reason; /* NULL if not complete */
	bool cut; /* complete, but ended early, for instance because the disk was full */
	uint64_t file_size, raw_size, packets, calls;
	uint8_t file_id[16];
	struct wt_part part; /* zeros if the recording is here from its start */
	const char *policy;  /* option words that selected what was recorded; "" for the defaults */
	bool redacted;	     /* memory of the program was left out on purpose */
	const char *client_level; /* the client's level of the API: "0.77"; "": not known */
};
void wt_reader_info(const struct wt_reader *reader, struct wt_trace_info *info_ret);

/** The known damage, as text; NULL if there is none. Valid until the reader is closed. */
const char *wt_reader_damage(const struct wt_reader *reader);

#define WT_NO_OFFSET UINT64_MAX

/* One piece of damage. */
struct wt_damage {
	uint64_t offset; /* in the file; WT_NO_OFFSET if it has no single place */
	uint64_t size;	 /* bytes from there on that are affected; 0: not known */
	bool loss;	 /* something is lost; false: all of it is elsewhere in the file, too */
	const char *text;
};

/** Is anything known to be lost? False also if only data that the file has twice is damaged. */
bool wt_reader_has_loss(const struct wt_reader *reader);

/**
 * The pieces of damage in the order in which they were found: how many are kept, how many more were only counted, and one
 * by its position. At most 4,096 are kept. Pointers are valid until more is read.
 */
size_t wt_reader_damage_count(const struct wt_reader *reader);
uint64_t wt_reader_damage_dropped(const struct wt_reader *reader);
const struct wt_damage *wt_reader_damage_at(const struct wt_reader *reader, size_t position);

/**
 * A name by number (NULL if there is none), and the number of a name (0 if it is not in the trace).
 */
const char *wt_reader_name(const struct wt_reader *reader, uint32_t number);
uint32_t wt_reader_name_number(const struct wt_reader *reader, const char *text);

/** The highest name number; and whether a number below it has no name. Such a name was lost. */
uint32_t wt_reader_last_name(const struct wt_reader *reader);
bool wt_reader_has_name_gaps(const struct wt_reader *reader);

uint32_t wt_reader_moment_count(const struct wt_reader *reader);

/**
 * The first moment from @number on that is not known to be lost with its chunk; the count of moments if there is none.
 * A file can claim to skip any number of moments. So walk over all moments with this function, not by counting.
 */
uint32_t wt_reader_next_moment(const struct wt_reader *reader, uint32_t number);

/** A moment without its state. The reader owns what it points to. */
struct wt_error *wt_reader_moment(struct wt_reader *reader, uint32_t number,
				  const struct wt_moment **moment_ret);

/**
 * Build the state at a moment: facts, all items, and late items. The caller owns it. This decodes one keyframe and the
 * deltas after it.
 */
struct wt_error *wt_reader_state(struct wt_reader *reader, uint32_t number,
				 struct wt_state **state_ret);

/**
 * The same, for who looks at few waves: of a full GPU registers are most of what a stop has. The REGISTERS items of the
 * state have their key and status alone until they are asked for with wt_reader_registers(); what is lost of others is
 * not known, then.
 */
struct wt_error *wt_reader_state_deferred(struct wt_reader *reader, uint32_t number,
					  struct wt_state **state_ret);

/**
 * Is the state at a moment for certain what it was at @before? Most moments at which a client asked for events in vain have nothing
 * of a state. False also where that is not found out without building it.
 */
bool wt_reader_keeps_state(struct wt_reader *reader, uint32_t before, uint32_t number);

/**
 * The registers of a wave in a state that this reader built, with their bytes, which are read now if they were not yet.
 *
 * Return: NULL if there are none, or if they are lost: then that is noted as damage.
 */
const struct wt_item *wt_reader_registers(struct wt_reader *reader, const struct wt_state *state,
					  uint64_t wave);

/** Has it any? What was not read yet is not read for it: it may prove to be lost. */
bool wt_reader_has_registers(struct wt_reader *reader, const struct wt_state *state, uint64_t wave);

/**
 * Leave items out of the states that are built from now on: those for which @is_needed returns false. Their bytes are not read.
 *
 * @is_needed: NULL: no item is left out. It must return the same for the same key until this is called again.
 */
void wt_reader_need(struct wt_reader *reader,
		    bool (*is_needed)(void *opaque, const struct wt_key *key), void *opaque);

/**
 * Like wt_reader_state(), without the facts, which hold for every moment. The reader owns the state; it is valid until
 * the next state is requested.
 */
struct wt_error *wt_reader_own_state(struct wt_reader *reader, uint32_t number,
				     const struct wt_state **state_ret);

/** The facts alone, for questions that need no moment. The caller owns the state. */
struct wt_error *wt_reader_facts(struct wt_reader *reader, struct wt_state **state_ret);

/* One record of the journal. Records come in the order in which they were written. */
struct wt_journal_record {
	enum wt_journal_kind {
		WT_JOURNAL_BEGIN,
		WT_JOURNAL_CALLBACK,
		WT_JOURNAL_END,
		WT_JOURNAL_MOMENT, /* a moment was written here; `moment` has its number */
		WT_JOURNAL_NOTICE,
	} kind;
	struct wt_call_begin begin;
	struct wt_callback callback;
	struct wt_call_end end;
	uint32_t moment;
	enum wt_notice_kind notice_kind;
	const char *notice;
	uint64_t notice_call;
	bool notice_is_host; /* it carries what wt_reader_host() returns; its text says no more */
	/* The body of the notice's packet, as the trace has it; NULL if the reader made the record. */
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

/**
 * Like wt_journal_next(), several times as fast: of calls and callbacks the record has the kind and the call's number alone. A
 * packet that turns out to be lost when it is decoded is not told of.
 */
struct wt_error *wt_journal_pass(struct wt_journal *journal,
				 const struct wt_journal_record **record_ret);

/* A place between two records, for walks over the same reader. */
struct wt_journal_position {
	size_t place, packet;
	uint64_t expected;
};

/** The position of a walk; a walk can go on from the position of another one. */
struct wt_journal_position wt_journal_position(const struct wt_journal *journal);
void wt_journal_seek(struct wt_journal *journal, const struct wt_journal_position *position);

struct wt_host;

/**
 * The last facts of the host in a trace.
 *
 * @host_ret: NULL if there is none; else the caller's, for wt_host_destroy().
 */
struct wt_error *wt_reader_host(struct wt_reader *reader, struct wt_host **host_ret);

#endif /* WT_TRACE_FORMAT_READER_READER_H */
