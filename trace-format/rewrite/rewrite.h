/* SPDX-License-Identifier: MIT */
/* A trace written again: what is left of a damaged one, the same in fewer bytes, or a part. */
#ifndef WT_TRACE_FORMAT_REWRITE_REWRITE_H
#define WT_TRACE_FORMAT_REWRITE_REWRITE_H

#include "trace-format/reader/check.h"
#include "trace-format/reader/reader.h"

struct wt_rewrite_options {
	size_t size;	 /* of this structure */
	int compression; /* zstd level, 1 to 19; 0: 3 for recovery, 19 otherwise */
	void (*progress)(void *opaque, uint64_t done, uint64_t total); /* may be NULL */
	void *opaque;
	/*
	 * May be NULL. Told the name of the file that is written, beside the one asked for, before it is made, and NULL
	 * when nothing has that name any more: who is ended in between can remove the file. Valid until then.
	 */
	void (*making)(void *opaque, const char *path);
};

struct wt_rewrite {
	struct wt_check check;		  /* of what was read */
	uint64_t moments, calls, packets; /* in the new trace */
	uint64_t old_size, new_size;	  /* of the files */
	bool as_it_was; /* every packet was copied as it is; else the trace was put together anew */
};

/**
 * Write what is whole in a trace to a new file that is closed in order. Every moment whose state
 * can be rebuilt is kept with all that is left of it, and the journal without what is lost; what is
 * missing is said in Notices at its place and, as a whole, in one before the End. Moments are
 * numbered anew where some are lost; calls keep their numbers.
 *
 * @path: becomes a trace in one step when all is written; what was there before is replaced. USAGE
 *	if it is the file that is read.
 * @options: may be NULL.
 *
 * The reader's damage then names what was lost; `check.loss` says whether anything was. Errors:
 * those of reading and writing; nothing is left at @path then, or what was there before.
 */
struct wt_error *wt_trace_recover(struct wt_reader *reader, const char *path,
				  const struct wt_rewrite_options *options,
				  struct wt_rewrite *rewrite_ret);

/**
 * Write the same packets with stronger compression in larger chunks. Parameters as above. INPUT if
 * something of the trace is lost: recover it first. LIMIT if the new file would take more bytes than the old one,
 * as at a lower level than it was packed with.
 */
struct wt_error *wt_trace_repack(struct wt_reader *reader, const char *path,
				 const struct wt_rewrite_options *options,
				 struct wt_rewrite *rewrite_ret);

/**
 * Write a part of a trace: the stops @first to @last, counted from 1 as `wavetape stops` lists them,
 * with what lies between them, and the calls that were made on the way to them and at them. The new
 * trace needs nothing of the old one, and takes no more bytes. Its Header says what came before
 * (struct wt_part), its End that something came after. Other parameters as for packing.
 *
 * Errors: as for packing, and LIMIT if these stops alone take more bytes than all of it; USAGE if @first is not
 * from 1 to @last, or if there are not so many stops.
 */
struct wt_error *wt_trace_trim(struct wt_reader *reader, uint32_t first, uint32_t last,
			       const char *path, const struct wt_rewrite_options *options,
			       struct wt_rewrite *rewrite_ret);

#endif /* WT_TRACE_FORMAT_REWRITE_REWRITE_H */
