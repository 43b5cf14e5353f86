/* SPDX-License-Identifier: MIT */
/*
 * The place of a trace that a pattern names: directories are made, the file is created, and it is this process's alone:
 * where a file of the name is there, `-2`, `-3` and so on come before its ending. In one directory no more traces of
 * the pattern are kept than the limits say.
 */
#ifndef WT_RECORDER_NAMING_PLACE_H
#define WT_RECORDER_NAMING_PLACE_H

#include <stdint.h>

#include "base/error.h"
#include "recorder/naming/pattern.h"

/* Limits to what one directory may hold of traces of one pattern; 0: no limit. */
struct wt_place_limits {
	uint64_t files, bytes;
};

/**
 * Make a place for a trace: an empty file, mode 0600. Directories that are not there are made, with the mode that the umask
 * leaves. Then older traces are removed as wt_place_tidy() does.
 *
 * @path_ret: the file; to free().
 *
 * Errors: of wt_pattern_expand(); IO; LIMIT if there are too many of the name.
 */
struct wt_error *wt_place_make(const char *pattern, const struct wt_name_facts *facts,
			       const struct wt_place_limits *limits, char **path_ret);

/**
 * Remove the oldest traces of a pattern in the directory of @newest until the rest, with it, keeps to the limits. Removed are
 * only files that such a name can have, that are this user's, that begin as a trace does, and that no process records into.
 * @newest itself always stays. What cannot be removed is left.
 */
void wt_place_tidy(const char *pattern, const char *newest, const struct wt_place_limits *limits);

#endif /* WT_RECORDER_NAMING_PLACE_H */
