/* SPDX-License-Identifier: MIT */
/* Files that are not traces: what they seem to be, so that an error can say what to do. */
#ifndef WT_TRACE_FORMAT_CONTAINER_FOREIGN_H
#define WT_TRACE_FORMAT_CONTAINER_FOREIGN_H

#include <stddef.h>
#include <stdint.h>

/**
 * Guess what a file is by its first bytes.
 *
 * @size: how many there are; 0 is legal.
 * @return: a static text that ends a sentence ("it is a gzip file: unpack it first"); NULL if they say nothing.
 */
const char *wt_foreign_kind(const uint8_t *bytes, size_t size);

#endif /* WT_TRACE_FORMAT_CONTAINER_FOREIGN_H */
