/* SPDX-License-Identifier: MIT */
/* Addresses that count at a stop, by what was taken of it. */
#ifndef WT_RECORDER_HOST_NEAR_H
#define WT_RECORDER_HOST_NEAR_H

#include "recorder/recording/recorder.h"

struct wt_near {
	uint64_t *
		addresses; /* what was looked at, and pointers in arguments of kernels; from low to high */
	size_t count;
	uint64_t *pointers; /* those in arguments, in any order */
	size_t pointer_count;
};

/** How far a range is from the nearest address that counts; UINT64_MAX if none does. */
static inline uint64_t wt_near_distance(const struct wt_near *near, uint64_t start, uint64_t size)
{
	size_t from = 0, to = near->count;
	uint64_t distance = UINT64_MAX;

	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (near->addresses[middle] < start)
			from = middle + 1;
		else
			to = middle;
	}
	if (from < near->count)
		distance = near->addresses[from] > start + size
				   ? near->addresses[from] - start - size
				   : 0;
	if (from && start - near->addresses[from - 1] < distance)
		distance = start - near->addresses[from - 1];
	return distance;
}

#endif /* WT_RECORDER_HOST_NEAR_H */
