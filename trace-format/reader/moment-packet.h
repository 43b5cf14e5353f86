/* SPDX-License-Identifier: MIT */
/* Moments without their states: what is at most a few hundred bytes of each, and is read more often than anything else. */
#ifndef WT_TRACE_FORMAT_READER_MOMENT_PACKET_H
#define WT_TRACE_FORMAT_READER_MOMENT_PACKET_H

#include "trace-format/reader/internal.h"

/** The packet of a moment within its chunk, by how many moments are before it there; NULL if there are no more. */
static inline const struct wt_packet *wt_moment_packet(const struct wt_chunk *chunk, uint32_t skip)
{
	return skip < chunk->moment_count ? &chunk->packets[chunk->moments[skip].packet] : NULL;
}

/**
 * Decode a MOMENT, all but its items: whether these can be decoded is found out.
 *
 * @moment_ret: valid until the next packet is decoded.
 * Errors: INPUT if anything in it is malformed; out of memory.
 */
struct wt_error *wt_reader_decode_moment(struct wt_reader *reader, const struct wt_chunk *chunk,
					 const struct wt_packet *packet,
					 const struct wt_packed_moment **moment_ret);

#endif /* WT_TRACE_FORMAT_READER_MOMENT_PACKET_H */
