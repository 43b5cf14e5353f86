/* SPDX-License-Identifier: MIT */
/* Whole files as bytes: workloads, code objects, contents of buffers. */
#ifndef WT_DEVICE_FILE_H
#define WT_DEVICE_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/**
 * Read a regular file into memory.
 *
 * @path: what to open.
 * @limit: bytes; a larger file is refused before anything is allocated.
 * @what: first part of an error, such as "cannot load the code object".
 * @data_ret: the bytes and one zero behind them; the caller frees them.
 * @size_ret: how many bytes, without that zero.
 *
 * Errors: WT_ERROR_IO from the system, WT_ERROR_INPUT for something that is no regular file,
 * WT_ERROR_LIMIT, WT_ERROR_MEMORY.
 */
struct wt_error *wt_device_read_file(const char *path, size_t limit, const char *what,
				     uint8_t **data_ret, size_t *size_ret);

#endif /* WT_DEVICE_FILE_H */
