/* SPDX-License-Identifier: MIT */
/* Read whole files: workloads, code objects, contents of buffers. */
#ifndef WT_DEVICE_WHOLE_FILE_H
#define WT_DEVICE_WHOLE_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/**
 * Read a regular file into memory.
 *
 * @path: what to open.
 * @limit: in bytes; a larger file is refused before memory is allocated for it.
 * @what: the first part of an error, such as "cannot load the code object".
 * @data_ret: the bytes, followed by one 0; the caller frees them.
 * @size_ret: the number of bytes, without that 0.
 *
 * Errors: WT_ERROR_IO from the system, WT_ERROR_INPUT for something that is no regular file,
 * WT_ERROR_LIMIT, WT_ERROR_MEMORY.
 */
struct wt_error *wt_device_read_file(const char *path, size_t limit, const char *what,
				     uint8_t **data_ret, size_t *size_ret);

#endif /* WT_DEVICE_WHOLE_FILE_H */
