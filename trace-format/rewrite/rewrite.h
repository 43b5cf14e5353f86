/* SPDX-License-Identifier: MIT */
/*
 * Rewriting a trace into a new file: recover a damaged trace, repack it in fewer bytes, or trim it to some stops.
 *
 * The room `rewrite` is for code that needs a reader and a writer. ring.h also is part of it: it replaces the file of a
 * recording that keeps only the newest stops. This room must not decode or encode packets itself: it uses the reader and
 * the writer, or copies packets as bytes.
 */
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
	 * May be NULL. Called with the path of the temporary file, which is next to the requested path, before it is
	 * created, and with NULL when no file has that path any more. So a process that is interrupted in between can
	 * remove the file. The string is valid until the second call.
	 */
	void (*making)(void *opaque, const char *path);
};

struct wt_rewrite {
	struct wt_check check;		  /* of the trace that was read */
	uint64_t moments, calls, packets; /* in the new trace */
	uint64_t old_size, new_size;	  /* of the files */
	bool as_it_was; /* every packet was copied as it is; else the trace was rebuilt */
};

/**
 * Write the intact parts of a trace to a new file that is closed in order. Every moment whose state can be rebuilt is kept
 * with all that is left of it, and the journal without its lost records. A Notice at each gap says what is missing, and
 * one before the End says it for the whole trace. If moments are lost, the others are renumbered; calls keep their
 * numbers.
 *
 * @path: atomically becomes the new trace when all is written; an existing file is replaced. USAGE if it is the file that
 *	is read.
 * @options: may be NULL.
 *
 * Afterwards the reader's damage names what was lost; `check.loss` says whether anything was. Errors: those of reading and
 * writing; @path then is as it was before.
 */
struct wt_error *wt_trace_recover(struct wt_reader *reader, const char *path,
				  const struct wt_rewrite_options *options,
				  struct wt_rewrite *rewrite_ret);

/**
 * Write the same packets with stronger compression in larger chunks. Parameters as for wt_trace_recover(). INPUT if
 * something of the trace is lost: recover it first. LIMIT if the new file would be larger than the old one, for instance
 * at a lower level than the old one was packed with.
 */
struct wt_error *wt_trace_repack(struct wt_reader *reader, const char *path,
				 const struct wt_rewrite_options *options,
				 struct wt_rewrite *rewrite_ret);

/**
 * Write a part of a trace: the stops @first to @last, counted from 1 as `wavetape stops` lists them, everything between
 * them, and the calls that led to them or were made at them. The new trace is complete without the old one and is not
 * larger. Its Header says what came before (struct wt_part), its End says that something came after. Other parameters as
 * for wt_trace_repack().
 *
 * Errors: those of wt_trace_repack(), and LIMIT if these stops alone take more bytes than the whole trace; USAGE if @first
 * is not from 1 to @last, or if there are fewer stops.
 */
struct wt_error *wt_trace_trim(struct wt_reader *reader, uint32_t first, uint32_t last,
			       const char *path, const struct wt_rewrite_options *options,
			       struct wt_rewrite *rewrite_ret);

/* A source file to be kept with a trace. */
struct wt_kept_source {
	const char *name; /* as the debug information has it */
	const uint8_t *data;
	size_t size; /* bytes, up to WT_KEPT_SOURCE_MAX */
};

#define WT_KEPT_SOURCE_MAX ((size_t)1 << 20)

/**
 * Write the same packets, and facts of type SOURCE in front of the End. Parameters as for wt_trace_recover(); @path may be the
 * trace that is read, which the new one then replaces.
 *
 * Errors: those of wt_trace_recover(); INPUT if something of the trace is lost, or if it was not closed in order.
 */
struct wt_error *wt_trace_add_sources(struct wt_reader *reader, const struct wt_kept_source *texts,
				      size_t count, const char *path,
				      const struct wt_rewrite_options *options,
				      struct wt_rewrite *rewrite_ret);

#endif /* WT_TRACE_FORMAT_REWRITE_REWRITE_H */
