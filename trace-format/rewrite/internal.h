/* SPDX-License-Identifier: MIT */
/*
 * What the ways of writing a trace again share. It includes rewrite.h for the results that are handed out; rewrite.c includes
 * both.
 */
#ifndef WT_TRACE_FORMAT_REWRITE_INTERNAL_H
#define WT_TRACE_FORMAT_REWRITE_INTERNAL_H

#include "trace-format/reader/chunk.h"
#include "trace-format/rewrite/rewrite.h"
#include "trace-format/writer/internal.h"

struct wt_rewriting {
	struct wt_reader *reader;
	const char *path; /* of the file that is written, not yet in its place */
	struct wt_rewrite_options options;
	size_t chunk_target;
	bool pack;		    /* it should take fewer bytes */
	uint32_t first, last;	    /* stops to keep, from 1; 0: all */
	struct wt_stop_list *stops; /* of the trace that is read */
	struct wt_rewrite *result;
};

/** Half of the work, if checking the trace is the other half. @done of @total of the second one. */
void wt_rewriting_progress(const struct wt_rewriting *rewriting, uint64_t done, uint64_t total);

/** copy.c: all packets as they are; with a Notice and an End where there is no End. */
struct wt_error *wt_rewriting_copy(struct wt_rewriting *rewriting);

/** trim.c: the stops that were asked for. LIMIT if that takes more bytes than all of the trace. */
struct wt_error *wt_rewriting_trim(struct wt_rewriting *rewriting);

/** rebuild.c: facts, moments and the journal as far as they can be read. */
struct wt_error *wt_rewriting_rebuild(struct wt_rewriting *rewriting);

/* From a reader into a writer, where packets cannot be copied as they are. */
struct wt_rebuild {
	struct wt_reader *reader;
	struct wt_writer *writer;
};

/** Options with which a writer makes the header that a trace has. They point into @info, which is the reader's or like it. */
struct wt_writer_options wt_rebuild_options(const struct wt_reader *reader,
					    const struct wt_trace_info *info, int compression);
/** All names that are known, with the numbers they have. */
struct wt_error *wt_rebuild_names(struct wt_rebuild *rebuild);
struct wt_error *wt_rebuild_facts(struct wt_rebuild *rebuild);
/** A moment with its state; a Notice in place of one that is lost. */
struct wt_error *wt_rebuild_moment(struct wt_rebuild *rebuild, uint32_t number);
/** A Notice with all that is in it, also what this version does not know. */
struct wt_error *wt_rebuild_notice(struct wt_rebuild *rebuild, const uint8_t *body, size_t size,
				   bool has_host);
/** One record of the journal. */
struct wt_error *wt_rebuild_record(struct wt_rebuild *rebuild,
				   const struct wt_journal_record *record);

/*
 * extract.c: a part of a trace, moments @first to @last with the calls that led to them and that were
 * made at them, and before them the ATTACH moment they belong to.
 */
struct wt_extract {
	struct wt_rebuild rebuild;
	uint32_t attach; /* a moment before `first`, or WT_NO_MOMENT */
	uint32_t first, last;
	bool whole_start;    /* everything before `first` stays, too */
	struct wt_part part; /* what is then before the part */
	void (*progress)(void *opaque, uint64_t done, uint64_t total); /* may be NULL */
	void *opaque;
};

/**
 * Find out what belongs to the stops @first to @last, counted from 0. USAGE if there are not so
 * many. `rebuild.reader` must be set.
 */
struct wt_error *wt_extract_plan(struct wt_extract *extract, uint32_t first, uint32_t last);

/** Write it; what the writer had before must be its header alone. */
struct wt_error *wt_extract_run(struct wt_extract *extract);

#endif /* WT_TRACE_FORMAT_REWRITE_INTERNAL_H */
