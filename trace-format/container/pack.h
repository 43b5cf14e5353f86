/* SPDX-License-Identifier: MIT */
/*
 * The payload of a chunk: packets compressed into one zstd frame, padded to a multiple of the size of a head. This file
 * must not use the trace file, so that any thread may call it.
 */
#ifndef WT_TRACE_FORMAT_CONTAINER_PACK_H
#define WT_TRACE_FORMAT_CONTAINER_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <zstd.h>

#include "base/buffer.h"
#include "base/error.h"

/* The result of a compression. The payload is in the image, after room for a head. */
struct wt_packed {
	size_t result; /* of zstd */
	size_t stored; /* bytes of the payload */
	uint32_t crc;  /* of the payload */
};

/**
 * Reserve memory in @image for the worst case of compressing @size bytes and for a gap after them, so that wt_pack() need
 * not allocate. False if there is no memory.
 */
bool wt_pack_prepare(struct wt_buffer *image, size_t size);

/** Compress the first @size bytes of @raw into an image that wt_pack_prepare() made for the same size. */
void wt_pack(ZSTD_CCtx *zstd, const struct wt_buffer *raw, size_t size, struct wt_buffer *image,
	     struct wt_packed *packed_ret);

/** The error if the compression failed, for a trace at @path; NULL if it succeeded. */
struct wt_error *wt_pack_check(const struct wt_packed *packed, const char *path);

#endif /* WT_TRACE_FORMAT_CONTAINER_PACK_H */
