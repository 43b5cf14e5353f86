/* SPDX-License-Identifier: MIT */
/*
 * Blocks that an allocator of the program's own has handed out of large buffers, as PyTorch's does, where something in the program writes
 * them down: region files of AMD's HIP record and replay, whose format is that of its producers (rocm-systems,
 * projects/clr/hipamd/src/hrr/producers/README.md). They lie where the variable HIP_HRR_CAPTURE_OUTPUT of the program says.
 */
#ifndef WT_RECORDER_HOST_REGIONS_H
#define WT_RECORDER_HOST_REGIONS_H

#include "recorder/host/gathering.h"
#include "recorder/host/near.h"

#define WT_REGIONS_KEPT 512u  /* blocks of a trace that are there: the nearest */
#define WT_REGIONS_FREED 128u /* those that are not any more: the last */

/* A block, by what was written of it last. */
struct wt_region {
	uint64_t base, size;
	int64_t time; /* on CLOCK_MONOTONIC, nanoseconds; 0: it was there before anything was written */
	int64_t freed_time; /* if `freed` */
	bool freed;
	size_t order;
};

struct wt_regions {
	struct wt_region *list; /* from low to high addresses */
	size_t count, capacity;
};

/**
 * Read what a file has. Damage, as a batch that was cut off, ends it: what is before that counts.
 *
 * Return: false if it is no file of this form or version, or if there is no memory.
 */
bool wt_regions_parse(const uint8_t *data, size_t size, struct wt_regions *regions_ret);
void wt_regions_deinit(struct wt_regions *regions);

/** Gather those of the program that are near to what counts. @start_time: of the recording, on CLOCK_MONOTONIC. */
void wt_gather_regions(struct wt_gathering *gathering, const struct wt_near *near,
		       uint64_t start_time);

#endif /* WT_RECORDER_HOST_REGIONS_H */
