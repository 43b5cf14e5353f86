/* SPDX-License-Identifier: MIT */
/*
 * Memory of a recorded process that is known from its code objects: the segments as they were loaded, and whole files
 * that were in memory (memory://). Used for pages that were not recorded; recorded pages come first.
 */
#ifndef WT_REPLAYER_RECORDED_IMAGES_H
#define WT_REPLAYER_RECORDED_IMAGES_H

#include "replayer/recorded/recorded.h"

struct wt_image_range {
	uint64_t address, size;
	const uint8_t *data; /* in `bytes` */
	struct wt_bytes *bytes;
	bool file; /* a whole ELF file; else a segment */
};

/* In the order of their addresses. Zero it before use. */
struct wt_images {
	struct wt_image_range *ranges;
	size_t count;
};

/**
 * The ranges of all code objects of a state: segments that the program may not write to, and files
 * in memory. Of what overlaps, whichever comes first is taken. What is no ELF file, or does not say
 * where it is, adds nothing.
 * Errors: out of memory; @images is then empty.
 */
struct wt_error *wt_images_load(struct wt_images *images, const struct wt_recorded *recorded);
void wt_images_deinit(struct wt_images *images);

/** Copy bytes that stand without a gap from @address on. Return: how many, at most @size. */
size_t wt_images_read(const struct wt_images *images, uint64_t address, void *data, size_t size);

#endif /* WT_REPLAYER_RECORDED_IMAGES_H */
