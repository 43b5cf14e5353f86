/* SPDX-License-Identifier: MIT */
/* Files that are not traces: guess what they are, so that the error message can say what to do. */
#ifndef WT_TRACE_FORMAT_CONTAINER_FOREIGN_H
#define WT_TRACE_FORMAT_CONTAINER_FOREIGN_H

#include <stddef.h>
#include <stdint.h>

/**
 * Guess what a file is by its first bytes.
 *
 * @size: number of bytes; 0 is legal.
 * @return: a static text that ends a sentence ("it is a gzip file: unpack it first"); NULL if the bytes match no known
 *	kind.
 */
const char *wt_foreign_kind(const uint8_t *bytes, size_t size);

#endif /* WT_TRACE_FORMAT_CONTAINER_FOREIGN_H */
