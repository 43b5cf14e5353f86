/* SPDX-License-Identifier: MIT */
/* Finding a packet, a blob or a moment in the file. */
#ifndef WT_TRACE_FORMAT_READER_FIND_H
#define WT_TRACE_FORMAT_READER_FIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct wt_reader;

/** Things that chunks count, each from where the chunk before ends. */
enum wt_counted { WT_COUNTED_PACKETS, WT_COUNTED_BLOBS, WT_COUNTED_MOMENTS };

/**
 * The first place that does not end before a number. Places without any end where the next starts.
 *
 * Return: the number of places if all end before. If what is asked for is lost, the place starts behind it.
 */
size_t wt_reader_place_from(const struct wt_reader *reader, enum wt_counted counted,
			    uint64_t number);

/** Does the next place continue with the packet after the last one of @place? */
bool wt_reader_continues(const struct wt_reader *reader, size_t place);

/** The position of the chunk that holds a moment. NOT_FOUND if there is none or the chunk is lost. */
struct wt_error *wt_reader_find_moment(struct wt_reader *reader, uint32_t number,
				       size_t *position_ret);

#endif /* WT_TRACE_FORMAT_READER_FIND_H */
