/* SPDX-License-Identifier: MIT */
/*
 * Declarations that the files of this room share. This header includes rewrite.h for the public results; rewrite.c
 * includes both.
 */
#ifndef WT_TRACE_FORMAT_REWRITE_INTERNAL_H
#define WT_TRACE_FORMAT_REWRITE_INTERNAL_H

#include "trace-format/reader/chunk.h"
#include "trace-format/rewrite/rewrite.h"
#include "trace-format/writer/internal.h"

struct wt_rewriting {
	struct wt_reader *reader;
	const char *path; /* of the file that is written, before it is renamed */
	struct wt_rewrite_options options;
	size_t chunk_target;
	bool pack;			    /* the new file should be smaller */
	uint32_t first, last;		    /* stops to keep, from 1; 0: all */
	const struct wt_kept_source *texts; /* to add, in a whole trace only */
	size_t text_count;
	struct wt_stop_list *stops; /* of the trace that is read */
	struct wt_rewrite *result;
};

/** Report progress of the writing, which counts as the second half of the work; checking the trace is the first. */
void wt_rewriting_progress(const struct wt_rewriting *rewriting, uint64_t done, uint64_t total);

/** copy.c: copy all packets as they are, and add a Notice and an End if there is no End. */
struct wt_error *wt_rewriting_copy(struct wt_rewriting *rewriting);

/** source-texts.c: write names, blobs and facts of the texts. */
struct wt_error *wt_rewriting_add_texts(const struct wt_rewriting *rewriting, struct wt_tape *tape);

/** trim-stops.c: write the requested stops. LIMIT if that takes more bytes than the whole trace. */
struct wt_error *wt_rewriting_trim(struct wt_rewriting *rewriting);

/** rebuild.c: write facts, moments and the journal as far as they can be read. */
struct wt_error *wt_rewriting_rebuild(struct wt_rewriting *rewriting);

/* A copy from a reader to a writer, for when packets cannot be copied as they are. */
struct wt_rebuild {
	struct wt_reader *reader;
	struct wt_writer *writer;
};

/** Options with which a writer makes the same Header as the trace. They point into @info, from wt_reader_info() or like it. */
struct wt_writer_options wt_rebuild_options(const struct wt_reader *reader,
					    const struct wt_trace_info *info, int compression);
/** Write all known names with their numbers. */
struct wt_error *wt_rebuild_names(struct wt_rebuild *rebuild);
struct wt_error *wt_rebuild_facts(struct wt_rebuild *rebuild);
/** Write a moment with its state, or a Notice in its place if it is lost. */
struct wt_error *wt_rebuild_moment(struct wt_rebuild *rebuild, uint32_t number);
/** Write a Notice with its whole body, including fields that this version does not know. */
struct wt_error *wt_rebuild_notice(struct wt_rebuild *rebuild, const uint8_t *body, size_t size,
				   bool has_host);
/** Write one record of the journal. */
struct wt_error *wt_rebuild_record(struct wt_rebuild *rebuild,
				   const struct wt_journal_record *record);

/*
 * extract.c: a part of a trace. It has the moments @first to @last, the calls that led to them or were made at them, and
 * first the ATTACH moment that they belong to.
 */
struct wt_extract {
	struct wt_rebuild rebuild;
	uint32_t attach; /* a moment before `first`, or WT_NO_MOMENT */
	uint32_t first, last;
	bool whole_start;    /* keep everything before `first`, too */
	struct wt_part part; /* what the recording has before the part */
	void (*progress)(void *opaque, uint64_t done, uint64_t total); /* may be NULL */
	void *opaque;
};

/**
 * Find what belongs to the stops @first to @last, counted from 0. USAGE if there are fewer stops. `rebuild.reader` must be
 * set.
 */
struct wt_error *wt_extract_plan(struct wt_extract *extract, uint32_t first, uint32_t last);

/** Write the part. Before it the writer must have written only its Header. */
struct wt_error *wt_extract_run(struct wt_extract *extract);

#endif /* WT_TRACE_FORMAT_REWRITE_INTERNAL_H */
