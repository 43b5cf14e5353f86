/* SPDX-License-Identifier: MIT */
/*
 * Extracts recorded code objects into files, for clients that open what a URI names. Files are named by the hash of
 * their bytes and kept, in a directory that nobody else can write to. No name from a trace becomes part of a path.
 */
#ifndef WT_REPLAYER_CODE_EXTRACT_CODE_H
#define WT_REPLAYER_CODE_EXTRACT_CODE_H

#include <stddef.h>

#include "base/error.h"

/**
 * Put bytes into a file, unless it is there with just these bytes.
 * @directories: places to try in order, NULL-terminated. The last part of each, and the one before
 * it, are made (mode 0700) if they are not there. One that another user owns, or others may write
 * to or read, is passed over, and so is what is a symbolic link.
 * @path_ret: absolute; the caller frees it.
 * Errors: WT_ERROR_IO if no directory can be had or written to.
 */
struct wt_error *wt_extract(const char *const *directories, const void *data, size_t size,
			    char **path_ret);

/** `file://` and the path, with what a URI cannot hold as %XX; NULL if there is no memory. */
char *wt_extract_uri(const char *path);

#endif /* WT_REPLAYER_CODE_EXTRACT_CODE_H */
