/* SPDX-License-Identifier: MIT */
/*
 * A chunk's payload: packets, compressed into one zstd frame and filled up to a multiple of the size of a head. Nothing
 * here knows of the file that the chunk is for, so that any thread may do it.
 */
#ifndef WT_TRACE_FORMAT_CONTAINER_PACK_H
#define WT_TRACE_FORMAT_CONTAINER_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <zstd.h>

#include "base/buffer.h"
#include "base/error.h"

/* What became of some packets. The payload is in the image they were packed into, behind room for a head. */
struct wt_packed {
	size_t result; /* of zstd */
	size_t stored; /* bytes of the payload */
	uint32_t crc;  /* of it */
};

/** Memory for the worst case of @size bytes and a gap behind them, so that nothing more is needed. False without. */
bool wt_pack_prepare(struct wt_buffer *image, size_t size);

/** Compress the first @size bytes of @raw into an image that was prepared for as many. */
void wt_pack(ZSTD_CCtx *zstd, const struct wt_buffer *raw, size_t size, struct wt_buffer *image,
	     struct wt_packed *packed_ret);

/** The error of a compression that failed, in a trace at @path; NULL if it did not. */
struct wt_error *wt_pack_check(const struct wt_packed *packed, const char *path);

#endif /* WT_TRACE_FORMAT_CONTAINER_PACK_H */
