/* SPDX-License-Identifier: MIT */
/*
 * The source files of a trace: those that were kept with it, and those that maps lead to. Each is read when it is first asked for, and
 * stays.
 */
#ifndef WT_REPLAYER_VIEW_SOURCES_H
#define WT_REPLAYER_VIEW_SOURCES_H

#include "replayer/code/source.h"
#include "replayer/code/tokens.h"
#include "replayer/view/explain-lines.h"
#include "replayer/view/view.h"
#include "trace-format/reader/reader.h"

struct wt_sources;

struct wt_source_file {
	const char *name;    /* as debug information has it */
	const uint8_t *data; /* followed by NUL */
	size_t size;
	const size_t *starts; /* where its lines begin */
	size_t lines;
	bool recorded; /* kept with the trace */
};

/**
 * Find what was kept with a trace.
 *
 * @maps: "FROM=TO" each, with NULL behind the last; NULL: none. They are copied.
 * @sources_ret: to be destroyed by the caller; it does not need the reader.
 *
 * Errors: those of wt_reader_facts(); USAGE if a map is none, or if there are more than WT_SOURCE_MAPS.
 */
struct wt_error *wt_sources_create(struct wt_reader *reader, const char *const *maps,
				   struct wt_sources **sources_ret);
void wt_sources_destroy(struct wt_sources *sources); /* NULL is legal */

/** The same with maps that were taken apart already, whose texts must outlive the sources; NULL: none. */
struct wt_error *wt_sources_create_mapped(struct wt_reader *reader,
					  const struct wt_source_maps *maps,
					  struct wt_sources **sources_ret);

/** How many were kept with the trace, and one of them. */
size_t wt_sources_count(const struct wt_sources *sources);
const struct wt_source_file *wt_sources_at(const struct wt_sources *sources, size_t index);

/**
 * A file that debug information names: what was kept, else that of the first map that has it, up to 16 MiB.
 *
 * @file_ret: NULL if nobody has it. Good as long as the sources.
 *
 * Errors: no memory.
 */
struct wt_error *wt_sources_find(struct wt_sources *sources, const char *name,
				 const struct wt_source_file **file_ret);

/**
 * Is the file of a place, as wt_sources_find() finds it, the one that was compiled? By the MD5 sum that DWARF has of that.
 *
 * @place: its file may be NULL.
 *
 * Errors: no memory.
 */
struct wt_error *wt_sources_check(struct wt_sources *sources, const struct wavetape_place *place,
				  enum wt_source_match *match_ret);

/**
 * The tokens of a file, if it is the one that was compiled.
 *
 * @md5: of that. Return: they belong to the sources; NULL if nobody has the file, or it is another.
 */
const struct wt_tokens *wt_sources_tokens(struct wt_sources *sources, const char *name,
					  const uint8_t *md5);

/** A line, from 1, without its end: how many bytes; the text is NULL if the file has fewer lines. */
size_t wt_source_line(const struct wt_source_file *file, uint32_t line, const char **text_ret);

#endif /* WT_REPLAYER_VIEW_SOURCES_H */
