/* SPDX-License-Identifier: MIT */
/*
 * The text of source lines that DWARF names: recorded, or of files. Names in a trace are never used as paths: a file is opened
 * only where the user has said what stands for the beginning of its name, and nowhere above that.
 */
#ifndef WT_REPLAYER_VIEW_EXPLAIN_LINES_H
#define WT_REPLAYER_VIEW_EXPLAIN_LINES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/source-maps.h"
#include "replayer/view/view.h"

#define WT_LINES_AROUND 3 /* to each side of the line that is meant */
#define WT_LINES_MAX (2 * WT_LINES_AROUND + 1)

/** The path of the file that the first map which has it leads to, for the caller to free(); NULL if none has it. */
char *wt_source_maps_path(const struct wt_source_maps *maps, const char *file);

struct wt_lines {
	uint32_t first; /* number of the first line */
	size_t count;	/* 0: the source is not at hand */
	char *text[WT_LINES_MAX];
};

/**
 * Read a line and those around it: of what was recorded, else of the first map that has the file.
 *
 * @view: NULL: of maps alone.
 * @file, @line: as DWARF names them; NULL and 0 where it does not.
 * @lines_ret: for the caller to wt_lines_deinit(). None if nobody has the file, or it has fewer lines.
 *
 * Errors: no memory.
 */
struct wt_error *wt_lines_read(const struct wt_view *view, const struct wt_source_maps *maps,
			       const char *file, uint32_t line, struct wt_lines *lines_ret);
void wt_lines_deinit(struct wt_lines *lines);

/* A whole file of source. */
struct wt_source_text {
	char *data;	       /* lines end with NUL; NULL: it is not at hand */
	size_t *starts, count; /* of lines */
};

/**
 * Read a file that DWARF names, up to 16 MiB of it: what was recorded, else of the first map that has it.
 *
 * @view: NULL: of maps alone.
 * @text_ret: for the caller to wt_source_text_deinit(). Empty if nobody has the file.
 *
 * Errors: no memory.
 */
struct wt_error *wt_source_text_read(const struct wt_view *view, const struct wt_source_maps *maps,
				     const char *file, struct wt_source_text *text_ret);
void wt_source_text_deinit(struct wt_source_text *text);

/**
 * The text of a file of a reasonable size, by the first map that has it, as it is.
 *
 * @limit: in bytes; one that is longer is none.
 * @text_ret: empty if none has.
 */
struct wt_error *wt_source_read(const struct wt_source_maps *maps, const char *file, size_t limit,
				struct wt_buffer *text_ret);

#endif /* WT_REPLAYER_VIEW_EXPLAIN_LINES_H */
