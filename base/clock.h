/* SPDX-License-Identifier: MIT */
#ifndef WT_BASE_CLOCK_H
#define WT_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

/** Milliseconds on CLOCK_MONOTONIC: for waiting, and for limits of time. */
static inline uint64_t wt_clock_ms(void)
{
	struct timespec now = {0};

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

#endif /* WT_BASE_CLOCK_H */
